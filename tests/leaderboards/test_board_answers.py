"""What the API answers of a board and its statistics, live and published, to whom."""

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from campaigns.actions import note_changed_scores
from campaigns.models import Campaign
from leaderboards.actions import refresh_leaderboard, refresh_statistics
from leaderboards.models import StoredBoard
from tests.publication.conftest import add_records, bundles, record
from tests.publishing import publish_now

__all__ = ["bundles"]
pytestmark = pytest.mark.django_db
API = "/api/v1/campaigns/small/leaderboard/"
STATISTICS = f"{API}statistics/"


@pytest.fixture
def played(campaign):
    add_records(campaign, *[record(team, n, n <= done, 2) for team, done in (("A", 3), ("B", 1)) for n in range(1, 5)])
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    refresh_statistics(campaign=campaign, at=timezone.now())
    campaign.refresh_from_db()
    return campaign


@pytest.fixture
def program(organizer):
    client = APIClient()
    client.force_authenticate(organizer)
    return client


def keys_of(campaign):
    return [campaign.entries.get(bot__team__name=team).key for team in "AB"]


def test_an_organizer_gets_the_live_board_with_how_sure_it_is(played, program, few_are_enough):
    answer = program.get(API).json()
    one, other = answer["rows"]
    assert [one["key"], other["key"]] == keys_of(played)
    assert one["intervals"]["completion"][0] < 0.75 < one["intervals"]["completion"][1]
    assert sum(one["rank_probabilities"]) == pytest.approx(1)
    assert [(why["ahead"], why["of"]) for why in answer["why"]] == [tuple(keys_of(played))]
    assert (answer["is_outdated"], answer["statistics_are_outdated"]) == (False, False)
    assert answer["agreement_is_outdated"] is False
    assert answer["turns_are"] == "exchanges"
    note_changed_scores(campaign=played)
    assert program.get(API).json()["statistics_are_outdated"] is True


def test_the_agreement_of_the_panel_stands_beside_its_criterion(played, program):
    StoredBoard.objects.create(campaign=played, key="agreement", rows={"criteria": {"fluency": {"alpha": 0.5}}})
    answer = program.get(API).json()
    told = {column["key"]: column["agreement"] for column in answer["columns"]}
    assert (told["fluency"], answer["agreement_is_outdated"]) == (None, True), "it is of other scores"
    StoredBoard.objects.filter(key="agreement").update(scores_version=played.scores_version)
    answer = program.get(API).json()
    told = {column["key"]: column["agreement"] for column in answer["columns"]}
    assert (told["fluency"], told["satisfaction"], answer["agreement_is_outdated"]) == (0.5, None, False)


def test_statistics_come_with_what_repeats_them_under_the_keys_of_the_board(played, program):
    answer = program.get(STATISTICS).json()
    assert [answer[name] for name in ("seed", "n_resamples", "n_permutations", "n_scenarios")] == [1, 2000, 5000, 4]
    one, other = keys_of(played)
    assert set(answer["rows"]) == {one, other}
    (pair,) = answer["pairs"]
    assert {pair["one"], pair["other"]} == {one, other}
    assert set(pair["tests"]["completion"]) == {"difference", "p", "effect"}
    assert (answer["rankings"]["completion"]["tau"], answer["is_outdated"]) == (1.0, False)
    assert answer["computed_at"]


def test_before_anything_is_computed_nothing_is_said(campaign, program):
    answer = program.get(STATISTICS).json()
    assert (answer["seed"], answer["rows"], answer["pairs"], answer["computed_at"]) == (None, {}, [], None)


def test_others_get_what_was_published_and_nothing_before(played, bundles):
    visitor = APIClient()
    assert visitor.get(STATISTICS).status_code == visitor.get(API).status_code == 404
    StoredBoard.objects.create(campaign=played, key="agreement", rows={"criteria": {"fluency": {"alpha": 0.5}}})
    Campaign.objects.update(reviewed_by="panel")
    publish_now(played, hides_teams=True)
    aliases = {entry.alias for entry in played.entries.filter(bot__team__name__in="AB")}
    board, told = visitor.get(API).json(), visitor.get(STATISTICS).json()
    assert {row["key"] for row in board["rows"]} == set(told["rows"]) == aliases
    assert (told["seed"], told["snapshot"]["number"], told["snapshots"]) == (1, 1, {})
    assert {column["key"]: column["agreement"] for column in board["columns"]}["fluency"] == 0.5
    assert board["turns_are"] == "exchanges"
    # The figures go on, what was published stays.
    add_records(played, record("B", 9, True, 1))
    assert visitor.get(STATISTICS).json() == told


def test_statistics_of_no_campaign_are_not_found(program):
    assert program.get("/api/v1/campaigns/nothing/leaderboard/statistics/").status_code == 404
