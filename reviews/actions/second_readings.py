"""A dialogue that its reviewer gets once more without a word: when, and how its second scores are stored.

Where a reviewer may score a dialogue, the id of such a reading stands for one, so no page and no answer tells it apart.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from campaigns.actions import note_changed_scores
from campaigns.interests import barred_entries
from campaigns.models import Campaign
from campaigns.planning.interleaving import lot
from dialogues.models import Dialogue
from reviews.actions.checking import (
    NotReviewable,
    Part,
    check_changes,
    check_is_time,
    check_may_review,
    check_may_revise,
    check_review,
)
from reviews.actions.contents import NOTHING_CHOSEN, Conflict, locked, merged
from reviews.actions.gold import content_as_stored
from reviews.actions.placing import check_may_open, next_place, open_next_place
from reviews.actions.submitting import (
    REVIEWER_WINDOW_S,
    TooLate,
    check_reason,
    check_remark,
    save_remark,
    seconds_to_undo,
)
from reviews.models import Remark, Review, ReviewPlace, SecondReading, SecondReadingQuerySet


def reading_named(given: UUID | str, reviewer: Person) -> SecondReading | None:
    """The reviewer's own reading with that id, where it is not the id of a dialogue."""
    return SecondReading.objects.filter(pk=given, review__reviewer=reviewer).select_related("review__dialogue").first()


def readings_to_score(campaign: Campaign, reviewer: Person) -> SecondReadingQuerySet:
    """The reviewer's readings of dialogues that they may still score, done or not."""
    own = SecondReading.objects.of_reviewer(campaign, reviewer)
    own = own.filter(review__dialogue__in=Dialogue.objects.reviewable())
    return own.exclude(review__dialogue__assignment__entry__in=barred_entries(reviewer))


