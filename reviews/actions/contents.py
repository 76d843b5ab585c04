"""What a review holds: its scores as the trail keeps them, the draft, and the reviewer's place.

`save_draft` locks the dialogue; call the functions of places under that lock.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import Person
from dialogues.models import Dialogue
from reviews.actions.checking import (
    WITH_PLACE,
    CheckedRating,
    CheckedReview,
    check_changes,
    check_is_time,
    check_may_hand_in_again,
    check_may_review,
)
from reviews.models import Rating, Review, ReviewChange, ReviewPlace, SubtaskVerdict
from reviews.trail import covered, digest_of, new_salt
from rubrics.models import Criterion

NOTHING_CHOSEN: dict[str, Any] = {"ratings": {}, "evidence": {}, "verdicts": {}, "comment": ""}


class Conflict(Exception):
    """A newer version was submitted in between; `current` is what is stored."""

    def __init__(self, version: int, current: dict[str, Any]) -> None:
        super().__init__(f"version {version} is stored")
        self.version = version
        self.current = current


def locked(dialogue: Dialogue) -> Dialogue:
    """The dialogue, held until the commit: changes to its reviews, places, dispute and vettings come one after another."""
    return Dialogue.objects.select_for_update(of=("self",)).with_names().get(pk=dialogue.pk)


def review_for(dialogue: Dialogue, reviewer: Person, part: str) -> Review:
    """The person's review in that part. An unsubmitted review moves to its author's new part."""
    review, _created = Review.objects.get_or_create(dialogue=dialogue, reviewer=reviewer, defaults={"part": part})
    if not review.is_submitted:
        review.part = part
    return review


def conflict_with(review: Review) -> Conflict:
    return Conflict(review.version, content_of(review) if review.is_submitted else {})


def content_of(review: Review) -> dict[str, Any]:
    """The review as the audit trail keeps it; labels by their keys. Its content is read from the database."""
    return content_with(review, review.ratings.select_related("criterion").prefetch_related("criterion__points"))


def content_with(review: Review, stored_ratings: Iterable[Rating]) -> dict[str, Any]:
    """The same with ratings, verdicts, criteria and points that may have been read before, of many reviews at once."""
    ratings = list(stored_ratings)
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
    """Puts ratings and verdicts in place of those of the version before; the comment is saved with the review."""
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
        salt=new_salt(),
    )
    change.digest = digest_of(line_of(change), last.digest if last else "")
    change.save()
    return change


def line_of(change: ReviewChange) -> dict[str, Any]:
    """The line of the trail as its digest covers it."""
    stored = {
        "review": change.review_id,
        "version": change.version,
        "kind": str(change.kind),
        "changed_by": change.changed_by_id,
        "at": change.at.isoformat(),
        "before": change.before,
        "after": change.after,
        "reason": change.reason,
        "salt": change.salt,
        "gone": change.gone,
    }
    return covered(stored)


def begin_place(dialogue: Dialogue, reviewer: Person, at: datetime) -> None:
    """Reserves the reviewer's place, or prolongs the reservation; an expired one is taken back from a substitute who has not begun.

    Without a place, as for the tester's own dialogue, nothing happens.
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
    """Removes the place drawn as a substitute for this one, so that the panel keeps its size."""
    campaign = place.dialogue.assignment.campaign
    panel = ReviewPlace.objects.filter(dialogue=place.dialogue, is_gold=False).held().that_fill(campaign)
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
