"""Draws places for reviewers, gives them away again, and opens the next one."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.calendar import Doing, check_open
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from reviews.actions.capacities import NotReviewable
from reviews.actions.contents import locked
from reviews.actions.drafting import begin_place
from reviews.models import Reviewing, ReviewPlace, ReviewPlaceQuerySet
from reviews.places_plan import PlacesPlan, Wanted, places_plan
from reviews.places_seen import PlaceRow, PlacesSeen
from reviews.queue_positions import Positions, positions_of
from reviews.training import paused_reviewers, reviewers_of

# The writer of SQLite is held for as many dialogues of a drawing at a time, however large the campaign is.
DIALOGUES_AT_ONCE = 200
ROWS_AT_ONCE = 500
TRIES = 5


def draw_review_places(*, campaign: Campaign, at: datetime) -> int:
    """Draws the places that are missing, takes back what is not begun by who may not score, hands on what ran out.

    Gives the number of places drawn. Nothing that is done changes, so it can be done again at any time.

    The plan is made without a lock, and carried out in pieces of a bounded number of dialogues, each a transaction of its
    own: a piece does nothing about a dialogue of which something else is seen by then, and leaves it for the next time.
    All of a dialogue is in one piece, so between two pieces every panel is as the plan before or as this one has it.
    """
    reviewing, _made = Reviewing.objects.get_or_create(campaign=campaign)
    plan = places_plan(campaign, reviewing.reviewers, at)
    if plan.ready == reviewing.reviewers and not plan.dialogues():
        return 0
    bots = dict(Dialogue.objects.of_campaign(campaign).values_list("pk", "assignment__entry__alias"))
    positions = positions_of(plan, bots, seed=campaign.drawing_seed, gold_every=campaign.gold_every)
    n_drawn = 0
    try:
        # First: as long as something is to be drawn the next plan makes these moves again. Once all is drawn it is empty.
        moved = sorted(positions.moved)
        for start in range(0, len(moved), ROWS_AT_ONCE):
            _move(campaign, reviewing.reviewers, moved[start : start + ROWS_AT_ONCE], positions)
        for piece in plan.pieces(DIALOGUES_AT_ONCE):
            n_drawn += _carry_out(campaign, reviewing.reviewers, piece, positions, at)
        # Last: whoever is interrupted finds that others are ready than were drawn for, and begins again.
        if plan.ready != reviewing.reviewers:
            _note_reviewers(campaign, reviewing.reviewers, plan.ready)
    except _Outdated:
        pass
    return n_drawn


class _Outdated(Exception):
    """Another drawing has come to its end since the plan was made, or a reviewer went away: it is made anew the next time."""


@transaction.atomic
def _carry_out(campaign: Campaign, drawn_for: list[int], piece: PlacesPlan, positions: Positions, at: datetime) -> int:
    """Gives the number of places drawn. Errors: `_Outdated`."""
    # First this row, then dialogues, then places: of two drawings at once the second sees what the first drew.
    _reviewing(campaign, drawn_for)
    if not _are_there(campaign, piece):
        raise _Outdated
    held = _held(piece.dialogues())
    # Read while they are held: what a reviewer did since the plan was made is seen, and nothing can change any more.
    piece = piece.within(piece.seen.unchanged(PlacesSeen(campaign, held), held))
    for because, places in piece.released.items():
        _of(places).to_do().update(released_at=at, released_because=because)
    _of(piece.taken).not_begun().delete()
    _draw(piece.drawn, positions, at)
    return len(piece.drawn)


def _reviewing(campaign: Campaign, drawn_for: list[int]) -> Reviewing:
    """The campaign's row, held until the commit. Errors: `_Outdated`."""
    reviewing = Reviewing.objects.select_for_update().get(campaign=campaign)
    if reviewing.reviewers != drawn_for:
        raise _Outdated
    return reviewing


def _are_there(campaign: Campaign, piece: PlacesPlan) -> bool:
    drawn = {wanted.reviewer_id for wanted in piece.drawn}
    return drawn <= set(reviewers_of(campaign)) and paused_reviewers(campaign).isdisjoint(piece.ready)


def _held(dialogues: Collection[Any]) -> set[Any]:
    """Holds the dialogues until the commit, but those that somebody scores at this moment: they are left for the next time."""
    free = Dialogue.objects.filter(pk__in=dialogues).select_for_update(of=("self",), skip_locked=True).order_by("pk")
    return set(free.values_list("pk", flat=True))


def _of(places: Iterable[PlaceRow]) -> ReviewPlaceQuerySet:
    return ReviewPlace.objects.filter(pk__in=[place.pk for place in places])


def _draw(drawn: list[Wanted], positions: Positions, at: datetime) -> None:
    """Stores the places; one that the reviewer had before and lost is used again."""
    rows = [
        ReviewPlace(
            dialogue_id=one.dialogue_id,
            reviewer_id=one.reviewer_id,
            is_gold=one.is_gold,
            drawn_at=at,
            position=positions.new[one.reviewer_id, one.dialogue_id],
        )
        for one in drawn
    ]
    ReviewPlace.objects.bulk_create(
        rows,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["dialogue", "reviewer"],
        update_fields=["position", "is_gold", "drawn_at", "opened_at", "expires_at", "released_at", "released_because"],
    )


@transaction.atomic
def _move(campaign: Campaign, drawn_for: list[int], some: list[int], positions: Positions) -> None:
    """Gives places that are not begun other positions in their queues. Errors: `_Outdated`."""
    _reviewing(campaign, drawn_for)
    places = list(ReviewPlace.objects.filter(pk__in=some).not_begun().only("pk"))
    for place in places:
        place.position = positions.moved[place.pk]
    ReviewPlace.objects.bulk_update(places, ["position"])


@transaction.atomic
def _note_reviewers(campaign: Campaign, drawn_for: list[int], ready: list[int]) -> None:
    reviewing = _reviewing(campaign, drawn_for)
    reviewing.reviewers = ready
    reviewing.save(update_fields=["reviewers"])


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
    own = own.exclude(dialogue__assignment__entry__in=barred_entries(reviewer))
    in_order = own.to_do().order_by(F("opened_at").asc(nulls_last=True), "position", "pk")
    return in_order.select_related("dialogue").first()
