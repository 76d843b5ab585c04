import pytest

from dialogues.actions import end_dialogue
from dialogues.turn_taking import EndReason
from leaderboards.live_board import leaderboard
from reviews.actions import BadReview, Conflict, NotReviewable, NotYours, save_draft
from reviews.models import Review, ReviewChange
from tests.reviews.conftest import NOON, SCORES, submit

pytestmark = pytest.mark.django_db


def choose(dialogue, person, *, version=0, **changes):
    return save_draft(dialogue=dialogue, reviewer=person, changes=changes, based_on_version=version, at=NOON)


def test_every_choice_is_stored_and_none_of_the_others_is_lost(closed, tester):
    choose(closed, tester, ratings={"satisfaction": 2})
    choose(closed, tester, verdicts={"1": False})
    choose(closed, tester, comment="三次问预算")
    choose(closed, tester, ratings={"fluency": -1, "satisfaction": 1})
    assert Review.objects.get().draft == {
        "ratings": {"satisfaction": 1, "fluency": -1},
        "evidence": {},
        "verdicts": {"1": False},
        "comment": "三次问预算",
    }


def test_a_choice_can_be_taken_back(closed, tester):
    choose(closed, tester, ratings={"satisfaction": 2}, verdicts={"1": True})
    choose(closed, tester, ratings={"satisfaction": None}, verdicts={"1": None})
    assert Review.objects.get().draft == {"ratings": {}, "evidence": {}, "verdicts": {}, "comment": ""}


def test_a_draft_counts_nowhere_and_leaves_no_trail(closed, tester):
    choose(closed, tester, ratings=SCORES)
    assert leaderboard(closed.assignment.campaign).rows == ()
    assert not ReviewChange.objects.exists()
    closed.refresh_from_db()
    assert closed.scored_at is None


def test_handing_in_drops_the_draft(closed, tester):
    choose(closed, tester, ratings={"satisfaction": -2})
    assert submit(closed, tester).draft is None


def test_a_draft_of_a_revision_begins_with_what_was_handed_in(closed, tester):
    submit(closed, tester, comment="gut")
    choose(closed, tester, version=1, ratings={"fluency": 1})
    assert Review.objects.get().draft == {
        "ratings": SCORES | {"fluency": 1},
        "evidence": {},
        "verdicts": {"1": True, "2": False},
        "comment": "gut",
    }
    assert leaderboard(closed.assignment.campaign).rows[0].figures.items() >= SCORES.items()


def test_a_page_that_saw_an_older_version_cannot_draft_over_a_newer_one(closed, tester):
    submit(closed, tester)
    with pytest.raises(Conflict) as conflict:
        choose(closed, tester, ratings={"fluency": 1})
    assert (conflict.value.version, conflict.value.current["ratings"]) == (1, SCORES)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"ratings": {"satisfaction": 3}}, "ratings.satisfaction"),
        ({"ratings": {"satisfaction": True}}, "ratings.satisfaction"),
        ({"ratings": {"taste": None}}, "ratings.taste"),
        ({"verdicts": {"1": 1}}, "verdicts.1"),
        ({"verdicts": {"9": True}}, "verdicts.9"),
        ({"comment": "x" * 4001}, "comment"),
    ],
)
def test_what_could_never_be_handed_in_is_no_draft(closed, tester, changes, wrong):
    with pytest.raises(BadReview) as bad:
        choose(closed, tester, **changes)
    assert list(bad.value.fields) == [wrong]
    assert not Review.objects.exists()


def test_only_ones_own_closed_dialogues_have_a_draft(dialogue, tester, reviewer, admission):
    with pytest.raises(NotReviewable):
        choose(dialogue, tester, comment="x")
    end_dialogue(dialogue_id=dialogue.pk, admission=admission, reason=EndReason.GAVE_UP, at=NOON)
    with pytest.raises(NotYours):
        choose(dialogue, reviewer, comment="x")


def test_after_publication_scores_can_be_handed_in_but_not_revised(closed, tester):
    campaign = closed.assignment.campaign
    campaign.is_published = True
    campaign.save()
    choose(closed, tester, ratings=SCORES)
    submit(closed, tester)
    with pytest.raises(NotReviewable):
        choose(closed, tester, version=1, ratings={"fluency": 1})
    with pytest.raises(NotReviewable):
        submit(closed, tester, ratings=SCORES | {"fluency": 1}, based_on_version=1)
