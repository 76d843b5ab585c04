"""Keeps what a reviewer has chosen and not handed in yet, so that no reload, log-out or other machine loses it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Person
from dialogues.models import Dialogue
from reviews.actions.capacities import WITH_PLACE, check_is_time, check_may_hand_in_again, check_may_review
from reviews.actions.checking import check_changes
from reviews.actions.contents import NOTHING_CHOSEN, conflict_with, content_of, locked, review_for
from reviews.actions.reserving import begin_place
from reviews.models import Review


@transaction.atomic
def save_draft(
    *, dialogue: Dialogue, reviewer: Person, changes: Mapping[str, Any], based_on_version: int, at: datetime
) -> Review:
    """Stores single choices in the draft: `ratings`, `evidence` and `verdicts` by key (None takes one back), and `comment`.

    What `changes` does not name stays, so two tabs or machines that choose different things lose nothing. A draft
    of scores that were handed in begins with those. Each choice prolongs the reservation of a reviewer's place. Errors:
    `NotYours`, `NotReviewable`, `NotNow`, `BadReview`, `Conflict` when another version was handed in since `based_on_version`.
    """
    dialogue = locked(dialogue)
    part = check_may_review(dialogue, reviewer)
    check_is_time(dialogue, part, at)
    checked = check_changes(dialogue, changes)
    review = review_for(dialogue, reviewer, part)
    if review.version != based_on_version:
        raise conflict_with(review)
    if review.is_submitted:
        check_may_hand_in_again(review, dialogue)
    elif part in WITH_PLACE:
        begin_place(dialogue, reviewer, at)
    review.draft = merged(chosen_in(review), checked)
    review.save(update_fields=["draft", "part"])
    return review


def chosen_in(review: Review) -> dict[str, Any]:
    """What the form shows: the draft, or else what was handed in, or else nothing."""
    if review.draft is not None:
        return dict(review.draft)
    return content_of(review) if review.is_submitted else NOTHING_CHOSEN


def merged(chosen: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """`chosen` with the changes on top; a rating or verdict that is None is taken out, and so is the evidence for a rating."""
    combined: dict[str, Any] = {
        name: {key: value for key, value in (chosen[name] | changes.get(name, {})).items() if value is not None}
        for name in ("ratings", "evidence", "verdicts")
    }
    taken_back = {key for key, value in changes.get("ratings", {}).items() if value is None}
    combined["evidence"] = {key: turn for key, turn in combined["evidence"].items() if key not in taken_back}
    return combined | {"comment": changes.get("comment", chosen["comment"])}
