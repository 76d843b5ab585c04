"""The board in a bundle is the one that a snapshot of the same moment shows."""

import pytest
from django.utils import timezone

from leaderboards.actions import refresh_leaderboard
from publication.bundle.documents import board_document_of
from publication.bundle.writing import names_of
from publication.document_now import document_now
from tests.leaderboards.played import example, play

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("hides_teams", [False, True], ids=["teams", "aliases"])
def test_a_snapshot_and_its_bundle_say_the_same_figures_in_the_same_order(hides_teams):
    campaign, at = play(example("smp2018")), timezone.now()
    refresh_leaderboard(campaign=campaign, at=at)
    frozen = document_now(campaign, number=1, hides_teams=hides_teams, at=at, bundle=None)
    bundled = board_document_of(campaign, names_of(campaign, hides_teams=hides_teams, at=timezone.now()))
    told = ("key", "rank", "team", "bot", "n_records", "figures")
    assert len(bundled["rows"]) == 3
    for part in ("rows", "unranked"):
        assert [[row[name] for name in told] for row in bundled[part]] == [
            [row[name] for name in told] for row in frozen[part]
        ]
