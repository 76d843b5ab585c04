"""Ten minutes of undo for reviewers, afterwards a request with a reason that an organizer answers."""

from datetime import timedelta

import pytest
from django.utils import translation

from campaigns.models import Campaign
from reviews.actions import BadReview, NotReviewable, NotYours, TooLate, save_draft, undo_submission
from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import answer_revision, request_revision
from reviews.models import Review, ReviewChange, ReviewPlace
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, submit

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)
CHANGED = SCORES | {"satisfaction": -2}


@pytest.fixture
def scored(campaign, tester):
    (reviewer,) = panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, reviewer)
    return dialogue, reviewer


def ask(dialogue, reviewer, reason="两条看混了", at=LATER):
    return request_revision(dialogue=dialogue, reviewer=reviewer, reason=reason, at=at)


def answer(request, organizer, is_granted=True, at=LATER):
    return answer_revision(request=request, organizer=organizer, is_granted=is_granted, at=at)


def test_a_reviewer_undoes_within_ten_minutes_and_has_the_place_again(scored):
    dialogue, reviewer = scored
    at = NOON + timedelta(minutes=9, seconds=59)
    review = undo_submission(dialogue=dialogue, reviewer=reviewer, version=1, at=at)
    assert (review.is_submitted, review.is_counted, review.draft["ratings"]) == (False, False, SCORES)
    place = ReviewPlace.objects.get()
    assert (place.done_at, place.expires_at) == (None, at + timedelta(minutes=60))
    assert Review.objects.get().is_counted is False
    assert submit(dialogue, reviewer, based_on_version=2, at=LATER).version == 3
    assert Review.objects.get().is_counted


def test_after_ten_minutes_it_is_too_late(scored):
    dialogue, reviewer = scored
    with pytest.raises(TooLate, match="Ask for a revision"), translation.override("en"):
        undo_submission(dialogue=dialogue, reviewer=reviewer, version=1, at=NOON + timedelta(minutes=10))


def test_without_undo_or_request_nothing_of_a_hand_in_changes(scored):
    dialogue, reviewer = scored
    with pytest.raises(NotReviewable):
        submit(dialogue, reviewer, ratings=CHANGED, based_on_version=1)
    with pytest.raises(NotReviewable):
        save_draft(dialogue=dialogue, reviewer=reviewer, changes={"comment": "x"}, based_on_version=1, at=NOON)


def test_a_granted_request_allows_one_revision_and_the_trail_says_why(scored, organizer):
    dialogue, reviewer = scored
    request = answer(ask(dialogue, reviewer), organizer)
    assert (request.is_granted, request.answered_by, request.answered_at) == (True, organizer, LATER)
    save_draft(dialogue=dialogue, reviewer=reviewer, changes={"comment": "x"}, based_on_version=1, at=LATER)
    submit(dialogue, reviewer, ratings=CHANGED, based_on_version=1, at=LATER)
    change = ReviewChange.objects.last()
    assert (change.kind, change.reason, change.before["ratings"], change.after["ratings"]) == (
        "revised", "两条看混了", SCORES, CHANGED,
    )  # fmt: skip
    with pytest.raises(NotReviewable):
        submit(dialogue, reviewer, based_on_version=2, at=LATER)


def test_an_undone_revision_gives_the_old_scores_and_the_grant_back(scored, organizer):
    dialogue, reviewer = scored
    answer(ask(dialogue, reviewer), organizer)
    submit(dialogue, reviewer, ratings=CHANGED, based_on_version=1, at=LATER)
    review = undo_submission(dialogue=dialogue, reviewer=reviewer, version=2, at=LATER)
    assert (review.is_submitted, review.draft["ratings"]) == (True, CHANGED)
    assert ReviewChange.objects.last().after["ratings"] == SCORES
    assert submit(dialogue, reviewer, ratings=CHANGED, based_on_version=3, at=LATER).version == 4


def test_a_refused_request_changes_nothing_and_another_may_follow(scored, organizer):
    dialogue, reviewer = scored
    answer(ask(dialogue, reviewer), organizer, is_granted=False)
    with pytest.raises(NotReviewable):
        submit(dialogue, reviewer, based_on_version=1, at=LATER)
    answer(ask(dialogue, reviewer, "真的看混了"), organizer)
    assert submit(dialogue, reviewer, based_on_version=1, at=LATER).version == 2


def test_one_request_is_open_at_a_time_and_says_why(scored, organizer):
    dialogue, reviewer = scored
    for reason in ("", "  ", "x" * 5000, "a\x00"):
        with pytest.raises(BadReview) as bad:
            ask(dialogue, reviewer, reason)
        assert list(bad.value.fields) == ["reason"]
    request = ask(dialogue, reviewer)
    with pytest.raises(NotReviewable):
        ask(dialogue, reviewer)
    answer(request, organizer)
    with pytest.raises(NotReviewable):
        ask(dialogue, reviewer)


def test_only_an_organizer_answers_and_only_once(scored, organizer, tester):
    dialogue, reviewer = scored
    request = ask(dialogue, reviewer)
    for stranger in (reviewer, tester):
        with pytest.raises(NotYours):
            answer(request, stranger)
    answer(request, organizer, is_granted=False)
    with pytest.raises(NotReviewable):
        answer(request, organizer)


def test_nothing_to_ask_for_before_a_hand_in_or_after_publication_or_of_ones_own(scored, campaign, closed, tester):
    dialogue, reviewer = scored
    Campaign.objects.update(is_published=True)
    with pytest.raises(NotReviewable):
        ask(dialogue, reviewer)
    Campaign.objects.update(is_published=False, reviewed_by="both")
    with pytest.raises(NotReviewable):
        ask(closed, tester)
    submit(closed, tester)
    with pytest.raises(NotReviewable):
        ask(closed, tester)
