"""What a reviewer's page shows of their own scores of a dialogue."""

from datetime import datetime
from typing import Any

from accounts.models import Person
from reviews.actions.checking import may_revise
from reviews.actions.drafting import chosen_in
from reviews.models import Review, ReviewChange
from reviews.undo_window import seconds_to_undo
from testing_console.models import Dialogue


def own_scores(dialogue: Dialogue, reviewer: Person, at: datetime) -> dict[str, Any]:
    """The reviewer's choices with where they stand: handed in or not, still to be undone for how long, revisable."""
    review = Review.objects.filter(dialogue=dialogue, reviewer=reviewer).first() or Review()
    is_open = may_revise(dialogue.assignment.campaign)
    return {
        "version": review.version,
        "is_submitted": review.is_submitted,
        "submitted_at": review.submitted_at.isoformat() if review.submitted_at else None,
        "may_be_changed": is_open or not review.is_submitted,
        "undo_s": undo_s(review, at) if is_open else 0,
        "is_draft": review.draft is not None,
        "chosen": chosen_in(review),
    }


def undo_s(review: Review, at: datetime) -> int:
    """The seconds in which the last hand-in can still be undone."""
    if not review.is_submitted:
        return 0
    last = review.changes.filter(version=review.version, kind=ReviewChange.Kind.HANDED_IN).first()
    return seconds_to_undo(last.at, at) if last else 0
