"""What a review holds, as the audit trail keeps it; how it is replaced, and the line of the trail for it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.models import Person
from dialogues.models import Dialogue
from reviews.actions.checking import CheckedRating, CheckedReview
from reviews.models import Rating, Review, ReviewChange, SubtaskVerdict
from reviews.trail import digest_of
from rubrics.models import Criterion

NOTHING_CHOSEN: dict[str, Any] = {"ratings": {}, "evidence": {}, "verdicts": {}, "comment": ""}


class Conflict(Exception):
    """Somebody submitted a newer version in between; `current` is what is stored."""

    def __init__(self, version: int, current: dict[str, Any]) -> None:
        super().__init__(f"version {version} is stored")
        self.version = version
        self.current = current


def locked(dialogue: Dialogue) -> Dialogue:
    """The dialogue, held until the commit: whatever changes its reviews, places, dispute or vettings comes one after the other."""
    return Dialogue.objects.select_for_update(of=("self",)).with_names().get(pk=dialogue.pk)


def review_for(dialogue: Dialogue, reviewer: Person, part: str) -> Review:
    """The person's review in that part. One that was never handed in follows its writer into another part."""
    review, _created = Review.objects.get_or_create(dialogue=dialogue, reviewer=reviewer, defaults={"part": part})
    if not review.is_submitted:
        review.part = part
    return review


def conflict_with(review: Review) -> Conflict:
    return Conflict(review.version, content_of(review) if review.is_submitted else {})


def content_of(review: Review) -> dict[str, Any]:
    """The review as the audit trail keeps it; labels by their keys."""
    ratings = list(review.ratings.select_related("criterion").prefetch_related("criterion__points"))
    return {
        "ratings": {key_of(rating): said_of(rating) for rating in ratings},
        "evidence": {key_of(rating): rating.evidence_turn for rating in ratings if rating.evidence_turn is not None},
        "verdicts": {str(verdict.subtask): verdict.is_finished for verdict in review.verdicts.all()},
        "comment": review.comment,
    }


def key_of(rating: Rating | CheckedRating) -> str:
    return f"{rating.criterion.key}{rating.place}"


def said_of(rating: Rating | CheckedRating) -> int | str:
    """The score, or the key of the label whose number it is."""
    if rating.criterion.kind == Criterion.Kind.SCALE:
        return rating.score
    return next(point.key for point in rating.criterion.points.all() if point.score == rating.score)


def replace_content(review: Review, checked: CheckedReview) -> None:
    """Puts ratings and verdicts in the place of those of the version before; the comment is saved with the review."""
    drop_content(review)
    Rating.objects.bulk_create(
        Rating(
            review=review,
            criterion=rating.criterion,
            place=rating.place,
            score=rating.score,
            lowest=rating.lowest,
            highest=rating.highest,
            evidence_turn=rating.evidence_turn,
        )
        for rating in checked.ratings
    )
    SubtaskVerdict.objects.bulk_create(
        SubtaskVerdict(review=review, subtask=index, is_finished=is_finished)
        for index, is_finished in checked.verdicts.items()
    )
    review.comment = checked.comment
    review.draft = None


def drop_content(review: Review) -> None:
    review.ratings.all().delete()
    review.verdicts.all().delete()
    review.comment = ""


def save_next_version(
    review: Review, kind: str, changed_by: Person, before: Mapping[str, Any] | None, at: datetime, reason: str = ""
) -> ReviewChange:
    """Saves the review with its next version, and the change that chains to the one before; gives the change."""
    review.version += 1
    review.save()
    last = review.changes.last()
    change = ReviewChange(
        review=review,
        version=review.version,
        kind=kind,
        changed_by=changed_by,
        at=at,
        before=before,
        after=content_of(review) if review.is_submitted else None,
        reason=reason,
    )
    change.digest = digest_of(line_of(change), last.digest if last else "")
    change.save()
    return change


def line_of(change: ReviewChange) -> dict[str, Any]:
    """The line of the trail as its digest covers it."""
    return {
        "review": change.review_id,
        "version": change.version,
        "kind": str(change.kind),
        "changed_by": change.changed_by_id,
        "at": change.at.isoformat(),
        "before": change.before,
        "after": change.after,
        "reason": change.reason,
    }
