"""Draws places for reviewers, hands on those of reviewers who leave, and opens the next one."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions import PreviewIsOld
from campaigns.actions.leaving import CannotTakeOver
from campaigns.calendar import Doing, check_open
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from campaigns.reasons import reason_of
from campaigns.trail_acts import WORK_HANDED_ON
from dialogues.models import Dialogue
from reviews.actions.checking import NotReviewable
from reviews.actions.contents import begin_place, locked
from reviews.models import Reviewing, ReviewPlace, ReviewPlaceQuerySet
from reviews.panel_drawing import Positions, positions_of
from reviews.places_plan import PlaceRow, PlacesPlan, PlacesSeen, Wanted, places_plan, ready_reviewers
from reviews.training import adjudicated_in, paused_reviewers, reviewers_of

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
        # Last: an interrupted drawing still sees other reviewers ready than were drawn for, and starts again.
        if plan.ready != reviewing.reviewers:
            _note_reviewers(campaign, reviewing.reviewers, plan.ready)
    except _Outdated:
        pass
    return n_drawn


class _Outdated(Exception):
    """Another drawing finished since the plan was made, or a reviewer left: the next drawing plans again."""


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
    """Holds the dialogues until the commit, except those being scored right now: the next drawing takes them."""
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
    check_may_open(campaign, reviewer, at)
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


def check_may_open(campaign: Campaign, reviewer: Person, at: datetime) -> None:
    """Errors: `NotNow`; `NotReviewable` for a reviewer who pauses."""
    check_open(campaign, Doing.REVIEW, at)
    if campaign.roles.filter(person=reviewer, role=Role.REVIEWER).exclude(paused_at=None).exists():
        raise NotReviewable(gettext_noop("You are paused in this campaign: your list says why."))


@transaction.atomic
def _open(place: ReviewPlace, reviewer: Person, at: datetime) -> Dialogue | None:
    """None if the place has gone to another reviewer meanwhile."""
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


@dataclass(frozen=True, slots=True)
class Share:
    """What one reviewer has to do that is not begun, now and afterwards."""

    name: str
    n_now: int
    n_then: int


@dataclass(frozen=True, slots=True)
class ReviewerLeave:
    """`moved` are the places that the named person takes over; `shares` is everybody's work, the leaver's too."""

    moved: list[int] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)

    def digest(self) -> str:
        said = repr((sorted(self.moved), [(one.name, one.n_now, one.n_then) for one in self.shares]))
        return hashlib.sha256(said.encode()).hexdigest()


def preview_reviewer_leave(
    *, campaign: Campaign, person: Person, at: datetime, to: Person | None = None
) -> ReviewerLeave:
    """What `leave_as_reviewer` would change now. Errors: `CannotTakeOver`."""
    left = ready_reviewers(campaign, set(reviewers_of(campaign)) - {person.pk})
    moved: list[int] = []
    reviewing = Reviewing.objects.filter(campaign=campaign).first()
    drawn_for = list(reviewing.reviewers) if reviewing else []
    if to is not None:
        if to.pk not in left:
            raise CannotTakeOver
        # With a successor the others keep their places, so the plan must not start over.
        moved, drawn_for = _taken_over(campaign, person, to), left
    given = dict.fromkeys(moved, to.pk) if to is not None else {}
    plan = places_plan(campaign, drawn_for, at, without=person.pk, given=given)
    return ReviewerLeave(moved, _shares(campaign, plan, person, given))


def _of_panels(campaign: Campaign) -> ReviewPlaceQuerySet:
    return ReviewPlace.objects.of_campaign(campaign).filter(is_gold=False).not_begun()


def _taken_over(campaign: Campaign, person: Person, to: Person) -> list[int]:
    """The places that the named person may have: never a dialogue that they talked in, scored, gave back or decided, nor one
    of a bot in which they have an interest.
    """
    known = set(ReviewPlace.objects.of_campaign(campaign).filter(reviewer=to).values_list("dialogue", flat=True))
    known |= set(Dialogue.objects.of_campaign(campaign).of_tester(to).values_list("pk", flat=True))
    of_own = Dialogue.objects.of_campaign(campaign).filter(assignment__entry__in=barred_entries(to))
    known |= set(of_own.values_list("pk", flat=True))
    known |= {dialogue for dialogue, adjudicator in adjudicated_in(campaign) if adjudicator == to.pk}
    own = _of_panels(campaign).filter(reviewer=person).order_by("position", "pk").values_list("pk", "dialogue")
    return [pk for pk, dialogue in own if dialogue not in known]


def _shares(campaign: Campaign, plan: PlacesPlan, person: Person, given: Mapping[int, int]) -> list[Share]:
    now = Counter(_of_panels(campaign).values_list("reviewer", flat=True))
    then = Counter(now)
    for reviewer in given.values():
        then[reviewer] += 1
        then[person.pk] -= 1
    for place in plan.taken:
        then[place.reviewer_id] -= not place.is_gold
    for wanted in plan.drawn:
        then[wanted.reviewer_id] += not wanted.is_gold
    names = dict(Person.objects.filter(pk__in=now.keys() | then.keys()).values_list("pk", "username"))
    shares = [Share(name, now[pk], max(0, then[pk])) for pk, name in names.items()]
    return sorted((share for share in shares if share.n_now or share.n_then), key=lambda share: share.name)


def leave_as_reviewer(
    *,
    campaign: Campaign,
    person: Person,
    because: str,
    by: Person | None,
    at: datetime,
    to: Person | None = None,
    previewed: str = "",
) -> ReviewerLeave:
    """Takes the role of reviewer back; what was handed in stays, what was begun is given to others.

    Errors: `NotNow`; `ReasonNeeded`; `CannotTakeOver`; `PreviewIsOld` where something else would move than was agreed to.
    """
    check_open(campaign, Doing.ORGANIZE, at)
    because = reason_of(because)
    Reviewing.objects.get_or_create(campaign=campaign)
    leave = _leave(campaign, person, because, by, at, to, previewed)
    # After the commit, as the chore would a few seconds later: a drawing holds its dialogues in an order of its own.
    draw_review_places(campaign=campaign, at=at)
    return leave


@transaction.atomic
def _leave(
    campaign: Campaign, person: Person, because: str, by: Person | None, at: datetime, to: Person | None, previewed: str
) -> ReviewerLeave:
    # First this row, then dialogues, then places, as drawings do: none comes in between.
    reviewing = Reviewing.objects.select_for_update().get(campaign=campaign)
    own = _of_panels(campaign).filter(reviewer=person).values("dialogue")
    list(Dialogue.objects.filter(pk__in=own).select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    leave = preview_reviewer_leave(campaign=campaign, person=person, at=at, to=to)
    if previewed and leave.digest() != previewed:
        raise PreviewIsOld
    if to is not None:
        ReviewPlace.objects.filter(pk__in=leave.moved).not_begun().update(reviewer=to)
        reviewing.reviewers = ready_reviewers(campaign, set(reviewers_of(campaign)) - {person.pk})
        reviewing.save(update_fields=["reviewers"])
    campaign.roles.filter(person=person, role=Role.REVIEWER).delete()
    details = {"role": Role.REVIEWER.value, "to": to.username if to else "", "moved": len(leave.moved)}
    record(
        WORK_HANDED_ON, by=by, at=at, campaign=campaign.slug, about=person.username, because=because, details=details
    )
    return leave
