from datetime import timedelta

import pytest

from dialogues.models import Dialogue
from leaderboards.live_board import leaderboard
from reviews.actions import Conflict, NotReviewable, NotYours, TooLate, undo_submission
from reviews.actions.submitting import REVIEWER_WINDOW_S, seconds_to_undo
from reviews.models import Review, ReviewChange
from tests.reviews.conftest import NOON, SCORES, submit

pytestmark = pytest.mark.django_db


def undo(dialogue, person, *, version=1, after_s=3.0):
    at = NOON + timedelta(seconds=after_s)
    return undo_submission(dialogue=dialogue, reviewer=person, version=version, at=at)


def test_an_undone_hand_in_counts_no_more_and_is_a_draft_again(closed, tester):
    submit(closed, tester, comment="zu früh")
    review = undo(closed, tester)
    assert not review.is_submitted
    assert review.draft == {
        "ratings": SCORES, "evidence": {}, "verdicts": {"1": True, "2": False}, "comment": "zu früh",
    }  # fmt: skip
    assert leaderboard(closed.assignment.campaign).rows == ()
    assert Dialogue.objects.get(pk=closed.pk).scored_at is None


def test_the_trail_keeps_the_hand_in_and_its_undoing(closed, tester):
    submit(closed, tester)
    undo(closed, tester)
    first, second = ReviewChange.objects.all()
    assert (first.version, first.kind, first.before) == (1, "handed_in", None)
    assert (second.version, second.kind, second.before, second.after) == (2, "undone", first.after, None)
    again = submit(closed, tester, based_on_version=2, at=NOON + timedelta(seconds=20))
    assert (again.version, again.is_submitted) == (3, True)


def test_undoing_a_revision_brings_the_scores_before_it_back(closed, tester):
    submit(closed, tester, comment="erst", at=NOON - timedelta(hours=1))
    submit(closed, tester, ratings=SCORES | {"fluency": 1}, comment="dann", based_on_version=1)
    review = undo(closed, tester, version=2)
    assert {rating.criterion.key: rating.score for rating in review.ratings.all()} == SCORES
    assert (review.comment, review.is_submitted, review.version) == ("erst", True, 3)
    assert review.submitted_at == NOON - timedelta(hours=1)
    assert review.draft["comment"] == "dann"
    assert ReviewChange.objects.last().after["ratings"] == SCORES
    assert Dialogue.objects.get(pk=closed.pk).scored_at == NOON - timedelta(hours=1)


def test_leaderboards_hear_of_an_undone_hand_in(closed, tester):
    submit(closed, tester)
    campaign = closed.assignment.campaign
    campaign.refresh_from_db()
    before = campaign.scores_version
    undo(closed, tester)
    campaign.refresh_from_db()
    assert campaign.scores_version == before + 1


def test_the_server_keeps_the_ten_seconds(closed, tester):
    submit(closed, tester)
    with pytest.raises(TooLate):
        undo(closed, tester, after_s=10)
    assert Review.objects.get().is_submitted
    undo(closed, tester, after_s=9.9)


def test_an_undoing_is_not_undone(closed, tester):
    submit(closed, tester)
    undo(closed, tester)
    with pytest.raises(Conflict):
        undo(closed, tester, version=2)


def test_only_the_stored_version_is_undone(closed, tester):
    submit(closed, tester)
    submit(closed, tester, based_on_version=1)
    with pytest.raises(Conflict) as conflict:
        undo(closed, tester, version=1)
    assert conflict.value.version == 2


def test_nothing_is_undone_that_was_not_handed_in(closed, tester, reviewer):
    with pytest.raises(NotReviewable):
        undo(closed, tester)
    with pytest.raises(NotYours):
        undo(closed, reviewer)


def test_published_results_are_not_undone(closed, tester):
    submit(closed, tester)
    campaign = closed.assignment.campaign
    campaign.is_published = True
    campaign.save()
    with pytest.raises(NotReviewable):
        undo(closed, tester)


def test_a_revision_keeps_the_time_at_which_the_dialogue_was_first_scored(closed, tester):
    submit(closed, tester)
    submit(closed, tester, based_on_version=1, at=NOON + timedelta(days=1))
    assert Dialogue.objects.get(pk=closed.pk).scored_at == NOON


def test_undoing_a_second_revision_brings_the_time_of_what_holds_again_back(closed, tester):
    hours = [NOON - timedelta(hours=n) for n in (4, 3, 2)]
    submit(closed, tester, comment="first", at=hours[0])
    submit(closed, tester, comment="second", based_on_version=1, at=hours[1])
    undo_submission(dialogue=closed, reviewer=tester, version=2, at=hours[1] + timedelta(seconds=5))
    submit(closed, tester, comment="third", based_on_version=3, at=hours[2])
    review = undo_submission(dialogue=closed, reviewer=tester, version=4, at=hours[2] + timedelta(seconds=5))
    assert (review.comment, review.submitted_at) == ("first", hours[0])


def test_undoing_a_revision_of_a_revision_brings_the_time_of_the_first_revision_back(closed, tester):
    for version, hour in enumerate((4, 3)):
        submit(closed, tester, based_on_version=version, at=NOON - timedelta(hours=hour))
    submit(closed, tester, based_on_version=2)
    assert undo(closed, tester, version=3).submitted_at == NOON - timedelta(hours=3)


@pytest.mark.parametrize(
    ("later_s", "left"), [(0, 10), (0.2, 10), (1, 9), (9, 1), (9.999, 1), (10, 0), (3600, 0), (-5, 10)]
)
def test_a_hand_in_can_be_undone_for_ten_seconds(later_s, left):
    assert seconds_to_undo(NOON, NOON + timedelta(seconds=later_s)) == left


@pytest.mark.parametrize(("later_s", "left"), [(0, 600), (1, 599), (599.5, 1), (600, 0), (-5, 600)])
def test_a_reviewer_has_ten_minutes(later_s, left):
    assert seconds_to_undo(NOON, NOON + timedelta(seconds=later_s), REVIEWER_WINDOW_S) == left
