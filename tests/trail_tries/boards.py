"""Leaderboards."""

from automatic_tasks.models import PublishedFigures, Run
from publication.actions.ordering import order_freeze
from tests.publishing import publish_now, snapshot_of
from tests.trail_tries.table import tries


@tries("POST campaigns/<slug:slug>/publication/freeze/", "freeze.ordered")
def _(stage):
    stage.with_records()
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/forget/", "freeze.dropped")
def _(stage):
    stage.with_records()
    order_freeze(campaign=stage.campaign, hides_teams=False, by=stage.person("organizer"), at=stage.now)
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/<int:number>/publish/", "board.published")
def _(stage):
    snapshot_of(stage.campaign)
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/<int:number>/withdraw/", "board.withdrawn")
def _(stage):
    publish_now(stage.campaign)
    return "", {"because": "a wrong name"}


def board_joined_with_nothing(stage):
    """A combined board of people's completion alone, by team."""
    stage.with_records()
    column = {"key": "completion", "figure": "completion", "task": "", "split": "", "letter": "", "weight": 1.0}
    stage.campaign.combined_boards.create(
        key="main",
        position=1,
        name_zh="总排名",
        name_en="Main",
        ranking=["completion"],
        columns=[column | {"name": {"zh": "", "en": ""}}],
    )


@tries("POST campaigns/<slug:slug>/boards/<slug:key>/publication/freeze/", "freeze.ordered")
def _(stage):
    board_joined_with_nothing(stage)
    return "/campaigns/small/boards/main/publication/freeze/", {}


@tries("POST api/v1/campaigns/<slug:slug>/boards/<slug:key>/publication/", "freeze.ordered")
def _(stage):
    board_joined_with_nothing(stage)
    return "/api/v1/campaigns/small/boards/main/publication/", {}


def board_of_a_task(stage):
    """With figures that a paper printed: they need no worker."""
    task = stage.fixture("run").task
    PublishedFigures.objects.create(task=task, split="hidden", name="Printed", figures={"quality.A.nmd": 0.5})
    Run.objects.all().delete()


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/board/<slug:split>/publication/freeze/", "freeze.ordered")
def _(stage):
    board_of_a_task(stage)
    return "/campaigns/small/tasks/quality/board/hidden/publication/freeze/", {}


@tries("POST api/v1/campaigns/<slug:slug>/tasks/<slug:key>/board/<slug:split>/publication/", "freeze.ordered")
def _(stage):
    board_of_a_task(stage)
    return "/api/v1/campaigns/small/tasks/quality/board/hidden/publication/", {}


@tries("POST campaigns/<slug:slug>/faults/change/", "faults.changed")
def _(stage):
    return "", {"failed_turns": "charged", "broken_dialogues": "counted"}


@tries("POST api/v1/campaigns/<slug:slug>/publication/", "freeze.ordered")
def _(stage):
    stage.with_records()
    return "", {}


@tries("DELETE api/v1/campaigns/<slug:slug>/publication/", "freeze.dropped")
def _(stage):
    stage.with_records()
    order_freeze(campaign=stage.campaign, hides_teams=False, by=stage.person("organizer"), at=stage.now)
    return "", {}


@tries("POST api/v1/campaigns/<slug:slug>/publication/<int:number>/", "board.published")
def _(stage):
    snapshot_of(stage.campaign)
    return "", {}


@tries("DELETE api/v1/campaigns/<slug:slug>/publication/<int:number>/", "board.withdrawn")
def _(stage):
    publish_now(stage.campaign)
    return "", {"because": "a wrong name"}


@tries("PUT api/v1/campaigns/<slug:slug>/faults/", "faults.changed")
def _(stage):
    return "", {"failed_turns": "charged", "broken_dialogues": "counted"}