def n_second_readings(n_dialogues: int, every: int) -> int:
    """How many readings that many dialogues of a panel bring: one before each block but the first two, none at the very end."""
    return max(0, (n_dialogues - 1) // every - 1) if every else 0


def open_next(*, campaign: Campaign, reviewer: Person, at: datetime) -> Dialogue | SecondReading | None:
    """What the reviewer scores next: as `open_next_place`, but in time a dialogue once more. Errors as there."""
    check_may_open(campaign, reviewer, at)
    place = next_place(campaign, reviewer)
    if place is None or place.opened_at is None:
        begun = readings_to_score(campaign, reviewer).filter(done_at=None).first()
        if reading := begun or (_open_due(campaign, reviewer, at) if place else None):
            return reading
    return open_next_place(campaign=campaign, reviewer=reviewer, at=at)


def _open_due(campaign: Campaign, reviewer: Person, at: datetime) -> SecondReading | None:
    """Begins a reading where one is due, drawn from what lies a block of dialogues back; None where none is."""
    every = campaign.second_reading_every
    own = ReviewPlace.objects.of_campaign(campaign).filter(reviewer=reviewer, is_gold=False)
    done = list(own.held().exclude(done_at=None).order_by("done_at", "pk").values_list("dialogue", flat=True))
    if n_second_readings(len(done) + 1, every) <= SecondReading.objects.of_reviewer(campaign, reviewer).count():
        return None
    reviews = Review.objects.filter(
        dialogue__in=done[:-every], reviewer=reviewer, part=Part.PANEL, is_submitted=True, second_reading=None
    )
    # Its reviewers have read why an example has its score.
    reviews = reviews.filter(dialogue__in=Dialogue.objects.reviewable(), dialogue__guide_examples=None)
    reviews = reviews.exclude(dialogue__assignment__entry__in=barred_entries(reviewer))
    drawn = min(reviews, key=lambda one: lot(campaign.drawing_seed, str(reviewer.pk), one.dialogue_id), default=None)
    last = own.exclude(opened_at=None).order_by("position").values_list("position", flat=True).last()
    return _begin(drawn, last or 0, at) if drawn else None


@transaction.atomic
def _begin(review: Review, position: int, at: datetime) -> SecondReading:
    locked(review.dialogue)
    defaults = {"position": position, "opened_at": at}
    return SecondReading.objects.get_or_create(review=review, defaults=defaults)[0]


def _held(reading: SecondReading, at: datetime) -> tuple[SecondReading, Dialogue]:
    """The reading and its dialogue, held until the commit. Errors: `NotYours`, `NotReviewable`, `NotNow`."""
    dialogue = locked(reading.review.dialogue)
    check_is_time(dialogue, check_may_review(dialogue, reading.review.reviewer), at)
    return SecondReading.objects.select_for_update(of=("self",)).select_related("review").get(pk=reading.pk), dialogue


def _check_is_open(reading: SecondReading, based_on_version: int) -> None:
    if reading.version != based_on_version:
        raise Conflict(reading.version, reading.content or {})
    if reading.done_at is not None:
        raise NotReviewable(gettext_noop("These scores were handed in: undo that, or ask for a revision and say why."))


@transaction.atomic
def save_reading_draft(
    *, reading: SecondReading, changes: Mapping[str, Any], based_on_version: int, at: datetime
) -> SecondReading:
    """Stores single choices, as `save_draft` does. Errors as there."""
    reading, dialogue = _held(reading, at)
    checked = check_changes(dialogue, changes)
    _check_is_open(reading, based_on_version)
    reading.draft = merged(reading.draft or NOTHING_CHOSEN, checked)
    reading.save(update_fields=["draft"])
    return reading


@transaction.atomic
def submit_second_reading(
    *, reading: SecondReading, based_on_version: int, at: datetime, **chosen: Any
) -> SecondReading:
    """Stores the complete scores: `ratings`, `verdicts`, `evidence` and `comment`, as `submit_review` takes them. Errors as there."""
    reading, dialogue = _held(reading, at)
    _check_is_open(reading, based_on_version)
    reading.content, reading.draft, reading.done_at = content_as_stored(check_review(dialogue, **chosen)), None, at
    _save(reading, dialogue)
    return reading


@transaction.atomic
def undo_second_reading(*, reading: SecondReading, version: int, at: datetime) -> SecondReading:
    """Takes a hand-in back, as `undo_submission` does. Errors as there."""
    reading, dialogue = _held(reading, at)
    check_may_revise(dialogue)
    if reading.done_at is None or reading.content is None or reading.version != version:
        raise Conflict(reading.version, reading.content or {})
    if seconds_to_undo(reading.done_at, at, REVIEWER_WINDOW_S) == 0:
        raise TooLate(gettext_noop("It is too late to undo. Ask for a revision and say why."))
    reading.draft, reading.content, reading.done_at = reading.content, None, None
    _save(reading, dialogue)
    return reading


@transaction.atomic
def refuse_revision(*, reading: SecondReading, reason: str, at: datetime) -> NoReturn:
    """Errors as `request_revision`, and `NotReviewable` in any case: granted, a request would open the first scores, and a word of it would join the two."""
    reading, dialogue = _held(reading, at)
    check_may_revise(dialogue)
    if reading.done_at is None:
        raise NotReviewable(gettext_noop("Nothing was handed in."))
    check_reason(reason)
    raise NotReviewable(gettext_noop("These scores can no longer be changed."))


@transaction.atomic
def remark_on_reading(*, reading: SecondReading, kind: str, text: str, at: datetime) -> Remark:
    """Stores the remark beside those of the first time; who cannot judge the dialogue now is not asked again. Errors as `add_remark`."""
    reading, dialogue = _held(reading, at)
    check_remark(kind, text)
    if kind == Remark.Kind.CANNOT_JUDGE:
        if reading.done_at is not None:
            raise NotReviewable(gettext_noop("These scores were handed in: undo that first."))
        reading.draft, reading.done_at = None, at
        _save(reading, dialogue)
    reviewer = reading.review.reviewer
    return save_remark(Remark(dialogue=dialogue, reviewer=reviewer, kind=kind, text=text, at=at, is_again=True))


def _save(reading: SecondReading, dialogue: Dialogue) -> None:
    reading.version += 1
    reading.save()
    # How reviewers agree with themselves is stored like a board; the campaign's row comes last.
    note_changed_scores(campaign=dialogue.assignment.campaign)
