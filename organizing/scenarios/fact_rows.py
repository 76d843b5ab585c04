"""The facts of a scenario as rows of a form, one a fact, and tables to look up as lines of cells; and back. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy, gettext_noop

from organizing.scenarios.cells import said_value, value_of
from reading.checking import Problems
from reading.findings import item
from reading.strict_json import NotJson, loads
from testing_console.goal_card import is_table

TEXT, NUMBER, JSON = "text", "number", "json"
VALUE_KINDS = {TEXT: gettext_lazy("Text"), NUMBER: gettext_lazy("A number"), JSON: "JSON"}
# Facts of a group as fields of a form, of which Django refuses over 1,000; with more the group is one row of JSON.
MOST_ROWS = 150


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact of the group `part`, which is the kind of a part or another name; of none where that is empty."""

    part: str = ""
    name: str = ""
    kind: str = TEXT
    value: str = ""

    @property
    def is_blank(self) -> bool:
        return not (self.part.strip() or self.name.strip() or self.value.strip())


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table to look up: `lines` has the names of the columns first, cells apart by tabs or bars."""

    name: str = ""
    lines: str = ""

    @property
    def is_blank(self) -> bool:
        return not (self.name.strip() or self.lines.strip())


def rows_of_facts(facts: Mapping[str, Any]) -> tuple[tuple[FactRow, ...], tuple[TableRow, ...]]:
    tables = {name: lines_of(rows) for name, rows in facts.items() if is_table(rows)}
    others = {name: value for name, value in facts.items() if not tables.get(name)}
    rows = tuple(_rows(others))
    if len(rows) > MOST_ROWS:
        rows = tuple(FactRow("", name, *_said(value)) for name, value in others.items())
    return rows, tuple(TableRow(name, lines) for name, lines in tables.items() if lines)


def _rows(facts: Mapping[str, Any]) -> Iterator[FactRow]:
    for name, value in facts.items():
        if isinstance(value, dict) and value and all(inner and inner == inner.strip() for inner in value):
            yield from (FactRow(name, inner, *_said(one)) for inner, one in value.items())
        else:
            yield FactRow("", name, *_said(value))


def _said(value: Any) -> tuple[str, str]:
    """The kind of a value and how a field of one line shows it: a text of several lines is JSON."""
    if isinstance(value, str) and value.isprintable():
        return TEXT, value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return NUMBER if is_number else JSON, json.dumps(value, ensure_ascii=False)


def lines_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """The table as lines; empty where lines cannot say it."""
    heads = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[said_value(row[name]) if name in row else "" for name in heads] for row in rows]
    lines, misread = "\n".join(" | ".join(line) for line in [heads, *cells]), Problems()
    is_the_same = json.dumps(table_of(lines, "", misread), sort_keys=True) == json.dumps(rows, sort_keys=True)
    return lines if is_the_same and not misread else ""


def facts_of_rows(facts: Iterable[FactRow], tables: Iterable[TableRow], problems: Problems) -> dict[str, Any]:
    """Problems have places like `facts[0]` and `tables[0]`."""
    found: dict[str, Any] = {}
    for number, row in enumerate(facts):
        if not row.is_blank:
            _add(found, row, item("facts", number), problems)
    for number, table in enumerate(tables):
        if not table.is_blank:
            place = item("tables", number)
            _put(found, table.name.strip(), table_of(table.lines, place, problems), place, problems)
    return found


def _add(found: dict[str, Any], row: FactRow, place: str, problems: Problems) -> None:
    part, value = row.part.strip(), _value(row, place, problems)
    group = found.setdefault(part, {}) if part else found
    if isinstance(group, dict):
        _put(group, row.name.strip(), value, place, problems)
    else:
        problems.note(place, gettext_noop("“%(name)s” is a fact of its own, not a part"), name=part)


def _put(group: dict[str, Any], name: str, value: Any, place: str, problems: Problems) -> None:
    if not name:
        problems.note(place, gettext_noop("needs a name"))
    elif name in group:
        problems.note(place, gettext_noop("“%(name)s” appears twice"), name=name)
    else:
        group[name] = value


def _value(row: FactRow, place: str, problems: Problems) -> Any:
    if row.kind == TEXT:
        return row.value
    try:
        value = loads(row.value.strip())
    except NotJson:
        value = None
        if row.kind == JSON:
            problems.note(place, gettext_noop("“%(value)s” is not JSON"), value=row.value[:60])
            return value
    if row.kind == NUMBER and (isinstance(value, bool) or not isinstance(value, int | float)):
        problems.note(place, gettext_noop("“%(value)s” is not a number"), value=row.value[:60])
    return value


def table_of(lines: str, place: str, problems: Problems) -> list[dict[str, Any]]:
    """The rows of a table: the first line names the columns, an empty cell says nothing."""
    head, *rows = [line for line in lines.splitlines() if line.strip()] or [""]
    between = "\t" if "\t" in head else "|"
    heads = [name.strip() for name in head.split(between)]
    if "" in heads or len(set(heads)) != len(heads) or not rows:
        problems.note(place, gettext_noop("needs a line that names its columns, each once, and a line for each row"))
        return []
    for row in rows:
        if row.count(between) >= len(heads):
            problems.note(place, gettext_noop("“%(line)s” has more cells than there are columns"), line=row[:60])
    cells = [[cell.strip() for cell in row.split(between)] for row in rows]
    return [{name: value_of(cell) for name, cell in zip(heads, row, strict=False) if cell} for row in cells]
