"""Votes: what is stored, what is refused, ten seconds to think better of it, and two tabs."""

from datetime import timedelta

import pytest
from django.http import Http404

from accounts.models import Person
from audit.models import TrailLine
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role, TeamMember
from campaigns.reasons import ReasonNeeded
from dialogues.models import Dialogue
from pairs.actions import Conflict, NotComparable, undo_vote
from pairs.actions.boards import refresh_pair_board
from pairs.actions.voting import pair_of
from pairs.board.stored import pair_board_now
from pairs.models import Pair, PairVote
from reading.checking import BadForm
from reviews.actions.deciding import restore_dialogue, void_dialogue
from reviews.actions.submitting import TooLate
from tests.pairs.conftest import ended, judge_of, opened, voted
from tests.reviews.conftest import NOON
from tests.world import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(finished):
    return judge_of(finished)


@pytest.fixture
def pair(finished, judge):
    return opened(finished, judge)


def undone(pair, judge, version=1, at=NOON):
    return undo_vote(pair=pair, judge=judge, version=version, at=at)


def test_a_vote_is_stored_with_reason_and_evidence_and_leaves_its_line(pair, judge, finished):
    before = finished.scores_version
    voted(pair, judge, "right", reason=" clearer ", evidence_side="right", evidence_turn=2)
    given = PairVote.objects.get()
    assert (given.verdict, given.reason, given.evidence_side, given.evidence_turn) == ("right", "clearer", "right", 2)
    assert (given.version, given.at) == (1, NOON)
    line = TrailLine.objects.get(act="pair.voted")
    assert (line.person, line.campaign, line.about) == (judge.username, "small", pair.scenario.key)
    assert line.details["verdict"] == "right"
    finished.refresh_from_db()
    assert finished.scores_version == before + 1


@pytest.mark.parametrize("verdict", ["left", "right", "tie", "both_bad"])
def test_there_are_four_verdicts(pair, judge, verdict):
    assert voted(pair, judge, verdict).verdict == verdict


@pytest.mark.parametrize(
    "said",
    [
        {"verdict": "both"},
        {"verdict": ""},
        {"evidence_side": "left"},
        {"evidence_turn": 1},
        {"evidence_side": "top", "evidence_turn": 1},
        {"evidence_side": "left", "evidence_turn": 9},
    ],
)
def test_what_no_vote_can_hold_is_refused(pair, judge, said):
    with pytest.raises(BadForm):
        voted(pair, judge, **said)
    assert not PairVote.objects.exists()


def test_a_program_may_say_that_it_has_no_evidence(pair, judge):
    said = {"verdict": "left", "evidence": None}
    answer = client_of(judge).post(f"/api/v1/pairs/{pair.pk}/vote/", said, content_type="application/json")
    assert (answer.status_code, answer.json()["said"]["evidence"]) == (201, None)


def test_a_vote_can_be_taken_back_for_ten_seconds_and_given_anew(pair, judge):
    voted(pair, judge, reason="first")
    undone(pair, judge, at=NOON + timedelta(seconds=9))
    given = PairVote.objects.get()
    assert (given.verdict, given.version) == ("", 2)
    assert not PairVote.objects.counted(pair.campaign).exists()
    assert voted(pair, judge, "tie", version=2).version == 3
    assert [line.act for line in TrailLine.objects.in_order() if line.act.startswith("pair.")] == [
        "pair.voted",
        "pair.undone",
        "pair.voted",
    ]


def test_after_ten_seconds_a_vote_stands(pair, judge):
    voted(pair, judge)
    with pytest.raises(TooLate):
        undone(pair, judge, at=NOON + timedelta(seconds=10))
    assert PairVote.objects.counted(pair.campaign).count() == 1


def test_of_two_tabs_the_second_gets_a_conflict_with_what_is_stored(pair, judge):
    voted(pair, judge, "left")
    with pytest.raises(Conflict) as conflict:
        voted(pair, judge, "right")
    assert (conflict.value.version, conflict.value.current["verdict"]) == (1, "left")
    with pytest.raises(Conflict):
        voted(pair, judge, "right", version=1)
    with pytest.raises(Conflict):
        undone(pair, judge, version=7)
    assert PairVote.objects.get().verdict == "left"


