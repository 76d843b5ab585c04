"""The coverage of a campaign, as a page and for programs: one of its matrices, and what is missing in words."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from rest_framework.request import Request

from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.paging import asked_in
from campaigns.access import OrganizersView, for_roles
from campaigns.models import Campaign, Entry, Role
from organizing.coverage_matrix import Cell, Fact, Matrix, Row, matrix_of, missing_reviews_sentence, missing_sentence
from organizing.survey import Reviewed, Survey, reviewed_of, survey_of
from participants.limits import REASON_LIMIT
from reading.kinds import ANY_TEXT, Choice

BY_SCENARIO, BY_PERSON, SCENARIO_BY_PERSON, REVIEWS = "scenario", "person", "scenario-person", "reviews"
Say = Callable[[Cell], str]


@dataclass(frozen=True, slots=True)
class Head:
    """A row or column: what it is called in addresses and on the page; `is_quiet`: it takes part no longer, or pauses."""

    name: str
    label: str
    state: str = ""


@dataclass(frozen=True, slots=True)
class ShownRow:
    head: Head
    row: Row
    cells: list[tuple[Head, Cell]]
    sentence: str


@dataclass(frozen=True, slots=True)
class Missing:
    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """A bot or a person whose gaps are shown in full."""

    name: str
    entry: Entry | None
    is_tester: bool
    sentence: str
    gaps: list[Missing]


@dataclass(frozen=True, slots=True)
class CoveragePage:
    by: str
    views: list[tuple[str, str]]
    survey: Survey
    matrix: Matrix
    columns: list[Head]
    rows: list[ShownRow]
    n_holes: int
    sentence: str
    chosen: Chosen | None
    reviewed: Reviewed | None


def coverage_page(survey: Survey, reviewed: Reviewed | None, *, by: str, chosen: str) -> CoveragePage:
    """The page with the matrix that `by` asks for; that of the reviews is there where panels score."""
    views = [
        (BY_SCENARIO, _("Systems × scenarios")),
        (BY_PERSON, _("Systems × testers")),
        (SCENARIO_BY_PERSON, _("Scenarios × testers")),
    ]
    say: Say = missing_sentence
    if reviewed is not None:
        views.append((REVIEWS, _("Reviews of panels")))
        if by == REVIEWS:
            survey, say = replace(survey, facts=reviewed.facts, scenarios=reviewed.scenarios), missing_reviews_sentence
    by = by if by in dict(views) else BY_SCENARIO
    rows = scenario_heads(survey) if by == SCENARIO_BY_PERSON else bot_heads(survey)
    columns = scenario_heads(survey) if by in (BY_SCENARIO, REVIEWS) else person_heads(survey)
    matrix = matrix_of(
        survey.facts,
        [head.name for head in rows],
        [head.name for head in columns],
        row_of=_scenario if by == SCENARIO_BY_PERSON else _alias_of(survey),
        column_of=_scenario if by in (BY_SCENARIO, REVIEWS) else _tester,
    )
    shown = [
        ShownRow(head, row, list(zip(columns, row.cells, strict=True)), say(row.total))
        for head, row in zip(rows, matrix.rows, strict=True)
    ]
    return CoveragePage(
        by=by,
        views=views,
        survey=survey,
        matrix=matrix,
        columns=columns,
        rows=shown,
        n_holes=sum(cell.is_hole for row in matrix.rows for cell in row.cells),
        sentence=say(matrix.total),
        chosen=chosen_of(survey, chosen, say),
        reviewed=reviewed,
    )


def bot_heads(survey: Survey) -> list[Head]:
    """Those of the campaign, and of those that were imported or withdrawn the ones that somebody talked to."""
    known = {fact.bot for fact in survey.facts}
    takes_part = {key for key, entry in survey.entries.items() if entry.is_declared and entry.withdrawn_at is None}
    shown = [entry for key, entry in survey.entries.items() if key in takes_part | known]
    return [Head(entry.alias, entry.alias, state_of(entry)) for entry in shown]


def scenario_heads(survey: Survey) -> list[Head]:
    return [Head(key, title) for key, title in survey.scenarios.items()]


def person_heads(survey: Survey) -> list[Head]:
    testers = set(survey.testers)
    return [Head(name, name, "" if name in testers else "left") for name in survey.people]


def state_of(entry: Entry) -> str:
    if entry.withdrawn_at is not None:
        return "withdrawn"
    return "paused" if entry.paused_at is not None else ""


def chosen_of(survey: Survey, name: str, say: Say) -> Chosen | None:
    """The bot with that alias or the person with that name, with a sentence per scenario that lacks something."""
    entry = next((entry for entry in survey.entries.values() if entry.alias == name), None)
    if entry is None and name not in survey.people:
        return None
    row_of = _alias_of(survey) if entry else _tester
    matrix = matrix_of(survey.facts, [name], list(survey.scenarios), row_of=row_of, column_of=_scenario)
    (row,) = matrix.rows
    gaps = [
        Missing(survey.scenarios[scenario], say(cell))
        for scenario, cell in zip(matrix.columns, row.cells, strict=True)
        if cell.n_missing
    ]
    return Chosen(name, entry, name in survey.testers, say(row.total), gaps)


def _alias_of(survey: Survey) -> Callable[[Fact], str]:
    aliases = {key: entry.alias for key, entry in survey.entries.items()}
    return lambda fact: aliases[fact.bot]


def _tester(fact: Fact) -> str:
    return fact.tester


def _scenario(fact: Fact) -> str:
    return fact.scenario


@for_roles(Role.ORGANIZER)
@require_GET
def coverage(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    survey, reviewed = survey_of(campaign), reviewed_of(campaign, timezone.now())
    page = coverage_page(survey, reviewed, by=request.GET.get("by", ""), chosen=request.GET.get("chosen", ""))
    chosen = page.chosen.name if page.chosen and page.chosen.is_tester else ""
    shown = {
        "campaign": campaign,
        "page": page,
        "leaver": Person.objects.filter(username=chosen).first() if chosen else None,
        "reason_limit": REASON_LIMIT,
    }
    return render(request, "organizing/coverage.html", shown)


class CoverageCell(TypedDict):
    """Dialogues, or reviews of panels. `left` are those not begun, by the tester; `is_hole`: nobody will do what is missing."""

    needed: Annotated[int, From("n_needed")]
    done: Annotated[int, From("n_done")]
    open: Annotated[int, From("n_open")]
    left: dict[str, int]
    paused: Annotated[int, From("n_paused")]
    undrawn: Annotated[int, From("n_undrawn")]
    short: Annotated[int, From("n_short")]
    coming: Annotated[int, From("n_coming")]
    is_hole: bool


class CoverageHead(TypedDict):
    """`state` is empty, or says that a bot is paused or withdrawn, or that a person left."""

    name: str
    label: str
    state: str


class CoverageRow(TypedDict):
    """`cells` are in the order of the columns; `missing` says in words what is missing."""

    name: Annotated[str, From("head.name")]
    label: Annotated[str, From("head.label")]
    state: Annotated[str, From("head.state")]
    cells: Annotated[list[CoverageCell], From("row.cells")]
    total: Annotated[CoverageCell, From("row.total")]
    missing: Annotated[str, From("sentence")]


class CoverageGap(TypedDict):
    scenario: Annotated[str, From("label")]
    missing: Annotated[str, From("sentence")]


class CoverageChosen(TypedDict):
    """A bot by its alias or a person by their name, with what is missing of each scenario."""

    name: str
    is_tester: bool
    missing: Annotated[str, From("sentence")]
    gaps: list[CoverageGap]


class CoverageAnswer(TypedDict):
    """`by` is what the matrix is about: that of reviews is there where panels score."""

    by: str
    columns: list[CoverageHead]
    rows: list[CoverageRow]
    total: Annotated[CoverageCell, From("matrix.total")]
    n_holes: int
    missing: Annotated[str, From("sentence")]
    chosen: CoverageChosen | None


ASKED = {"by": Choice((BY_SCENARIO, BY_PERSON, SCENARIO_BY_PERSON, REVIEWS)), "chosen": ANY_TEXT}


class Coverage(OrganizersView):
    @describes(
        "Gives the coverage matrix that `by` names, and what `chosen` (a bot's alias or a person's name) lacks",
        CoverageAnswer,
        asks=ASKED,
    )
    def get(self, request: Request) -> CoveragePage:
        asked, survey = asked_in(request, ASKED), survey_of(self.campaign)
        reviewed = reviewed_of(self.campaign, timezone.now())
        return coverage_page(survey, reviewed, by=asked.get("by", ""), chosen=asked.get("chosen", ""))
