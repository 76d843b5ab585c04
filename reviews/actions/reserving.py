"""Opens, gives back and finishes a reviewer's place. All of it under the lock of the dialogue."""

from datetime import datetime, timedelta

from accounts.models import Person
from dialogues.models import Dialogue
from reviews.models import ReviewPlace


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
