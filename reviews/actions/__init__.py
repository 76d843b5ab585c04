"""What can be done with reviews: choose scores as a draft, hand them in, undo that within seconds, revise them."""

from reviews.actions.checking import BadReview, NotReviewable, NotYours
from reviews.actions.contents import Conflict, save_draft
from reviews.actions.submitting import TooLate, submit_review, undo_submission

__all__ = [
    "BadReview",
    "Conflict",
    "NotReviewable",
    "NotYours",
    "TooLate",
    "save_draft",
    "submit_review",
    "undo_submission",
]
