"""Loads published results beside the demo: SMP2018's Table A2 from its records, and F1 of Table A1 as a metric of the same teams."""

import csv
import io
from datetime import datetime
from pathlib import Path

from django.db import transaction

from automatic_tasks.actions import load_tasks, score_baselines, start_service_run, submit_file_run
from automatic_tasks.models import AutomaticTask
from automatic_tasks.task_file import read_task_file
from campaigns.actions import load_campaign
from campaigns.actions.teams import team_called
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.models import Campaign
from demo.people import ORGANIZER
from dialogues.actions import import_dialogues
from dialogues.dialogue_files import read_huace
from dialogues.models import Dialogue
from leaderboards.actions import import_records
from leaderboards.record_files import read_record_lines
from organizing.actions import store_metrics
from participants.adapters import PROTOCOLS
from reviews.actions.placing import draw_review_places

SMP2018 = Path(__file__).resolve().parent.parent / "examples" / "published" / "smp2018"
METRIC = "Task 1 F1"


@transaction.atomic
def load_published(at: datetime) -> Campaign:
    """The campaign with its records; loading it again changes nothing. The server computes, freezes and publishes its leaderboard."""
    file = SMP2018 / "campaign.toml"
    campaign, _changes = load_campaign(spec=read_campaign_file(file.name, file.read_bytes(), PROTOCOLS))
    if not campaign.imported_records.exists():
        scales = {criterion.key: criterion.scores() for criterion in campaign.rubric.criteria.all()}
        lines = read_record_lines((SMP2018 / "records.jsonl").read_bytes().splitlines(), scales)
        import_records(campaign=campaign, lines=lines)
        store_metrics(campaign=campaign, name="Table A1", content=_first_task(campaign), at=at)
    return campaign


def _first_task(campaign: Campaign) -> bytes:
    """F1 of Task 1, of the teams that took part in both tasks."""
    teams = set(campaign.entries.values_list("bot__team__name", flat=True))
    with (SMP2018 / "task1.csv").open(encoding="utf-8", newline="") as printed:
        rows = [(row["team"], row["f1"]) for row in csv.DictReader(printed) if row["team"] in teams]
    table = io.StringIO()
    csv.writer(table).writerows([("system", METRIC), *rows])
    return table.getvalue().encode()


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


BLIND_REVIEW_FILE = Path(__file__).with_name("blind_review.toml")
DIALOGUES = Path(__file__).with_name("finished_dialogues.jsonl")


def import_finished_dialogues(campaign: Campaign, at: datetime) -> None:
    """Imports the demo's dialogues once, under its organizer, and gives them to the reviewer; a campaign that has dialogues stays as it is."""
    if Dialogue.objects.of_campaign(campaign).exists():
        return
    organizer = campaign.roles.get(person__username=ORGANIZER).person
    dialogues = read_huace(DIALOGUES.read_bytes())
    import_dialogues(campaign=campaign, dialogues=dialogues, importer=organizer, bot="", team="", at=at)
    # The server does so, too, but later than a newcomer clicks.
    draw_review_places(campaign=campaign, at=at)
