"""A campaign's programs, and what they found beside what people found: a page of organizers, and the same for programs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.paging import Page, page_of, pages_of
from api.parsers import body_in
from campaigns.access import OrganizersView, for_roles
from campaigns.campaign_file.reader import USERNAME
from campaigns.models import Campaign, Entry, Role, Scenario
from language_models.models import ModelEndpoint
from language_models.pages import endpoint_in
from measures.live import COMPLETION, MEAN_TURNS
from measures.ranking import RankingKey, rank
from reading.checking import Problems
from reading.tables import Field, Table
from simulation.actions import add_program, stop_program
from simulation.boards import ProgramRow, meaning_of, people_and_programs, programs_of
from simulation.comparing import Agreement, Figures, SideBySide
from simulation.dry_run import FirstRequest, first_requests, tested_in
from simulation.model_player import USUAL_SEED, USUAL_TEMPERATURE, manner_and_words
from simulation.personas import usual_manners

# Cells on the page; the answer for programs has all.
CELLS_SHOWN = 200
# On a page, of up to 5,000; `manage.py simulate --dry-run` prints all.
DRY_RUN_SCENARIOS = 20
NEW = Table({"name": Field(USERNAME)})
RULE = (RankingKey(COMPLETION.name, COMPLETION.better), RankingKey(MEAN_TURNS.name, MEAN_TURNS.better))


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system with its rank among those that people met, and among those that programs met, by C and then T."""

    entry: Entry
    beside: SideBySide
    rank_of_people: int | None
    rank_of_programs: int | None


@dataclass(frozen=True, slots=True)
class CellRow:
    entry: Entry
    scenario: str
    beside: SideBySide


def system_rows(campaign: Campaign, systems: tuple[SideBySide, ...]) -> list[SystemRow]:
    entries = {one.key: one for one in campaign.entries.select_related("bot__team")}
    people = _ranks({one.system: one.people for one in systems if one.people})
    programs = _ranks({one.system: one.programs for one in systems if one.programs})
    rows = [SystemRow(entries[one.system], one, people.get(one.system), programs.get(one.system)) for one in systems]
    return sorted(rows, key=lambda row: (row.rank_of_people or len(rows) + 1, row.rank_of_programs or 0))


def _ranks(figures: dict[str, Figures]) -> dict[str, int]:
    told = {name: {COMPLETION.name: one.completion, MEAN_TURNS.name: one.mean_turns} for name, one in figures.items()}
    return {place.name: place.rank for place in rank(told, RULE)} if told else {}


@for_roles(Role.ORGANIZER)
@require_GET
def programs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    found, listed = people_and_programs(campaign), programs_of(campaign)
    rows = system_rows(campaign, found.systems)
    entries = {row.entry.key: row.entry for row in rows}
    both = [one for one in found.cells if one.people and one.programs]
    shown = {
        "campaign": campaign,
        "rows": rows,
        "has_programs": any(row.beside.programs for row in rows),
        "agreements": [(one, meaning_of(one)) for one in found.agreements],
        "cells": [CellRow(entries[one.system], one.scenario, one) for one in both[:CELLS_SHOWN]],
        "n_cells": len(both),
        "programs": listed,
        "models": list(campaign.model_endpoints.in_use()),
        "n_rehearsed": sum(one.n_rehearsed for row in listed for one in row.spent),
    }
    return render(request, "simulation/programs.html", shown)


