"""Hands in a review, and takes a hand-in back within seconds; the audit trail keeps both."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.actions import note_changed_scores
from reviews.actions.checking import (
    CheckedReview,
    NotReviewable,
    check_may_review,
    check_may_revise,
    check_review,
)
from reviews.models import Rating, Review, ReviewChange, SubtaskVerdict
from reviews.undo_window import seconds_to_undo
from testing_console.models import Dialogue


class Conflict(Exception):
    """Somebody submitted a newer version in between; `current` is what is stored."""

    def __init__(self, version: int, current: dict[str, Any]) -> None:
        super().__init__(f"version {version} is stored")
        self.version = version
        self.current = current


class TooLate(Exception):
    """The seconds in which a hand-in can be undone are over; it can still be revised."""


@transaction.atomic
def submit_review(
    *,
    dialogue: Dialogue,
    reviewer: Person,
    ratings: Mapping[str, Any],
    verdicts: Mapping[str, Any],
    comment: str,
    based_on_version: int,
    at: datetime,
) -> Review:
    """Stores the reviewer's complete scores of a closed dialogue, with the change in the audit trail.

    `ratings` maps every criterion key of the rubric to a score; `verdicts` maps subtask indices ("1", "2" …) to
    finished or not, and may be left out where the ledger already says it. `based_on_version` is the version that the
    reviewer saw (0: none). The draft is dropped. Errors: `NotYours`, `NotReviewable`, `BadReview` (every wrong field),
    `Conflict`.
    """
    dialogue = locked(dialogue)
    check_may_review(dialogue, reviewer)
    review, _created = Review.objects.get_or_create(dialogue=dialogue, reviewer=reviewer)
    if review.is_submitted:
        check_may_revise(dialogue)
    if review.version != based_on_version:
        raise conflict_with(review)
    before = content_of(review) if review.is_submitted else None
    replace_content(review, check_review(dialogue, ratings, verdicts, comment))
    review.is_submitted, review.submitted_at = True, at
    _save_next_version(review, ReviewChange.Kind.HANDED_IN, reviewer, before, at)
    _note_own_scores(dialogue, review)
    # Last, since every reviewer of the campaign waits for this row until the commit.
    note_changed_scores(campaign=dialogue.assignment.campaign)
    return review


@transaction.atomic
def undo_submission(*, dialogue: Dialogue, reviewer: Person, version: int, at: datetime) -> Review:
    """Takes back the hand-in that made `version`: what was stored before it holds again, what was handed in is a draft.

    Only within the seconds of `undo_window`; both changes stay in the audit trail. Errors: `NotYours`,
    `NotReviewable`, `Conflict` (another version is stored, or nothing), `TooLate`.
    """
    dialogue = locked(dialogue)
    check_may_review(dialogue, reviewer)
    check_may_revise(dialogue)
    review = Review.objects.filter(dialogue=dialogue, reviewer=reviewer).first()
    if review is None:
        raise NotReviewable(_("Nothing was handed in."))
    last = review.changes.filter(version=version, kind=ReviewChange.Kind.HANDED_IN).first()
    if last is None or review.version != version:
        raise conflict_with(review)
    if seconds_to_undo(last.at, at) == 0:
        raise TooLate
    handed_in = content_of(review)
    _put_back(review, dialogue, last.before)
    review.draft = handed_in
    _save_next_version(review, ReviewChange.Kind.UNDONE, reviewer, handed_in, at)
    _note_own_scores(dialogue, review)
    # Last, since every reviewer of the campaign waits for this row until the commit.
    note_changed_scores(campaign=dialogue.assignment.campaign)
    return review


def locked(dialogue: Dialogue) -> Dialogue:
    """The dialogue, held until the commit: hand-in, undo and draft of its reviews come one after the other."""
    return Dialogue.objects.select_for_update(of=("self",)).with_names().get(pk=dialogue.pk)


def conflict_with(review: Review) -> Conflict:
    return Conflict(review.version, content_of(review) if review.is_submitted else {})


def replace_content(review: Review, checked: CheckedReview) -> None:
    """Puts ratings and verdicts in the place of those of the version before; the comment is saved with the review."""
    _drop_content(review)
    Rating.objects.bulk_create(
        Rating(review=review, criterion=criterion, score=score, lowest=scale[0], highest=scale[-1])
        for criterion, scale, score in checked.scores
    )
    SubtaskVerdict.objects.bulk_create(
        SubtaskVerdict(review=review, subtask=index, is_finished=is_finished)
        for index, is_finished in checked.verdicts.items()
    )
    review.comment = checked.comment
    review.draft = None


def _drop_content(review: Review) -> None:
    review.ratings.all().delete()
    review.verdicts.all().delete()
    review.comment = ""


def _put_back(review: Review, dialogue: Dialogue, before: dict[str, Any] | None) -> None:
    """The content of the version before the last one, or none where that was the first."""
    if before is None:
        _drop_content(review)
        review.is_submitted, review.submitted_at = False, None
        return
    replace_content(review, check_review(dialogue, before["ratings"], before["verdicts"], before["comment"]))
    earlier = review.changes.filter(version__lt=review.version).last()
    review.submitted_at = earlier.at if earlier else review.submitted_at


def _save_next_version(
    review: Review, kind: ReviewChange.Kind, reviewer: Person, before: dict[str, Any] | None, at: datetime
) -> None:
    review.version += 1
    review.is_counted = review.is_submitted and campaign_counts(review)
    review.save()
    after = content_of(review) if review.is_submitted else None
    ReviewChange.objects.create(
        review=review, version=review.version, kind=kind, changed_by=reviewer, at=at, before=before, after=after
    )


def campaign_counts(review: Review) -> bool:
    """Whether the campaign ranks by reviews of this part."""
    return review.dialogue.assignment.campaign.counted_reviews in (review.part, "both")


def _note_own_scores(dialogue: Dialogue, review: Review) -> None:
    """A tester's dialogue is done once they scored it; a revision keeps the time of the first hand-in."""
    if dialogue.tester_id != review.reviewer_id or (dialogue.scored_at is not None) == review.is_submitted:
        return
    dialogue.scored_at = review.submitted_at
    dialogue.save(update_fields=["scored_at"])


def content_of(review: Review) -> dict[str, Any]:
    """The review as the audit trail keeps it."""
    return {
        "ratings": {rating.criterion.key: rating.score for rating in review.ratings.select_related("criterion")},
        "verdicts": {str(verdict.subtask): verdict.is_finished for verdict in review.verdicts.all()},
        "comment": review.comment,
    }
