"""Where each step to a published board stands: check, freeze, preview, publish."""

from datetime import UTC, datetime, timedelta

import pytest

from campaigns.models import Campaign
from publication.models import FreezeOrder, Publication, Snapshot
from publication.preflight import Finding
from publication.steps import steps_of

NOW = datetime(2026, 5, 17, 12, tzinfo=UTC)
BLOCKS, WARNS = (Finding("open", blocks, "", "") for blocks in (True, False))
FROZEN = Snapshot(number=1, campaign=Campaign())


def public(at):
    return Publication(snapshot=FROZEN, published_at=at, public_from=at)


def standing(*, findings=(), order=None, snapshots=()):
    steps = steps_of(findings, order, snapshots, NOW)
    return steps.check, steps.freeze, steps.preview, steps.publish


@pytest.mark.parametrize(
    ("given", "stand"),
    [
        ({}, ("done", "now", "later", "later")),
        ({"findings": [WARNS]}, ("done", "now", "later", "later")),
        ({"findings": [BLOCKS, WARNS]}, ("stopped", "later", "later", "later")),
        ({"order": FreezeOrder()}, ("done", "now", "later", "later")),
        ({"order": FreezeOrder(failure="No space left")}, ("done", "stopped", "later", "later")),
        ({"snapshots": [(FROZEN, None, True)]}, ("done", "done", "now", "now")),
        ({"snapshots": [(FROZEN, public(NOW + timedelta(days=1)), True)]}, ("done", "done", "done", "now")),
        ({"snapshots": [(FROZEN, public(NOW), True)], "findings": [BLOCKS]}, ("stopped", "done", "done", "done")),
    ],
)
def test_each_step_says_where_it_stands(given, stand):
    assert standing(**given) == stand


def test_the_newest_of_this_board_is_what_is_published_next():
    other = Snapshot(number=3, of_board="main")
    newer, older = Snapshot(number=2), Snapshot(number=1)
    steps = steps_of([], None, [(other, None, True), (newer, None, True), (older, public(NOW), True)], NOW)
    assert (steps.newest, steps.is_public) == (newer, False)
