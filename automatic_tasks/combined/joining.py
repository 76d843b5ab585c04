"""One board of figures from several: rows joined by team, ranked by keys in order or by a sum or mean of them. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext_lazy as _

from leaderboards.board import Board, Figures, Key, Reason, Row, Text, Words, ranked
from verification.bundle_format import ABSENT, NO_FIGURE, TOTAL


@dataclass(frozen=True, slots=True)
class Source:
    """What one board says of the teams: figures by team with where they lead, and for a team without a rank there why it has none.

    `rows` are those that speak for the teams; they say of how many records their figures are means, and what failed.
    """

    words: Words
    figures: Mapping[str, Figures]
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    links: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rows: Mapping[str, Row] = field(default_factory=dict)

    @property
    def teams(self) -> set[str]:
        return {*self.figures, *self.reasons}


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of a source under a key of its own; `weight` is its factor in the total."""

    key: Key
    source: Source
    figure: str
    weight: float = 1.0

    def of(self, team: str) -> float | None:
        return self.source.figures.get(team, {}).get(self.figure)

    def link(self, team: str) -> str:
        return self.source.links.get(team, {}).get(self.figure, "")


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of the columns' weighted figures, or their weighted mean; `of` are the columns' keys."""

    key: Key
    of: Sequence[str]
    is_mean: bool


@dataclass(frozen=True, slots=True)
class Absent:
    """Why a team has no figure where no board gives a reason."""

    value: str
    label: Text


NOT_THERE = Absent(ABSENT, _("does not take part"))
WITHOUT_FIGURE = Absent(NO_FIGURE, _("has no such figure"))


@dataclass(frozen=True, slots=True)
class Lacking:
    """A team without a rank lacks parts that the ranking needs: where, and why it has nothing there."""

    parts: Sequence[tuple[Words, Reason]]

    @property
    def value(self) -> str:
        return "; ".join(f"{words.en}: {reason.value}" for words, reason in self.parts)

    @property
    def label(self) -> str:
        return "; ".join(f"{words}: {reason.label}" for words, reason in self.parts)


def combined(columns: Sequence[Column], total: Total | None, rule: Sequence[str]) -> Board:
    """The board of all teams that a column knows; who lacks a figure that ranks is listed without a rank.

    A missing figure is no zero: a total with a missing part is missing.
    """
    keys = [column.key for column in columns] + ([total.key] if total else [])
    by_name = {key.name: key for key in keys}
    teams = sorted(set().union(*(column.source.teams for column in columns)))
    return ranked(
        keys=keys,
        rule=[by_name[name] for name in rule],
        rows=[_row(team, columns, total, needed_columns(rule, total)) for team in teams],
    )


def needed_columns(rule: Sequence[str], total: Total | None) -> set[str]:
    """The columns without which there is no rank."""
    return {part for name in rule for part in (total.of if total and name == TOTAL else (name,))}


def _row(team: str, columns: Sequence[Column], total: Total | None, needed: set[str]) -> Row:
    figures = {column.key.name: column.of(team) for column in columns}
    lacks = [column for column in columns if column.key.name in needed and figures[column.key.name] is None]
    if total:
        figures[TOTAL] = total_of([column for column in columns if column.key.name in total.of], team, total.is_mean)
    links = {column.key.name: column.link(team) for column in columns}
    row = Row(team, team, figures, team=team, links=links, reason=_lacking(team, lacks) if lacks else None)
    return _counted(row, columns)


def _counted(row: Row, columns: Sequence[Column]) -> Row:
    """The row with the numbers of records and failures that the board of people tells; runs have neither."""
    told = (column.source.rows.get(row.team) for column in columns)
    people = next((one for one in told if one is not None and one.n is not None), None)
    if people is None:
        return row
    n_scored = {
        column.key.name: n
        for column in columns
        if column.source.rows.get(row.team) is people and (n := people.n_behind(column.figure)) is not None
    }
    return replace(row, n=people.n, n_scored=n_scored, n_failed=people.n_failed, n_turns=people.n_turns)


def total_of(columns: Iterable[Column], team: str, is_mean: bool) -> float | None:
    """Σ weight · figure, over Σ weight for a mean; None where one of the figures is missing."""
    products, weights = [], []
    for column in columns:
        figure = column.of(team)
        if figure is None:
            return None
        products.append(column.weight * figure)
        weights.append(column.weight)
    return math.fsum(products) / math.fsum(weights) if is_mean else math.fsum(products)


def _lacking(team: str, columns: Iterable[Column]) -> Lacking:
    """Each board that the team lacks once, with its reason."""
    parts = {id(column.source): (column.source.words, _why(team, column.source)) for column in columns}
    return Lacking(list(parts.values()))


def _why(team: str, source: Source) -> Reason:
    if team in source.reasons:
        return source.reasons[team]
    return WITHOUT_FIGURE if team in source.figures else NOT_THERE
