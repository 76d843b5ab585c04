"""Reads automatic figures and human scores of systems from two tables (CSV), joined on the columns they share. Pure.

The automatic one is wide: key columns, then one column per metric. The human one is long: key columns, `criterion`, `score`;
several scores of one thing count as their mean. A correlation is one flat row, for commands, files and the API alike.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_noop

from reading.checking import BadFile, Problems
from reading.findings import Finding
from reading.storable import is_storable

if TYPE_CHECKING:
    from measures.correlation import OverSystems


CRITERION, SCORE = "criterion", "score"
# Each metric is correlated with each criterion again whenever somebody hands in a score.
MOST_METRICS, LONGEST_NAME = 60, 200
MOST_COLUMNS = 200
# Possessive: a pattern that gives digits back takes time with the square of their number.
_NUMBER = re.compile(r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?", re.ASCII)
Group = tuple[str, ...]
Place = tuple[Group, str]


@dataclass(frozen=True, slots=True)
class FigureTables:
    """Figures by group and system; a group is the values of `group_columns`, the shared columns beside the system's."""

    group_columns: tuple[str, ...]
    automatic: Mapping[Place, Mapping[str, float]]
    human: Mapping[Place, Mapping[str, float]]

    @property
    def unmatched(self) -> list[Place]:
        """Groups and systems that only one of the two tables has."""
        return sorted(self.automatic.keys() ^ self.human.keys())


@dataclass(frozen=True, slots=True)
class _Rows:
    heads: Sequence[str]
    numbered: Sequence[tuple[int, Mapping[str, str]]]


class BadTable(BadFile):
    """One of the two tables cannot be used; `which` says which."""

    def __init__(self, which: str, bad: BadFile) -> None:
        super().__init__(bad.problems)
        self.which = which


def read_figure_tables(automatic: bytes, human: bytes, *, system: str) -> FigureTables:
    """Both tables; `system` is the key column over whose values figures are correlated. Errors: `BadTable`."""
    wide, long = _table("automatic", automatic), _table("human", human)
    keys = [head for head in wide.heads if head in long.heads and head not in (CRITERION, SCORE)]
    try:
        _need(long.heads, (system, CRITERION, SCORE))
        scores = _human(long, keys, system)
    except BadFile as bad:
        raise BadTable("human", bad) from bad
    try:
        _need(wide.heads, (system,))
        _need_metrics(wide.heads, keys)
        figures = _automatic(wide, keys, system)
    except BadFile as bad:
        raise BadTable("automatic", bad) from bad
    return FigureTables(tuple(key for key in keys if key != system), figures, scores)


def read_metrics(content: bytes, *, systems: Sequence[str], group: str) -> dict[tuple[str, str], dict[str, float]]:
    """The metrics of an automatic table by group and system, without a human table beside it.

    The first of `systems` that is a column names the system; where there is no column `group`, the group is empty.
    Errors: `BadFile`.
    """
    rows = _rows(content)
    system = next((name for name in systems if name in rows.heads), systems[0])
    _need(rows.heads, (system,))
    keys = [system, group] if group in rows.heads else [system]
    _need_metrics(rows.heads, keys)
    _refuse_names(rows, keys)
    placed = _automatic(rows, keys, system)
    return {((named[0] if named else ""), name): figures for (named, name), figures in placed.items()}


def _refuse_names(rows: _Rows, keys: Sequence[str]) -> None:
    """What is stored and shown as a name must be one."""
    problems = Problems()
    metrics = [head for head in rows.heads if head not in keys]
    if len(metrics) > MOST_METRICS:
        text = gettext_noop("has %(n)s metrics, more than %(most)s")
        problems.note("line 1", text, n=len(metrics), most=MOST_METRICS)
    cells = [(f"line {number}", row[key]) for number, row in rows.numbered for key in keys]
    for place, name in (*(("line 1", head or "\0") for head in metrics), *cells):
        if len(name) > LONGEST_NAME or not is_storable(name):
            problems.note(place, gettext_noop("holds a name that is empty, too long or cannot be stored"))
    problems.refuse()


def _table(which: str, content: bytes) -> _Rows:
    try:
        return _rows(content)
    except BadFile as bad:
        raise BadTable(which, bad) from bad


