"""What stands on a reviewer's, an adjudicator's or an expert's desk: their queue, disputes, dialogues to be vetted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.access import roles_of
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from dialogues.progress import Bar, bar, time_left
from reviews.actions.submitting import REVIEWER_WINDOW_S
from reviews.models import Dispute, Review, ReviewPlace, RevisionRequest
from reviews.queries import disputes_for, open_disputes, to_vet, undo_s
from reviews.queue import pace_s, queue_of

WAITING_SHOWN = 8
DONE_PER_PAGE = 20
TO_VET_SHOWN = 50
ANSWERED_SHOWN = 50
# The pace is that of the last dialogues: it changes as a reviewer learns.
PACE_OF_LAST = 50
LIST_BAR_PX = 252


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reviewer is; `number` is the place of the dialogue at hand in their own order (0: none)."""

    done: int
    total: int
    number: int
    time_left: str
    bar: Bar


@dataclass(frozen=True, slots=True)
class DoneRow:
    """A dialogue that was handed in, with what can still be done about it."""

    place: Mapping[str, Any]
    number: int
    version: int
    undo_min: int
    request: RevisionRequest | None


@dataclass(frozen=True, slots=True)
class Desk:
    """One person's work in one campaign; what a role does not have is empty."""

    is_reviewer: bool
    is_adjudicator: bool
    is_expert: bool
    has_panel: bool
    training: Mapping[str, Any] | None
    progress: Mapping[str, Any]
    time_left: str
    bar: Bar
    following: Mapping[str, Any] | None
    following_number: int
    begun: Sequence[tuple[int, Mapping[str, Any]]]
    waiting: Sequence[tuple[int, Mapping[str, Any]]]
    n_new: int
    done: Page[DoneRow] | None
    disputes: Sequence[Dispute]
    decided: Sequence[Dispute]
    to_vet: Sequence[Dialogue]
    n_to_vet: int
    n_vetted: int

    @property
    def n_more(self) -> int:
        """The waiting dialogues beyond those that are shown."""
        return self.n_new - len(self.waiting)

    @property
    def pace(self) -> str:
        """The reviewer's own pace in words; empty before the first dialogue."""
        seconds = self.progress["pace_s"]
        if seconds is None:
            return ""
        return _("%(n)d s") % {"n": seconds} if seconds < 90 else _("%(n)d min") % {"n": round(seconds / 60)}

    @property
    def has_training_to_do(self) -> bool:
        return self.training is not None and self.training["done"] < self.training["total"]


def desk_of(campaign: Campaign, person: Person, at: datetime, *, page: str = "") -> Desk:
    """Everything on the person's desk; as many queries for 3,000 dialogues as for one."""
    roles = roles_of(person, campaign)
    is_reviewer, is_expert = Role.REVIEWER in roles, Role.EXPERT in roles
    queue = queue_of(campaign, person, at) if is_reviewer else EMPTY
    places = list(enumerate(queue["places"], start=1))
    open_places = [(number, place) for number, place in places if place["status"] != "done"]
    begun = [(number, place) for number, place in open_places if place["status"] != "new"]
    following_number, following = next(iter(begun or open_places), (0, None))
    progress = queue["progress"]
    vetted = to_vet(campaign, person) if is_expert else Dialogue.objects.none()
    return Desk(
        is_reviewer=is_reviewer,
        is_adjudicator=Role.ADJUDICATOR in roles,
        is_expert=is_expert,
        has_panel=campaign.panels_score,
        training=queue["training"],
        progress=progress,
        time_left=time_left(progress["minutes_left"] or 0),
        bar=bar(progress["total"], LIST_BAR_PX),
        following=following,
        following_number=following_number,
        begun=begun,
        waiting=[(number, place) for number, place in open_places if place["status"] == "new"][:WAITING_SHOWN],
        n_new=len(open_places) - len(begun),
        done=done_rows(campaign, person, places, at, page) if is_reviewer else None,
        disputes=list(open_disputes([campaign], person)) if Role.ADJUDICATOR in roles else [],
        decided=list(decided_by(campaign, person)) if Role.ADJUDICATOR in roles else [],
        to_vet=list(vetted[:TO_VET_SHOWN]),
        n_to_vet=vetted.count() if is_expert else 0,
        n_vetted=person.vettings.filter(dialogue__assignment__campaign=campaign).count() if is_expert else 0,
    )


