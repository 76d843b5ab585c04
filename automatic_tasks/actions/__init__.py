"""What can be done with automatic tasks: load and change them, hand in runs, choose and score them."""

from automatic_tasks.actions.batches import begin_batches, store_batch
from automatic_tasks.actions.board_statistics import (
    refresh_outdated_board_statistics,
    refresh_outdated_combined_statistics,
)
from automatic_tasks.actions.files import keep_file
from automatic_tasks.actions.loading import LoadedTasks, load_tasks
from automatic_tasks.actions.refusals import NotAccepted
from automatic_tasks.actions.registering import (
    admit_service,
    change_service,
    freeze_service,
    register_service,
    send_back_service,
    submit_service,
    take_back_service,
    withdraw_service,
)
from automatic_tasks.actions.runs import (
    check_run_file,
    choose_run,
    note_download,
    score_again,
    score_all_again,
    score_baselines,
    start_all_service_runs,
    start_service_run,
    submit_file_run,
)
from automatic_tasks.actions.storing import (
    IsNeeded,
    StoredTask,
    preview_task,
    remove_task,
    store_task,
    what_needs,
)
from automatic_tasks.actions.tasks import CHANGES, change_task, publish_figures, set_quota, take_back_quota

__all__ = [
    "CHANGES",
    "IsNeeded",
    "LoadedTasks",
    "NotAccepted",
    "StoredTask",
    "admit_service",
    "begin_batches",
    "change_service",
    "change_task",
    "check_run_file",
    "choose_run",
    "freeze_service",
    "keep_file",
    "load_tasks",
    "note_download",
    "preview_task",
    "publish_figures",
    "refresh_outdated_board_statistics",
    "refresh_outdated_combined_statistics",
    "register_service",
    "remove_task",
    "score_again",
    "score_all_again",
    "score_baselines",
    "send_back_service",
    "set_quota",
    "start_all_service_runs",
    "start_service_run",
    "store_batch",
    "store_task",
    "submit_file_run",
    "submit_service",
    "take_back_quota",
    "take_back_service",
    "what_needs",
    "withdraw_service",
]