def _rows(content: bytes) -> _Rows:
    """The rows with their numbers; blank lines are passed over. Errors: `BadFile`."""
    problems = Problems()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        raise BadFile([Finding(f"byte {bad.start}", gettext_noop("is not UTF-8"))]) from bad
    lines = [(number, cells) for number, cells in _cells(text, problems) if cells]
    heads = lines[0][1] if lines else []
    if len(heads) > MOST_COLUMNS:
        text_of_many = gettext_noop("has %(n)s columns; %(limit)s are the most")
        raise BadFile([Finding("line 1", text_of_many, {"n": len(heads), "limit": MOST_COLUMNS})])
    for head in sorted({head for head in heads if heads.count(head) > 1}):
        problems.note("line 1", gettext_noop("has column “%(name)s” twice"), name=head)
    for number, cells in lines[1:]:
        if len(cells) != len(heads):
            wrong = gettext_noop("has %(n)s cells, not %(wanted)s")
            problems.note(f"line {number}", wrong, n=len(cells), wanted=len(heads))
    problems.refuse()
    return _Rows(heads, [(number, dict(zip(heads, cells, strict=True))) for number, cells in lines[1:]])


def _cells(text: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Number and trimmed cells of each line, as far as it can be read."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error:
        problems.note(f"line {reader.line_num}", gettext_noop("is not CSV: a quote or a line break is out of place"))


def _need(heads: Sequence[str], columns: Sequence[str]) -> None:
    problems = Problems()
    for column in columns:
        if column not in heads:
            problems.note("line 1", gettext_noop("has no column “%(name)s”"), name=column)
    problems.refuse()


def _need_metrics(heads: Sequence[str], keys: Sequence[str]) -> None:
    if set(heads) <= set(keys):
        raise BadFile([Finding("line 1", gettext_noop("has no column beside the keys that both files share"))])


def _automatic(rows: _Rows, keys: Sequence[str], system: str) -> dict[Place, dict[str, float]]:
    problems = Problems()
    found: dict[Place, dict[str, float]] = {}
    for number, place, row in _placed(rows, keys, system, problems):
        if place in found:
            problems.note(f"line {number}", gettext_noop("has the same keys as an earlier line"))
        metrics = [head for head in rows.heads if head not in keys]
        cells = ((metric, _number(row[metric], f"line {number}, {metric}", problems)) for metric in metrics)
        found[place] = {metric: figure for metric, figure in cells if figure is not None}
    problems.refuse()
    return found


def _human(rows: _Rows, keys: Sequence[str], system: str) -> dict[Place, dict[str, float]]:
    problems = Problems()
    scores: dict[Place, dict[str, list[float]]] = {}
    for number, place, row in _placed(rows, keys, system, problems):
        if not row[CRITERION]:
            problems.note(f"line {number}, {CRITERION}", gettext_noop("is missing"))
        score = _number(row[SCORE], f"line {number}, {SCORE}", problems)
        if score is not None:
            scores.setdefault(place, {}).setdefault(row[CRITERION], []).append(score)
    problems.refuse()
    return {
        place: {criterion: sum(given) / len(given) for criterion, given in criteria.items()}
        for place, criteria in scores.items()
    }


def _placed(
    rows: _Rows, keys: Sequence[str], system: str, problems: Problems
) -> Iterator[tuple[int, Place, Mapping[str, str]]]:
    """Line, group with system, and cells of each row; a row without a system is noted."""
    groups = [key for key in keys if key != system]
    for number, row in rows.numbered:
        if not row[system]:
            problems.note(f"line {number}, {system}", gettext_noop("is missing"))
        yield number, (tuple(row[key] for key in groups), row[system]), row


def _number(cell: str, place: str, problems: Problems) -> float | None:
    """The number, or None for an empty cell; anything else is noted."""
    if not cell:
        return None
    if _NUMBER.fullmatch(cell) and isfinite(number := float(cell)):
        return number
    problems.note(place, gettext_noop("must be a number, not “%(value)s”"), value=cell[:80])
    return None


COEFFICIENTS = ("pearson", "spearman", "kendall")
# What a row calls its own columns.
OWN_COLUMNS = (
    "metric",
    "criterion",
    "n",
    *(name + more for more in ("", "_interval", "_p") for name in COEFFICIENTS),
)


def row_of(found: "OverSystems[Any]", group_columns: Sequence[str]) -> dict[str, Any]:
    """The group's columns, metric, criterion, n; each coefficient, its interval `[low, high]`, its p; None if undefined."""
    row: dict[str, Any] = dict(zip(group_columns, found.group, strict=True))
    row |= {"metric": found.metric, "criterion": found.criterion, "n": found.correlations.n}
    said = {name: getattr(found.correlations, name) for name in COEFFICIENTS}
    row |= {name: one and one.value for name, one in said.items()}
    row |= {f"{name}_interval": one and one.interval and list(one.interval) for name, one in said.items()}
    return row | {f"{name}_p": one and one.p for name, one in said.items()}
