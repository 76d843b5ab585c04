"""A campaign's rehearsals with a scripted tester: pages of organizers, and the same for programs."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView, for_roles
from campaigns.models import Campaign, Entry, Role
from reading.digits import whole_or_none
from reading.json_schemas import Id, Moment
from reading.kinds import ANY_TEXT, ListOf, Whole
from reading.tables import Field, Table
from simulation.actions.rehearsing import (
    MOST_AT_ONCE,
    MOST_OF_EACH,
    CannotRehearse,
    remove_rehearsal,
    start_rehearsal,
    stop_rehearsal,
    systems_to_rehearse,
)
from simulation.models import Rehearsal
from simulation.rehearsal_findings import SystemFound, found_in

LISTED = 50
USUAL_EACH, USUAL_AT_ONCE = 2, 4
ASKED = Table(
    {
        "systems": Field(ListOf(ANY_TEXT), ()),
        "dialogues": Field(Whole(1, MOST_OF_EACH), USUAL_EACH),
        "at_once": Field(Whole(1, MOST_AT_ONCE), USUAL_AT_ONCE),
    }
)


def chosen_among(campaign: Campaign, aliases: Collection[str]) -> list[Entry]:
    """The systems of those aliases that can be talked to now; all of them without an alias. Errors: `CannotRehearse`."""
    offered = {entry.alias: entry for entry in systems_to_rehearse(campaign, timezone.now())}
    asked = set(aliases)
    if away := sorted(asked - set(offered)):
        raise CannotRehearse("no_such_system", gettext_noop("Not available now: %(names)s."), names=", ".join(away))
    return [entry for alias, entry in offered.items() if not asked or alias in asked]


def rehearsal_in(campaign: Campaign, rehearsal_id: UUID) -> Rehearsal:
    """Errors: `Http404`."""
    named = Rehearsal.objects.select_related("campaign", "program", "asked_by")
    found: Rehearsal = get_object_or_404(named, campaign=campaign, pk=rehearsal_id)
    return found


@for_roles(Role.ORGANIZER)
@require_GET
def rehearsals(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    listed = campaign.rehearsals.select_related("asked_by").latest_first()[:LISTED]
    shown = {
        "campaign": campaign,
        "rehearsals": listed,
        "systems": systems_to_rehearse(campaign, timezone.now()),
        "n_scenarios": campaign.scenarios.tested().count(),
        "is_under_way": any(not one.is_over for one in listed),
        "usual_each": USUAL_EACH,
        "usual_at_once": USUAL_AT_ONCE,
        "most_of_each": MOST_OF_EACH,
        "most_at_once": MOST_AT_ONCE,
    }
    return render(request, "simulation/rehearsals.html", shown)


@for_roles(Role.ORGANIZER)
@form_on("rehearsals")
@tells_refusal
def ask_rehearsal(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    aliases = request.POST.getlist("systems")
    if not aliases:
        raise CannotRehearse("no_such_system", gettext_noop("Choose a system."))
    numbers = [whole_or_none(request.POST.get(name, "")) for name in ("dialogues", "at_once")]
    n_each, at_once = numbers[0] or USUAL_EACH, numbers[1] or USUAL_AT_ONCE
    rehearsal = start_rehearsal(
        campaign=campaign,
        entries=chosen_among(campaign, aliases),
        n_each=min(n_each, MOST_OF_EACH),
        at_once=min(at_once, MOST_AT_ONCE),
        by=person_of(request),
        at=timezone.now(),
    )
    return redirect("rehearsal", campaign.slug, rehearsal.pk)


@for_roles(Role.ORGANIZER)
@require_GET
def one_rehearsal(request: HttpRequest, campaign: Campaign, rehearsal_id: UUID) -> HttpResponse:
    told = told_of(rehearsal_in(campaign, rehearsal_id), person_of(request))
    return render(
        request, "simulation/rehearsal.html", {"campaign": campaign, "told": told, "rehearsal": told.rehearsal}
    )


@for_roles(Role.ORGANIZER)
@form_on("rehearsals")
@tells_refusal
def end_rehearsal(request: HttpRequest, campaign: Campaign, rehearsal_id: UUID) -> HttpResponse:
    rehearsal = rehearsal_in(campaign, rehearsal_id)
    stop_rehearsal(rehearsal=rehearsal, by=person_of(request), at=timezone.now())
    return redirect("rehearsal", campaign.slug, rehearsal.pk)


@for_roles(Role.ORGANIZER)
@form_on("rehearsals")
@tells_refusal
def drop_rehearsal(request: HttpRequest, campaign: Campaign, rehearsal_id: UUID) -> HttpResponse:
    remove_rehearsal(rehearsal=rehearsal_in(campaign, rehearsal_id), by=person_of(request), at=timezone.now())
    messages.success(request, _("The rehearsal is removed, with all that was said in it."))
    return redirect("rehearsals", campaign.slug)


@dataclass(frozen=True, slots=True)
class Told:
    rehearsal: Rehearsal
    systems: list[SystemFound]

    @property
    def n_planned(self) -> int:
        return sum(one.n_planned for one in self.systems)

    @property
    def n_over(self) -> int:
        return sum(one.n_over for one in self.systems)

    @property
    def n_failing(self) -> int:
        """How many systems failed at something."""
        return sum(one.look in ("care", "fail") for one in self.systems)


def told_of(rehearsal: Rehearsal, reader: Person) -> Told:
    return Told(rehearsal, found_in(rehearsal, reader))


class RehearsalAnswer(TypedDict):
    """`stopping`: it was stopped, and its last dialogues are being given up."""

    id: Annotated[Id, From("pk")]
    state: str
    stopping: Annotated[bool, From("is_stopping")]
    dialogues_each: Annotated[int, From("n_each")]
    at_once: int
    asked_at: Moment
    ended_at: Moment | None


class RehearsalFailureAnswer(TypedDict):
    """A request that failed; or a dialogue that could not be begun or go on, without `dialogue`, `turn` and `kind`."""

    scenario: str
    dialogue: Id | None
    turn: int | None
    kind: str
    fault: str
    sentence: str


class SystemFoundAnswer(TypedDict):
    """`over` of the `dialogues` are closed; `failed` are requests by whose fault they failed; `failures` the first of them."""

    system: Annotated[str, From("entry.alias")]
    dialogues: Annotated[int, From("n_planned")]
    over: Annotated[int, From("n_over")]
    turns: Annotated[int, From("n_turns")]
    answered: Annotated[int, From("n_answered")]
    p50_ms: int | None
    p95_ms: int | None
    failed: Annotated[dict[str, int], From(lambda found: dict(found.failed))]
    parts: Annotated[int, From("n_parts")]
    parts_not_finished: Annotated[int, From("n_unfinished")]
    not_carried_out: Annotated[int, From("n_broken")]
    failures: list[RehearsalFailureAnswer]


class WholeRehearsalAnswer(TypedDict):
    rehearsal: RehearsalAnswer
    systems: list[SystemFoundAnswer]


class Rehearsals(OrganizersView):
    @describes("Lists the rehearsals of a campaign, the latest first", list[RehearsalAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, self.campaign.rehearsals.latest_first())

    @describes(
        "Has a scripted tester talk to systems before the day; it counts nowhere",
        RehearsalAnswer,
        201,
        reads=ASKED,
        refuses=(409,),
    )
    def post(self, request: Request) -> Rehearsal:
        said: dict[str, Any] = body_in(request, ASKED)
        return start_rehearsal(
            campaign=self.campaign,
            entries=chosen_among(self.campaign, said["systems"]),
            n_each=said["dialogues"],
            at_once=said["at_once"],
            by=person_of(request),
            at=timezone.now(),
        )


class OneRehearsal(OrganizersView):
    @describes("Gives a rehearsal with what it found of each system so far", WholeRehearsalAnswer)
    def get(self, request: Request, rehearsal_id: UUID) -> Told:
        return told_of(rehearsal_in(self.campaign, rehearsal_id), person_of(request))

    @describes("Removes a rehearsal that is over, with all its dialogues", None, 204, refuses=(409,))
    def delete(self, request: Request, rehearsal_id: UUID) -> Response:
        remove_rehearsal(rehearsal=rehearsal_in(self.campaign, rehearsal_id), by=person_of(request), at=timezone.now())
        return Response(status=204)


class StopRehearsal(OrganizersView):
    @describes("Stops a rehearsal: open dialogues are given up, none is begun", RehearsalAnswer)
    def post(self, request: Request, rehearsal_id: UUID) -> Rehearsal:
        rehearsal = rehearsal_in(self.campaign, rehearsal_id)
        return stop_rehearsal(rehearsal=rehearsal, by=person_of(request), at=timezone.now())
