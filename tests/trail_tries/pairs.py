"""Votes on pairs."""

from pairs.actions import vote
from tests.reviews.conftest import closed_dialogue
from tests.trail_tries.table import tries
from tests.world import pair_in


def closed_pair(stage):
    """A live pair of the tester whose dialogues are over."""
    return pair_in(closed_dialogue(stage.campaign, stage.person("tester")))


@tries("POST api/v1/pairs/<uuid:pair_id>/vote/", "pair.voted", by="tester")
def _(stage):
    return f"/api/v1/pairs/{closed_pair(stage).pk}/vote/", {"verdict": "left"}


@tries("POST api/v1/pairs/<uuid:pair_id>/vote/undo/", "pair.undone", by="tester")
def _(stage):
    pair, tester = closed_pair(stage), stage.person("tester")
    vote(pair=pair, judge=tester, verdict="tie", based_on_version=0, at=stage.now)
    return f"/api/v1/pairs/{pair.pk}/vote/undo/", {"version": 1}
