"""Kendall's tau of the ranking of now with those that were frozen."""

import pytest
from django.utils import timezone

from leaderboards.actions import refresh_leaderboard, refresh_statistics
from leaderboards.live_board import board_of, stored_board
from leaderboards.statistics import taus_with_frozen
from tests.publication.conftest import add_records, record
from tests.publishing import snapshot_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(campaign):
    done = {"A": 4, "B": 3, "C": 2, "D": 1}
    add_records(campaign, *[record(team, n, n <= k, 2) for team, k in done.items() for n in range(1, 5)])
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    return campaign


def ids(campaign, teams):
    return [str(campaign.entries.get(bot__team__name=team).pk) for team in teams]


@pytest.mark.parametrize("hides_teams", [False, True])
def test_tau_over_the_systems_that_both_rank_by_hand(played, hides_teams):
    """Frozen as A B C D, now A B D C: five of six pairs in the same order, (5 − 1)/6."""
    snapshot_of(played, hides_teams=hides_teams)
    assert [row.team for row in board_of(played, stored_board(played).rows).rows] == ["A", "B", "C", "D"]
    now = dict(zip(ids(played, "ABDC"), (1, 2, 3, 4), strict=True))
    found = taus_with_frozen(played, now | {"unknown": 5})
    assert (found["1"]["tau"], found["1"]["n"]) == (pytest.approx(4 / 6), 4)


def test_with_no_snapshot_or_nothing_in_common_nothing_is_said(played):
    assert taus_with_frozen(played, {}) == {}
    snapshot_of(played)
    assert taus_with_frozen(played, {"unknown": 1}) == {}


def test_it_is_stored_with_the_statistics_but_not_frozen_with_them(played):
    snapshot_of(played)
    refresh_statistics(campaign=played, at=timezone.now())
    played.refresh_from_db()
    stored = played.stored_boards.get(key="statistics").rows
    assert stored["snapshots"]["1"]["tau"] == 1.0
    assert "snapshots" not in snapshot_of(played).board