@for_roles(Role.ORGANIZER)
@form_on("programs")
@tells_refusal
def make_program(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    problems, typed = Problems(), request.POST.get("name", "").strip()
    name = problems.read(typed, _("Name of a program"), USERNAME)
    if name is None:
        messages.error(request, str(problems.listed()[0]))
        return redirect("programs", campaign.slug)
    program = add_program(campaign=campaign, username=name, by=person_of(request), at=timezone.now())
    messages.success(request, _("%(name)s tests in this campaign now.") % {"name": program.username})
    return redirect("programs", campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("programs")
@tells_refusal
def end_program(request: HttpRequest, campaign: Campaign, person_id: int) -> HttpResponse:
    program = program_in(campaign, person_id)
    stop_program(campaign=campaign, program=program, by=person_of(request), at=timezone.now())
    messages.success(request, _("%(name)s is stopped: it opens no more dialogues.") % {"name": program.username})
    return redirect("programs", campaign.slug)


@for_roles(Role.ORGANIZER)
@require_GET
def dry_run(request: HttpRequest, campaign: Campaign, endpoint_id: int) -> HttpResponse:
    endpoint = endpoint_in(campaign, endpoint_id)
    shown = {
        "campaign": campaign,
        "endpoint": endpoint,
        "requests": usual_first_requests(campaign, endpoint, tested_in(campaign)[:DRY_RUN_SCENARIOS]),
        "n_left_out": max(tested_in(campaign).count() - DRY_RUN_SCENARIOS, 0),
    }
    return render(request, "simulation/dry_run.html", shown)


def usual_first_requests(
    campaign: Campaign, endpoint: ModelEndpoint, scenarios: Iterable[Scenario]
) -> list[FirstRequest]:
    """Those of `manage.py simulate` without options."""
    manner, words = manner_and_words(
        endpoint, usual_manners(), campaign.language, 1, temperature=USUAL_TEMPERATURE, seed=USUAL_SEED
    )
    return first_requests(campaign, scenarios, endpoint, manner, words)


def program_in(campaign: Campaign, person_id: int) -> Person:
    """A program that tests in the campaign; a rehearsal's is stopped with the rehearsal. Errors: `Http404`."""
    own = campaign.roles.testers_and_programs().values("person")
    return get_object_or_404(Person, pk=person_id, kind=Person.Kind.PROGRAM, pk__in=own)


class FiguresAnswer(TypedDict):
    """Means over `n` dialogues by the ledger."""

    n: int
    completion: float
    mean_turns: float


class BesideAnswer(TypedDict):
    """As people and as programs found it; null where they had no dialogue with it."""

    system: str
    scenario: str
    people: FiguresAnswer | None
    programs: FiguresAnswer | None


class ProgramsAgreementAnswer(TypedDict):
    """Intervals are 95 % percentiles over resamples of scenarios."""

    figure: str
    n_systems: int
    n_scenarios: int
    n_cells: int
    kendall: float | None
    kendall_interval: list[float] | None
    spearman: float | None
    spearman_interval: list[float] | None
    apart: float | None
    shift: float | None
    shift_interval: list[float] | None
    verdict: str
    meaning: Annotated[str, From(meaning_of)]


class SpentByModelAnswer(TypedDict):
    """`rehearsed` of the dialogues are from before the day and in no figure."""

    endpoint: str
    model: str
    dialogues: Annotated[int, From("n_dialogues")]
    rehearsed: Annotated[int, From("n_rehearsed")]
    calls: Annotated[int, From("n_calls")]
    bad_answers: Annotated[int, From("n_bad_answers")]
    tokens_in: int
    tokens_out: int
    cost: Annotated[str, From(lambda spent: str(spent.cost))]
    currency: str


class ProgramAnswer(TypedDict):
    """`is_at_work`: it may open dialogues. `waiting` are given to it and not begun; `models` says what was spent."""

    id: Annotated[int, From("program.pk")]
    name: Annotated[str, From("program.username")]
    is_at_work: bool
    dialogues: Annotated[int, From("n_dialogues")]
    waiting: Annotated[int, From("n_waiting")]
    models: Annotated[list[SpentByModelAnswer], From("spent")]


class CostBoundAnswer(TypedDict):
    """Of one dialogue that uses every turn of its cap and asks for each move once, with replies of 120 characters."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: Annotated[str, From("cost_in_words")]
    currency: str


class FirstRequestAnswer(TypedDict):
    """The body of the request that begins a dialogue about the scenario."""

    scenario: str
    digest: str
    request: dict[str, Any]
    at_most: CostBoundAnswer


class ProgramsAnswer(TypedDict):
    """Systems by their keys; a row of `systems` has no scenario."""

    counts: Annotated[str, From("campaign.programs")]
    systems: list[BesideAnswer]
    cells: list[BesideAnswer]
    agreements: list[ProgramsAgreementAnswer]
    programs: list[ProgramAnswer]


@dataclass(frozen=True, slots=True)
class Told:
    campaign: Campaign
    systems: tuple[SideBySide, ...]
    cells: tuple[SideBySide, ...]
    agreements: tuple[Agreement, ...]
    programs: list[ProgramRow]


class PeopleAndPrograms(OrganizersView):
    @describes("Puts what programs found of the systems beside what people found", ProgramsAnswer)
    def get(self, request: Request) -> Told:
        found = people_and_programs(self.campaign)
        return Told(self.campaign, found.systems, found.cells, found.agreements, programs_of(self.campaign))

    @describes("Makes a program, or lets one go on that was stopped", ProgramAnswer, 201, reads=NEW, refuses=(409,))
    def post(self, request: Request) -> ProgramRow:
        name, by = body_in(request, NEW)["name"], person_of(request)
        program = add_program(campaign=self.campaign, username=name, by=by, at=timezone.now())
        return next(row for row in programs_of(self.campaign) if row.program.pk == program.pk)


class OneProgram(OrganizersView):
    @describes("Stops a program: it opens no more dialogues, and what it said stays", None, 204, refuses=(409,))
    def delete(self, request: Request, person_id: int) -> Response:
        program = program_in(self.campaign, person_id)
        stop_program(campaign=self.campaign, program=program, by=person_of(request), at=timezone.now())
        return Response(status=204)


class DryRun(OrganizersView):
    @describes(
        "Shows what a model would be asked first about each scenario, and its cost; asks nothing",
        list[FirstRequestAnswer],
        asks=pages_of(DRY_RUN_SCENARIOS),
    )
    def get(self, request: Request, endpoint_id: int) -> Page:
        endpoint = endpoint_in(self.campaign, endpoint_id)
        page = page_of(request, tested_in(self.campaign), most=DRY_RUN_SCENARIOS)
        return replace(page, rows=usual_first_requests(self.campaign, endpoint, page.rows))
