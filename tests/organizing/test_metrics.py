"""Which automatic figures are which system's."""

import pytest
from django.utils import timezone

from automatic_tasks.actions import submit_file_run
from automatic_tasks.models import Score
from organizing.metrics import gather
from participants.models import Team
from tests.automatic_tasks.conftest import content_of, good_run, tasks
from tests.organizing.test_meta_evaluation import upload

__all__ = ["content_of", "good_run", "tasks"]
pytestmark = pytest.mark.django_db
NOW = timezone.now()


def scored_run(task, team, value):
    run = submit_file_run(
        task=task, team=team, person=None, content=content_of("dialogue-quality/run.json"), file_name="r", at=NOW
    )
    for split in task.splits:
        figures = {"quality.A.nmd": value, "quality.S.nmd": None}
        Score.objects.create(run=run, split=split, figures=figures, sums=b"", version=task.score_version)
    return run


def test_the_boards_of_tasks_give_the_figures_of_the_teams_systems(campaign, tasks):
    scored_run(tasks["quality"], Team.objects.get(name="Team Alpha"), 0.25)
    scored_run(tasks["quality"], Team.objects.create(name="Elsewhere"), 0.5)
    gathered = gather(campaign)
    entry = str(campaign.entries.get().pk)
    # Hidden scores where a task has them, each under the task's key; a missing figure is none.
    assert dict(gathered.figures) == {("", entry): {"quality/hidden/quality.A.nmd": 0.25}}
    (metric,) = gathered.metrics.values()
    assert (metric.better, metric.task, metric.split, metric.words.en) == (
        "lower",
        "quality",
        "hidden",
        "Quality A NMD",
    )
    assert gathered.unmatched == {"Elsewhere"}


def test_a_name_that_two_systems_share_is_nobodys(campaign):
    team = Team.objects.get(name="Team Alpha")
    for number in (1, 2):
        campaign.entries.create(bot=team.bots.create(name=f"bot {number}"), key=f"k{number}", alias=f"X{number}")
    upload(campaign, b"system,F1\nTeam Alpha,1\nbot 1,2\nk2,3\n")
    gathered = gather(campaign)
    assert (gathered.unmatched, gathered.ambiguous) == (set(), {"Team Alpha"})
    pks = {entry.key: str(entry.pk) for entry in campaign.entries.all()}
    assert dict(gathered.figures) == {("", pks["k1"]): {"F1": 2}, ("", pks["k2"]): {"F1": 3}}
