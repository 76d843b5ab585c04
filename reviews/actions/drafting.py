"""Keeps what a reviewer has chosen and not handed in yet, so that no reload, log-out or other machine loses it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.models import Person
from reviews.actions.checking import check_changes, check_may_review, check_may_revise
from reviews.actions.submitting import conflict_with, content_of, locked
from reviews.models import Review
from testing_console.models import Dialogue

NOTHING_CHOSEN: dict[str, Any] = {"ratings": {}, "verdicts": {}, "comment": ""}


@transaction.atomic
def save_draft(*, dialogue: Dialogue, reviewer: Person, changes: Mapping[str, Any], based_on_version: int) -> Review:
    """Stores single choices in the draft: `ratings` and `verdicts` by key (None takes one back), and `comment`.

    What `changes` does not name stays, so two tabs or machines that choose different things lose nothing. A draft
    of scores that were handed in begins with those. Errors: `NotYours`, `NotReviewable`, `BadReview`, `Conflict` when
    another version was handed in since `based_on_version`.
    """
    dialogue = locked(dialogue)
    check_may_review(dialogue, reviewer)
    checked = check_changes(dialogue, changes)
    review, _created = Review.objects.get_or_create(dialogue=dialogue, reviewer=reviewer)
    if review.is_submitted:
        check_may_revise(dialogue)
    if review.version != based_on_version:
        raise conflict_with(review)
    review.draft = merged(chosen_in(review), checked)
    review.save(update_fields=["draft"])
    return review


def chosen_in(review: Review) -> dict[str, Any]:
    """What the form shows: the draft, or else what was handed in, or else nothing."""
    if review.draft is not None:
        return dict(review.draft)
    return content_of(review) if review.is_submitted else NOTHING_CHOSEN


def merged(chosen: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """`chosen` with the changes on top; a rating or verdict that is None is taken out."""
    combined = {
        name: {key: value for key, value in (chosen[name] | changes.get(name, {})).items() if value is not None}
        for name in ("ratings", "verdicts")
    }
    return combined | {"comment": changes.get("comment", chosen["comment"])}
