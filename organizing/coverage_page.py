"""What the page of the coverage shows of a survey: one of its matrices, and what is missing in words."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from campaigns.models import Entry
from organizing.coverage import Cell, Fact, Matrix, Row, matrix_of
from organizing.queries import Reviewed, Survey
from organizing.sentences import missing_reviews_sentence, missing_sentence

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
    """Those of the campaign, and those of imported dialogues that are reviewed."""
    known = {fact.bot for fact in survey.facts}
    shown = [entry for entry in survey.entries.values() if entry.is_declared or entry.key in known]
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