EMPTY: dict[str, Any] = {
    "progress": {"done": 0, "total": 0, "minutes_left": None, "pace_s": None},
    "training": None,
    "places": [],
}


def done_rows(
    campaign: Campaign,
    person: Person,
    places: Iterable[tuple[int, Mapping[str, Any]]],
    at: datetime,
    page: str,
) -> Page[DoneRow]:
    """A page of what was handed in, the last of the own order first; only its reviews are read."""
    done = [(number, place) for number, place in places if place["status"] == "done"][::-1]
    shown: Page[Any] = Paginator(done, DONE_PER_PAGE).get_page(page)
    dialogues = [place["dialogue"] for _number, place in shown]
    own = Review.objects.filter(reviewer=person, dialogue__in=dialogues).prefetch_related("revision_requests")
    reviews = {str(review.dialogue_id): review for review in own}
    shown.object_list = [_done_row(number, place, reviews.get(place["dialogue"]), at) for number, place in shown]
    return shown


def _done_row(number: int, place: Mapping[str, Any], review: Review | None, at: datetime) -> DoneRow:
    if review is None:
        return DoneRow(place, number, 0, 0, None)
    requests = list(review.revision_requests.all())
    # Most stand there for days: only of the last minutes' the change is looked up.
    is_new = review.submitted_at is not None and (at - review.submitted_at).total_seconds() < REVIEWER_WINDOW_S
    undo_min = -(-undo_s(review, at) // 60) if is_new else 0
    return DoneRow(place, number, review.version, undo_min, requests[-1] if requests else None)


def progress_shown(campaign: Campaign, person: Person, dialogue_id: UUID, width: int) -> Progress:
    """Where the reviewer is with this dialogue, without reading the whole queue."""
    own = ReviewPlace.objects.of_campaign(campaign).filter(reviewer=person).held()
    position = own.filter(dialogue=dialogue_id).values_list("position", flat=True).first()
    counts = own.aggregate(
        total=Count("pk"), done=Count("pk", Q(done_at__isnull=False)), before=Count("pk", Q(position__lt=position or 0))
    )
    last = own.exclude(done_at=None).exclude(opened_at=None).order_by("-done_at")[:PACE_OF_LAST]
    times = last.values_list("done_at", "opened_at")
    pace = pace_s((done - begun).total_seconds() for done, begun in times if done and begun)
    n_left = counts["total"] - counts["done"]
    return Progress(
        done=counts["done"],
        total=counts["total"],
        number=counts["before"] + 1 if position is not None else 0,
        time_left=time_left(-(-n_left * (pace or 0) // 60)),
        bar=bar(counts["total"], width),
    )


def decided_by(campaign: Campaign, adjudicator: Person) -> QuerySet[Dispute]:
    decided = disputes_for([campaign], adjudicator).filter(settled_by__reviewer=adjudicator)
    return decided.order_by("-settled_at")[:ANSWERED_SHOWN]


def open_requests(campaign: Campaign, person: Person) -> tuple[list[RevisionRequest], list[RevisionRequest]]:
    """The requests for revisions that wait for an answer, and the last ones that have it."""
    asked = requests_in(campaign, person)
    answered = asked.exclude(is_granted=None).order_by("-answered_at")[:ANSWERED_SHOWN]
    return list(asked.filter(is_granted=None)), list(answered)


def requests_in(campaign: Campaign, person: Person) -> QuerySet[RevisionRequest]:
    """The requests for revisions, the oldest first; those of dialogues that an interest closes to the person are left out."""
    assignment = "review__dialogue__assignment"
    closed = {f"{assignment}__entry__in": barred_entries(person)}
    asked = RevisionRequest.objects.filter(**{f"{assignment}__campaign": campaign}).exclude(**closed)
    return asked.select_related("review__reviewer", "answered_by", f"{assignment}__scenario", f"{assignment}__entry")
