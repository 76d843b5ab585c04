"""What can be done with automatic tasks: load and change them, hand in runs, choose and score them."""

from automatic_tasks.actions.batches import begin_batches, store_batch
from automatic_tasks.actions.board_statistics import refresh_outdated_board_statistics
from automatic_tasks.actions.files import keep_file
from automatic_tasks.actions.loading import load_tasks
from automatic_tasks.actions.refusals import NotAccepted
from automatic_tasks.actions.runs import (
    check_run_file,
    choose_run,
    note_download,
    quota_left,
    quotas_left,
    score_again,
    score_all_again,
    score_baselines,
    start_all_service_runs,
    start_service_run,
    submit_file_run,
)
from automatic_tasks.actions.tasks import CHANGES, change_task, publish_figures, register_service

__all__ = [
    "CHANGES",
    "NotAccepted",
    "begin_batches",
    "change_task",
    "check_run_file",
    "choose_run",
    "keep_file",
    "load_tasks",
    "note_download",
    "publish_figures",
    "quota_left",
    "quotas_left",
    "refresh_outdated_board_statistics",
    "register_service",
    "score_again",
    "score_all_again",
    "score_baselines",
    "start_all_service_runs",
    "start_service_run",
    "store_batch",
    "submit_file_run",
]