def test_a_live_pair_is_compared_once_both_dialogues_are_over(live, tester):
    pair = opened(live, tester)
    with pytest.raises(NotComparable, match="still open"):
        voted(pair, tester)
    pair = ended(pair, tester)
    assert voted(pair, tester, "both_bad").verdict == "both_bad"


def test_silence_cannot_be_compared(live, tester):
    pair = ended(opened(live, tester), tester, n_turns=0)
    with pytest.raises(NotComparable, match="Nothing was said"):
        voted(pair, tester)


def test_a_void_side_ends_the_comparison_and_its_vote_counts_no_more(live, tester):
    pair = ended(opened(live, tester), tester)
    voted(pair, tester)
    Dialogue.objects.filter(pk=pair.left_dialogue_id).update(status="void")
    assert not PairVote.objects.counted(live).exists()
    following = ended(opened(live, tester), tester)
    Dialogue.objects.filter(pk=following.left_dialogue_id).update(status="void")
    with pytest.raises(NotComparable, match="does not count"):
        voted(following, tester)


def test_the_board_lags_behind_each_vote_and_each_dialogue_that_counts_no_more_or_again(pair, judge, organizer):
    def lags():
        campaign = Campaign.objects.get()
        is_outdated = pair_board_now(campaign).is_outdated
        refresh_pair_board(campaign=campaign, at=NOON)
        return is_outdated

    voted(pair, judge, "left")
    assert (lags(), lags()) == (True, False)
    undone(pair, judge)
    assert (lags(), lags()) == (True, False)
    voted(pair, judge, "right", version=2)
    assert (lags(), lags()) == (True, False)
    for act in (void_dialogue, restore_dialogue):
        act(dialogue=Dialogue.objects.get(pk=pair.left_dialogue_id), by=organizer, because="odd", at=NOON)
        assert (lags(), lags()) == (True, False)


def test_a_pair_is_its_judges_alone(pair, judge, finished, organizer):
    other = judge_of(finished, "another")
    for person in (other, organizer):
        with pytest.raises(Http404):
            pair_of(person, pair.pk)
        with pytest.raises(Http404):
            voted(pair, person)
    finished.roles.filter(person=judge, role=Role.REVIEWER).delete()
    with pytest.raises(Http404):
        pair_of(judge, pair.pk)


def test_an_interest_closes_the_pair(pair, judge):
    TeamMember.objects.create(campaign=pair.campaign, person=judge, team=pair.right.bot.team)
    with pytest.raises(Http404):
        voted(pair, judge)


def test_reasons_are_asked_for_as_the_campaign_says(pair, judge):
    Campaign.objects.update(pairs_reason="needed")
    with pytest.raises(ReasonNeeded):
        voted(pair, judge)
    Campaign.objects.update(pairs_reason="off")
    assert voted(pair, judge, reason="not asked").reason == ""


def test_dates_and_publication_close_votes(pair, judge):
    Campaign.objects.update(review_until=NOON)
    with pytest.raises(NotNow):
        voted(pair, judge, at=NOON + timedelta(hours=1))
    Campaign.objects.update(is_published=True)
    with pytest.raises(NotComparable, match="published"):
        voted(pair, judge)


def test_what_a_program_prefers_is_stored_and_counts_nowhere(finished):
    program = judge_of(finished, "program")
    Person.objects.filter(pk=program.pk).update(kind="program")
    program.refresh_from_db()
    voted(opened(finished, program), program)
    assert PairVote.objects.given().count() == 1
    assert not PairVote.objects.counted(finished).exists()


def test_an_imported_vote_counts_without_dialogues(finished, organizer):
    first, second = finished.entries.order_by("pk")[:2]
    pair = Pair.objects.create(
        campaign=finished, scenario=finished.scenarios.first(), kind="finished", origin="imported",
        left=first, right=second, drawn_at=NOON,
    )  # fmt: skip
    PairVote.objects.create(pair=pair, judge=organizer, external_judge="j1", verdict="tie", at=NOON)
    assert PairVote.objects.counted(finished).get().verdict == "tie"
