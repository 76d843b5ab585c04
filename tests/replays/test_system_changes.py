"""Systems that changed in the middle of a contest: when, and what their figures were on both sides."""

from datetime import UTC, datetime, timedelta

import pytest

from audit.actions import record
from campaigns.models import Campaign
from conformance.actions.fingerprints import accept_change, claim_fingerprint, finish_fingerprint
from conformance.system_kinds import BOTS
from dialogues.models import Dialogue
from leaderboards.actions import refresh_leaderboard, refresh_slices
from leaderboards.diagnostics.changed_systems import splits_of
from leaderboards.live_board import board_of, stored_board
from measures.before_after import Spans
from measures.live import Record, SubtaskOutcome
from publication.document_now import document_now
from replays.system_changes import SystemChange, changes_of, span_of
from tests.reviews.conftest import closed_dialogue, submit
from tests.world import client_of

NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SAME, OTHER = [["hello"] * 3] * 5, [["good day to you"] * 3] * 5
SCORES = {"satisfaction": 2, "fluency": 1, "guidance": 1}
WORSE = {"satisfaction": -2, "fluency": -1, "guidance": 0}


def test_a_dialogue_is_of_the_span_that_it_lies_in():
    changes = [SystemChange(NOON, NOON + HOUR), SystemChange(None, NOON + 5 * HOUR)]
    assert span_of(changes, NOON - HOUR, NOON) == 0
    assert span_of(changes, NOON - HOUR, NOON + HOUR) is None
    assert span_of(changes, NOON + HOUR, NOON + 5 * HOUR) == 1
    assert span_of(changes, NOON + 4 * HOUR, NOON + 6 * HOUR) is None
    assert span_of(changes, NOON + 5 * HOUR, NOON + 9 * HOUR) == 2
    assert span_of([], NOON, NOON) == 0


def recorded(is_finished, score):
    outcome = SubtaskOutcome("flight", is_finished, 4, 20)
    return Record("t", "b", "s", "r", (outcome,), {"satisfaction": score})


def test_each_side_has_its_own_figures_and_intervals():
    spans = Spans(2, ["satisfaction"])
    for number in range(4):
        spans.add(0, f"s{number}", recorded(True, 2))
        spans.add(1, f"s{number}", recorded(number < 2, number - 2))
    spans.add(None, "s0", recorded(True, 0))
    before, after = spans.figures(["completion", "mean_turns", "satisfaction"])
    assert (before.n, after.n, spans.n_between) == (4, 4, 1)
    assert before.figures == {"completion": 1, "mean_turns": 4, "satisfaction": 2}
    # Turns of an unfinished one are its cap: (4 + 4 + 20 + 20) / 4.
    assert after.figures == {"completion": 0.5, "mean_turns": 12, "satisfaction": -0.5}
    assert before.intervals["satisfaction"] == (2, 2)
    low, high = after.intervals["satisfaction"]
    assert low < -0.5 < high


def test_one_scenario_has_no_interval():
    spans = Spans(2, [])
    spans.add(0, "s", recorded(True, 2))
    before, after = spans.figures(["completion"])
    assert (before.intervals, after.n, after.figures) == ({}, 0, {"completion": None})


@pytest.fixture
def dated(campaign):
    Campaign.objects.update(testing_from=NOON - timedelta(days=9), testing_until=NOON + timedelta(days=30))
    campaign.refresh_from_db()
    return campaign


def fingerprint(at, answers):
    begun = claim_fingerprint(BOTS, at=at)
    return finish_fingerprint(BOTS, begun=begun, answers=answers, at=at + timedelta(minutes=1))


@pytest.fixture
def changed(dated):
    fingerprint(NOON, SAME)
    fingerprint(NOON + 24 * HOUR, SAME)
    fingerprint(NOON + 48 * HOUR, OTHER)
    return dated


