"""Draws places for reviewers, gives them away again, and opens the next one."""

import random
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, Role
from reviews.actions.capacities import NotReviewable
from reviews.actions.contents import locked
from reviews.actions.reserving import begin_place
from reviews.drawing import mix_in_gold, queue_order
from reviews.models import Reviewing, ReviewPlace, ReviewPlaceQuerySet
from reviews.places_plan import PlaceRow, PlacesPlan, Wanted, places_plan
from testing_console.models import Dialogue

ROWS_AT_ONCE = 500
TRIES = 5
# A longer queue is not written anew for a few dialogues more, which would keep other writers waiting.
SHORT_QUEUE = 200
SHARE_OF_A_LONG_QUEUE = 10


def draw_review_places(*, campaign: Campaign, at: datetime) -> int:
    """Draws the places that are missing, takes back what is not begun by who may not score, hands on what ran out.

    Gives the number of places drawn. Nothing that is done changes, so it can be done again at any time.
    """
    reviewing, _made = Reviewing.objects.get_or_create(campaign=campaign)
    # The look comes first, so that a campaign in which nothing is to be drawn is not locked.
    plan = places_plan(campaign, reviewing.reviewers, at)
    if plan.ready == reviewing.reviewers and not plan.dialogues():
        return 0
    return _carry_out(campaign, plan, at)


@transaction.atomic
def _carry_out(campaign: Campaign, seen: PlacesPlan, at: datetime) -> int:
    # First this row, then dialogues, then places: of two drawings at once the second sees what the first drew.
    reviewing = Reviewing.objects.select_for_update().get(campaign=campaign)
    # Held before the plan is made: what a reviewer did since the look is in it, and nothing can change any more.
    held = _held(seen.dialogues())
    plan = places_plan(campaign, reviewing.reviewers, at).within(held)
    for because, places in plan.released.items():
        _of(places).to_do().update(released_at=at, released_because=because)
    _of(plan.taken).not_begun().delete()
    _draw(campaign, plan.drawn, at)
    reviewing.reviewers = plan.ready
    reviewing.save(update_fields=["reviewers"])
    return len(plan.drawn)


def _held(dialogues: Iterable[Any]) -> set[Any]:
    """Holds the dialogues until the commit, but those that somebody scores at this moment: they are left for the next time."""
    held: set[Any] = set()
    in_order = sorted(dialogues)
    for start in range(0, len(in_order), ROWS_AT_ONCE):
        some = Dialogue.objects.filter(pk__in=in_order[start : start + ROWS_AT_ONCE])
        free = some.select_for_update(of=("self",), skip_locked=True).order_by("pk")
        held.update(free.values_list("pk", flat=True))
    return held


def _of(places: Iterable[PlaceRow]) -> ReviewPlaceQuerySet:
    return ReviewPlace.objects.filter(pk__in=[place.pk for place in places])


def _draw(campaign: Campaign, drawn: list[Wanted], at: datetime) -> None:
    """Stores the places; one that the reviewer had before and lost is used again."""
    of_reviewer: dict[int, list[Wanted]] = defaultdict(list)
    for wanted in drawn:
        of_reviewer[wanted.reviewer_id].append(wanted)
    rows = [row for reviewer, own in of_reviewer.items() for row in _queued(campaign, reviewer, own, at)]
    ReviewPlace.objects.bulk_create(
        rows,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["dialogue", "reviewer"],
        update_fields=["position", "is_gold", "drawn_at", "opened_at", "expires_at", "released_at", "released_because"],
    )


def _queued(campaign: Campaign, reviewer: int, drawn: list[Wanted], at: datetime) -> list[ReviewPlace]:
    """The new places with their positions among those that are not begun."""
    waiting = list(ReviewPlace.objects.of_campaign(campaign).filter(reviewer=reviewer).not_begun())
    new = [
        ReviewPlace(dialogue_id=one.dialogue_id, reviewer_id=reviewer, is_gold=one.is_gold, drawn_at=at, position=0)
        for one in drawn
    ]
    if len(waiting) > SHORT_QUEUE and len(new) * SHARE_OF_A_LONG_QUEUE < len(waiting):
        rng = random.Random(f"{campaign.drawing_seed}:{reviewer}:{len(waiting)}")
        for place in new:
            place.position = rng.choice(waiting).position
        return new
    return _ordered(campaign, reviewer, waiting, new)


def _ordered(
    campaign: Campaign, reviewer: int, waiting: list[ReviewPlace], new: list[ReviewPlace]
) -> list[ReviewPlace]:
    """Shuffles the whole queue that is not begun, with gold mixed in; it goes on behind what was begun."""
    places = {place.dialogue_id: place for place in [*waiting, *new]}
    bots = dict(Dialogue.objects.filter(pk__in=list(places)).values_list("pk", "assignment__entry__alias"))
    seed, name = campaign.drawing_seed, str(reviewer)
    begun = ReviewPlace.objects.of_campaign(campaign).filter(reviewer=reviewer, opened_at__isnull=False)
    n_begun, every = begun.filter(is_gold=False).count(), campaign.gold_every
    panel = [(pk, bots[pk]) for pk, place in places.items() if not place.is_gold]
    gold = [pk for pk, place in places.items() if place.is_gold]
    since_gold = n_begun % every if every else 0
    mixed = mix_in_gold(name, queue_order(name, panel, seed=seed), gold, every=every, seed=seed, since_gold=since_gold)
    left = queue_order(name, [(pk, bots[pk]) for pk in gold if pk not in set(mixed)], seed=seed)
    first = (begun.order_by("-position").values_list("position", flat=True).first() or 0) + 1
    for position, pk in enumerate([*mixed, *left], start=first):
        places[pk].position = position
    ReviewPlace.objects.bulk_update(waiting, ["position"], batch_size=ROWS_AT_ONCE)
    return new


def open_next_place(*, campaign: Campaign, reviewer: Person, at: datetime) -> Dialogue | None:
    """Reserves what the reviewer scores next: what they began, else the next of their queue. None: nothing is left.

    Errors: `NotNow`; `NotReviewable` for a reviewer who pauses.
    """
    check_open(campaign, Doing.REVIEW, at)
    if campaign.roles.filter(person=reviewer, role=Role.REVIEWER).exclude(paused_at=None).exists():
        raise NotReviewable(_("You are paused in this campaign: your list says why."))
    for _try in range(TRIES):
        place = next_place(campaign, reviewer)
        if place is None:
            draw_review_places(campaign=campaign, at=at)
            place = next_place(campaign, reviewer)
        if place is None:
            return None
        if dialogue := _open(place, reviewer, at):
            return dialogue
    return None


@transaction.atomic
def _open(place: ReviewPlace, reviewer: Person, at: datetime) -> Dialogue | None:
    """None where the place was given to somebody else meanwhile."""
    dialogue = locked(place.dialogue)
    if not ReviewPlace.objects.filter(pk=place.pk).to_do().exists():
        return None
    begin_place(dialogue, reviewer, at)
    return dialogue


def next_place(campaign: Campaign, reviewer: Person) -> ReviewPlace | None:
    own = ReviewPlace.objects.of_campaign(campaign).filter(
        reviewer=reviewer, dialogue__in=Dialogue.objects.reviewable()
    )
    in_order = own.to_do().order_by(F("opened_at").asc(nulls_last=True), "position", "pk")
    return in_order.select_related("dialogue").first()
