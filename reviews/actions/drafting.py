"""Opens, gives back and finishes a reviewer's place, and keeps unsubmitted choices over reloads, log-outs and machines.

`save_draft` locks the dialogue; call the functions of places under that lock.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import Person
from dialogues.models import Dialogue
from reviews.actions.capacities import WITH_PLACE, check_is_time, check_may_hand_in_again, check_may_review
from reviews.actions.checking import check_changes
from reviews.actions.contents import NOTHING_CHOSEN, conflict_with, content_of, locked, review_for
from reviews.models import Review, ReviewPlace


def begin_place(dialogue: Dialogue, reviewer: Person, at: datetime) -> None:
    """Reserves the reviewer's place, or prolongs the reservation; one that ran out is taken back from whoever has not begun.

    Somebody without a place, such as the tester of their own dialogue, needs none.
    """
    place = ReviewPlace.objects.filter(dialogue=dialogue, reviewer=reviewer, done_at=None).first()
    if place is None:
        return
    if place.released_at is not None:
        _make_room(place)
        place.released_at, place.released_because = None, ""
    place.opened_at = place.opened_at or at
    place.expires_at = at + timedelta(minutes=dialogue.assignment.campaign.reservation_min)
    place.save()


def _make_room(place: ReviewPlace) -> None:
    """Takes away the place that was drawn in the stead of this one, so that the panel stays as large as it is to be."""
    campaign = place.dialogue.assignment.campaign
    panel = ReviewPlace.objects.filter(dialogue=place.dialogue, is_gold=False).held()
    if panel.count() >= campaign.reviewers_per_dialogue:
        substitute = panel.not_begun().order_by("-drawn_at", "-pk").first()
        if substitute is not None:
            substitute.delete()


def finish_place(dialogue: Dialogue, reviewer: Person, at: datetime) -> None:
    begin_place(dialogue, reviewer, at)
    ReviewPlace.objects.filter(dialogue=dialogue, reviewer=reviewer).update(done_at=at)


def reopen_place(dialogue: Dialogue, reviewer: Person, at: datetime) -> None:
    """The hand-in was undone: the reviewer has the place again, with a new reservation."""
    ReviewPlace.objects.filter(dialogue=dialogue, reviewer=reviewer).update(done_at=None)
    begin_place(dialogue, reviewer, at)


def release_place(place: ReviewPlace, because: str, at: datetime) -> None:
    place.released_at, place.released_because = at, because
    place.save(update_fields=["released_at", "released_because"])


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
