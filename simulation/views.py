"""People and programs side by side: a page of organizers, and the same for programs."""

from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from rest_framework.request import Request

from api.answers import From
from api.describing import describes
from campaigns.access import OrganizersView, for_roles
from campaigns.models import Campaign, Entry, Role
from measures.live import COMPLETION, MEAN_TURNS
from measures.ranking import RankingKey, rank
from simulation.boards import meaning_of, people_and_programs, spent_by_models
from simulation.comparing import Agreement, Figures, SideBySide

# Cells on the page; the answer for programs has all.
CELLS_SHOWN = 200
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
    found, spent = people_and_programs(campaign), spent_by_models(campaign)
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
        "spent": spent,
        "n_rehearsed": sum(one.n_rehearsed for one in spent),
    }
    return render(request, "simulation/programs.html", shown)


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
    endpoint: str
    model: str
    dialogues: Annotated[int, From("n_dialogues")]
    rehearsed: Annotated[int, From("n_rehearsed")]
    calls: Annotated[int, From("n_calls")]
    bad_answers: Annotated[int, From("n_bad_answers")]
    tokens_in: int
    tokens_out: int
    cost: Annotated[str, From(lambda spent: str(spent.cost))]


class ProgramsAnswer(TypedDict):
    """Systems by their keys; a row of `systems` has no scenario. `models` says what was spent."""

    counts: Annotated[str, From("campaign.programs")]
    systems: list[BesideAnswer]
    cells: list[BesideAnswer]
    agreements: list[ProgramsAgreementAnswer]
    models: list[SpentByModelAnswer]


@dataclass(frozen=True, slots=True)
class Told:
    campaign: Campaign
    systems: tuple[SideBySide, ...]
    cells: tuple[SideBySide, ...]
    agreements: tuple[Agreement, ...]
    models: list[Any]


class PeopleAndPrograms(OrganizersView):
    @describes("Puts what programs found of the systems beside what people found", ProgramsAnswer)
    def get(self, request: Request) -> Told:
        found = people_and_programs(self.campaign)
        return Told(self.campaign, found.systems, found.cells, found.agreements, spent_by_models(self.campaign))
