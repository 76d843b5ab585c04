"""A program reads the board in parts as it is stored, and what an average reviewer would have given."""

import pytest
from django.utils import timezone

from leaderboards.actions import refresh_leaderboard, refresh_outdated_slices
from tests.leaderboards.test_slices import judged

__all__ = ["judged"]
pytestmark = pytest.mark.django_db
PARTS = "/api/v1/campaigns/small/leaderboard/parts/"


@pytest.fixture
def program(client, organizer):
    client.force_login(organizer)
    return client


def computed(campaign):
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    refresh_outdated_slices(at=timezone.now())


def test_each_bot_has_its_figure_in_each_part(campaign, judged, program):
    computed(campaign)
    told = program.get(PARTS, {"by": "reviewer", "figure": "fluency"}).json()
    assert (told["by"], told["figure"], told["is_outdated"], told["criteria"]) == ("reviewer", "fluency", False, [])
    rows = {row["team"]: row for row in told["rows"]}
    assert rows["A"]["bot"] == int(judged["A"])
    assert rows["A"]["parts"] == [{"name": "kind", "figure": 1.0, "n": 1}, {"name": "severe", "figure": 0.0, "n": 1}]
    assert rows["B"]["parts"] == [{"name": "kind", "figure": None, "n": 0}, {"name": "severe", "figure": 0.0, "n": 1}]


def test_severity_gives_each_criterion_plain_and_adjusted(campaign, judged, program):
    computed(campaign)
    told = program.get(PARTS, {"by": "severity"}).json()
    (fluency,) = told["criteria"]
    assert (told["figure"], told["rows"]) == (None, [])
    assert (fluency["criterion"], fluency["severity"]) == ("fluency", pytest.approx({"kind": -0.5, "severe": 0.5}))
    b = next(row for row in fluency["rows"] if row["team"] == "B")
    assert (b["plain"], b["adjusted"], b["rank"]) == (0.0, pytest.approx(0.5), 2)


def test_before_the_first_computation_it_says_so_and_unknown_ways_are_refused(campaign, judged, program):
    told = program.get(PARTS).json()
    assert (told["by"], told["computed_at"], told["is_outdated"]) == ("kind", None, True)
    assert all(row["parts"] == [] for row in told["rows"])
    assert program.get(PARTS, {"by": "colour"}).status_code == 400
