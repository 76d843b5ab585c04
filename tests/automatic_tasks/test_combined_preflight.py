"""What an organizer is told before a combined board is frozen."""

import pytest
from django.utils import timezone

from automatic_tasks.combined.preflight import combined_findings
from automatic_tasks.models import CombinedBoard, Run
from leaderboards.actions import refresh_leaderboard
from tests.automatic_tasks.conftest import TASKS
from tests.automatic_tasks.test_combined_boards import MAIN, bundles, load, played, release
from tests.publication.conftest import add_records, in_english, record

__all__ = ["bundles", "in_english", "played"]
pytestmark = [pytest.mark.django_db(transaction=True)]


def told(*, blocks=False):
    return {one.key: one.text for one in combined_findings(CombinedBoard.objects.get()) if one.blocks == blocks}


@pytest.mark.usefixtures("in_english")
def test_it_tells_of_the_board_its_tasks_and_the_work_of_people(played, quality):
    found = told()
    assert found["unranked"] == "Team Gamma will be listed without a rank: Quality: does not take part."
    assert found["not-released"].startswith("The scores of the task Quality are not released")
    assert not {"runs", "tie", "empty"} & found.keys()
    release(quality)
    Run.objects.filter(team__name="Team Beta").update(state="queued")
    found = told()
    assert found["runs"] == "1 run is still to be scored."
    assert "not-released" not in found
    # Ranks of people are equal, those of this board are not: what is told is of this board.
    load(TASKS + MAIN.replace('["completion", "nmd"]', '["completion"]'))
    assert told()["tie"].startswith("Team Alpha, Team Beta share rank 1")
    add_records(played, record("Team Alpha", 5, True, 2))
    refresh_leaderboard(campaign=played, at=timezone.now())
    assert told()["unequal"].startswith("Systems have unequally many scored dialogues"), (
        "what the leaderboard's preflight finds"
    )
    load(
        TASKS
        + MAIN.replace('figure = "quality.A.nmd"', 'figure = "quality.E.nmd"').replace('"completion", "nmd"', '"nmd"')
    )
    board = CombinedBoard.objects.get()
    board.columns[2]["figure"] = "gone"
    board.save()
    assert told(blocks=True) == {"empty": "No system has a rank: there is nothing to publish."}