def scored(campaign, tester, closed_at, ratings, number):
    dialogue = closed_dialogue(campaign, tester, closed_at=closed_at, repetition=4000 + number)
    Dialogue.objects.filter(pk=dialogue.pk).update(opened_at=closed_at - timedelta(minutes=10))
    submit(dialogue, tester, ratings=ratings, verdicts={"1": True})
    return dialogue


pytestmark = pytest.mark.django_db


def test_a_change_lies_between_two_fingerprints(changed):
    (change,) = changes_of(changed)[changed.entries.get().pk]
    assert (change.last_same, change.found) == (NOON + 24 * HOUR, NOON + 48 * HOUR)


def test_it_is_remembered_once_it_was_accepted(changed, organizer):
    accept_change(BOTS, system=changed.entries.get(), by=organizer, at=NOON + 49 * HOUR)
    assert len(changes_of(changed)[changed.entries.get().pk]) == 1


def test_a_system_without_a_change_has_no_row(dated):
    fingerprint(NOON, SAME)
    assert changes_of(dated) == {}
    assert splits_of(dated) == {}


def test_a_line_without_its_fingerprint_says_when_it_was_found(dated):
    entry = dated.entries.get()
    fingerprint(NOON, SAME)
    Campaign.objects.get().entries.get().fingerprints.update(taken_at=NOON + timedelta(days=5))
    record(BOTS.acts.changed, by=None, at=NOON + HOUR, campaign="small", about="K", details={"bot": entry.key})
    assert changes_of(dated)[entry.pk] == [SystemChange(None, NOON + HOUR)]


@pytest.fixture
def played(changed, tester, few_are_enough):
    scored(changed, tester, NOON + 3 * HOUR, SCORES, 1)
    scored(changed, tester, NOON + 5 * HOUR, SCORES, 2)
    scored(changed, tester, NOON + 30 * HOUR, WORSE, 3)
    scored(changed, tester, NOON + 60 * HOUR, WORSE, 4)
    refresh_leaderboard(campaign=changed, at=NOON)
    refresh_slices(campaign=changed, at=NOON)
    changed.refresh_from_db()
    return changed


def test_figures_are_split_at_the_change(played):
    split = splits_of(played)[str(played.entries.get().pk)]
    before, after = split["spans"]
    assert (before["n"], after["n"], split["n_between"]) == (2, 1, 1)
    assert before["figures"]["satisfaction"] == 2
    assert after["figures"]["satisfaction"] == -2


def test_a_found_change_has_boards_computed_anew(dated):
    before = dated.scores_version
    fingerprint(NOON, SAME)
    assert Campaign.objects.get().scores_version == before
    fingerprint(NOON + 24 * HOUR, OTHER)
    assert Campaign.objects.get().scores_version == before + 1


def test_the_organizers_board_notes_it_beside_the_system(played, organizer):
    client = client_of(organizer)
    board = client.get("/campaigns/small/leaderboard/", headers={"accept-language": "en"}).content.decode()
    assert "changed by" in board
    assert "2026-05-20" in board
    page = client.get(
        "/campaigns/small/leaderboard/parts/?by=change", headers={"accept-language": "en"}
    ).content.decode()
    assert "1 record lies in between" in page
    (row,) = client.get("/api/v1/campaigns/small/leaderboard/").json()["rows"]
    assert row["changed"] == ["2026-05-20T12:00:00+00:00"]


def frozen(campaign):
    return document_now(campaign, number=1, hides_teams=False, at=NOON, bundle=None)


def test_it_is_published_where_the_campaign_says_so(played):
    document = frozen(played)
    assert "changes" not in document
    assert "changed" not in document["rows"][0]
    played.publishes_changes = True
    document = frozen(played)
    assert document["rows"][0]["changed"] == ["2026-05-20T12:00:00+00:00"]
    assert [one["n"] for one in document["changes"]["a"]["spans"]] == [2, 1]
    assert board_of(played, stored_board(played).rows).rows[0].changed
