"""Scenarios of an uploaded table: CSV, XLSX, JSON, JSON Lines, or MobileCS dialogues; every problem with its place."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from campaigns.campaign_file.reader import ScenarioSpec
from organizing.scenarios.cells import COLUMNS, document_of
from reading.checking import BadFile, Problems, json_lines, read_json, tables
from reading.csv_sheets import read_csv
from reading.findings import FILE, Finding, under
from reading.kinds import LIST
from reading.tables import refuse_twice, table_of
from reading.xlsx_sheets import Sheet, read_sheet
from scoring.live_scenarios import scenarios_of

TABLE = table_of(ScenarioSpec)
FORMATS = ("csv", "xlsx", "json", "jsonl")
MOBILECS = "mobilecs"
ROWS = 5000
Placed = tuple[str, ScenarioSpec]


def read_scenarios(
    name: str, content: bytes, *, kind: str = "", stored: Mapping[str, dict[str, Any]] | None = None
) -> list[Placed]:
    """The scenarios with their places. The name says the format; `kind` says it is MobileCS dialogues.

    `stored` are the tables of scenarios that exist, by key: of those a row changes what it says, and nothing by silence.

    Errors: `BadFile` naming all that is wrong.
    """
    problems = Problems()
    found = list(_documents(name.lower(), content, kind, problems))
    placed, seen = [], dict[str, str]()
    for place, document in found:
        n_before = len(problems)
        before = (stored or {}).get(str(document.get("key")), {})
        spec = TABLE.read(_said_over(before, document), place, "", problems)
        if spec is None or len(problems) > n_before:
            continue
        refuse_twice(spec.key, under(place, "key"), place, seen, problems)
        placed.append((place, spec))
    if not found and not problems:
        problems.note(FILE, gettext_noop("holds no scenario"))
    problems.refuse()
    return placed


def _said_over(before: Mapping[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    both = {
        name: before[name] | document[name]
        for name in ("title", "instructions")
        if isinstance(document.get(name), dict) and name in before
    }
    return {**before, **document, **both}


def _documents(name: str, content: bytes, kind: str, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    if kind == MOBILECS:
        return ((f"[{number}]", one) for number, one in enumerate(scenarios_of(content)))
    if name.endswith(".csv"):
        return _rows(read_csv(content), problems)
    if name.endswith(".xlsx"):
        return _rows(read_sheet(content), problems)
    if name.endswith(".jsonl"):
        return json_lines(content, problems)
    if name.endswith(".json"):
        return tables(problems.read(read_json(content), FILE, LIST) or [], "", problems)
    raise BadFile([Finding(FILE, gettext_noop("is not a .csv, .xlsx, .json or .jsonl by its name"))])


def _rows(sheet: Sheet, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    """The documents of a table whose first row names the columns; facts may have columns of their own (`facts.flight.from`)."""
    heads = [str(head).strip() for head in sheet.rows[0]] if sheet.rows else []
    _check_heads(heads, sheet, problems)
    if len(sheet.rows) > ROWS + 1:
        text = gettext_noop("has %(n)s rows; %(limit)s are the most")
        problems.note(FILE, text, n=len(sheet.rows), limit=ROWS)
        return
    for number, row in enumerate(sheet.rows[1:], start=2):
        place = sheet.place(number)
        said = {head: _text(cell) for head, cell in zip(heads, row, strict=False) if head in COLUMNS}
        own = {head: cell for head, cell in zip(heads, row, strict=False) if head.startswith("facts.")}
        if not any(cell.strip() for cell in said.values()):
            continue
        if len(row) > len(heads) and any(_text(cell).strip() for cell in row[len(heads) :]):
            problems.note(place, gettext_noop("has a cell beyond the last column"))
        document = document_of(said, place, problems)
        _add_facts(document, own)
        yield place, document


def _check_heads(heads: Sequence[str], sheet: Sheet, problems: Problems) -> None:
    seen: dict[str, str] = {}
    place = sheet.place(1)
    for head in filter(None, heads):
        if head not in COLUMNS and not head.startswith("facts."):
            text = gettext_noop("is not known here; there are %(known)s")
            problems.note(under(place, head), text, known=", ".join(COLUMNS))
        refuse_twice(head, under(place, head), place, seen, problems)
    if "key" not in heads:
        problems.note(under(place, "key"), gettext_noop("is missing"))


def _add_facts(document: dict[str, Any], own: dict[str, Any]) -> None:
    facts = document.get("facts", {})
    for head, cell in own.items():
        if cell in ("", None) or not isinstance(facts, dict):
            continue
        group, dot, name = head.removeprefix("facts.").partition(".")
        inner = facts.setdefault(group, {}) if dot else facts
        if isinstance(inner, dict):
            inner[name if dot else group] = cell
    if facts:
        document["facts"] = facts


def _text(cell: Any) -> str:
    """A number that stands where a text is wanted is its digits."""
    if isinstance(cell, bool) or cell is None:
        return "" if cell is None else json.dumps(cell)
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
