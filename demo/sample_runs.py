"""Loads the demo's automatic tasks and hands in the sample runs, once."""

from datetime import datetime
from pathlib import Path

from automatic_tasks.actions import load_tasks, score_baselines, start_service_run, submit_file_run
from automatic_tasks.models import AutomaticTask
from automatic_tasks.task_file import read_task_file
from campaigns.actions.teams import team_called

TASKS_FILE = Path(__file__).resolve().parent / "tasks.toml"
RUNS_DIR = Path(__file__).resolve().parent.parent / "examples" / "runs"
HANDED_IN = (("Demo Team One", "run"), ("Demo Team Two", "weak_run"))


def load_demo_tasks() -> list[AutomaticTask]:
    """The demo's tasks; loading them again changes nothing."""
    declared = read_task_file(TASKS_FILE.name, TASKS_FILE.read_bytes())
    campaign = load_tasks(file=declared, content_of=lambda path: (TASKS_FILE.parent / path).read_bytes()).campaign
    return list(campaign.automatic_tasks.all())


def hand_in_sample_runs(tasks: list[AutomaticTask], at: datetime) -> int:
    """Runs of the tasks that have none yet: of two demo teams, of the baselines, and against the sample service."""
    n_runs = 0
    for task in tasks:
        if task.runs.exists():
            continue
        n_runs += len(score_baselines(task=task, person=None, at=at))
        for service in task.services.select_related("task", "team"):
            start_service_run(service=service, person=None, at=at)
            n_runs += 1
        for team_name, stem in () if task.task_type.is_service else HANDED_IN:
            (path,) = (RUNS_DIR / task.type).glob(f"{stem}.json*")
            submit_file_run(
                task=task,
                team=team_called(task.campaign, team_name),
                person=None,
                content=path.read_bytes(),
                file_name=path.name,
                at=at,
            )
            n_runs += 1
    return n_runs
