"""A scenario as short texts, one per cell of a table, and back. Pure.

`items` has one per line. `subtasks` has one per line or semicolon, with its turn cap: `flight: 20; hotel: 20`. `facts` and
`context` are JSON, or lines like `flight.from = 北京`.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop

from reading.checking import Problems
from reading.findings import under
from reading.strict_json import NotJson, loads

PAIRS = {"title_zh": ("title", "zh"), "title_en": ("title", "en"),
         "instructions_zh": ("instructions", "zh"), "instructions_en": ("instructions", "en")}  # fmt: skip
TEXTS = ("key", "opening", "opening_en", "skill")
FLAGS: Mapping[str, bool] = {
    "yes": True,
    "true": True,
    "1": True,
    "是": True,
    "no": False,
    "false": False,
    "0": False,
    "否": False,
}
COLUMNS = (
    "key", "title_zh", "title_en", "opening", "opening_en", "instructions_zh", "instructions_en",
    "skill", "items", "facts", "context", "practice", "subtasks",
)  # fmt: skip


def document_of(cells: Mapping[str, str], place: str, problems: Problems) -> dict[str, Any]:
    """The table `[[scenarios]]` that the cells say; empty ones say nothing. What cannot be read is noted."""
    document: dict[str, Any] = {}
    for name, cell in cells.items():
        if not cell.strip():
            continue
        if name in PAIRS:
            table, language = PAIRS[name]
            document.setdefault(table, {})[language] = cell
        elif name in TEXTS:
            document[name] = cell.strip() if name in ("key", "skill") else cell
        elif name == "items":
            document["items"] = [line.strip() for line in cell.splitlines() if line.strip()]
        elif name == "practice":
            document["practice"] = FLAGS.get(cell.strip().lower(), cell)
        elif name == "subtasks":
            document["subtasks"] = _subtasks(cell, under(place, name), problems)
        else:
            document[name] = _table(cell, under(place, name), problems)
    return document


def _subtasks(cell: str, place: str, problems: Problems) -> list[dict[str, Any]]:
    return [
        _subtask(part.strip(), place, problems)
        for part in cell.replace("；", ";").replace("\n", ";").split(";")
        if part.strip()
    ]


def _subtask(said: str, place: str, problems: Problems) -> dict[str, Any]:
    kind, colon, cap = said.replace("：", ":").rpartition(":")
    if not colon:
        return {"kind": said}
    if not cap.strip().isdecimal() or len(cap.strip()) > 9:
        text = gettext_noop('“%(said)s” is not a kind with its turn cap, as in "flight: 20"')
        problems.note(place, text, said=said[:60])
        return {"kind": said}
    return {"kind": kind.strip(), "turn_cap": int(cap)}


def _table(cell: str, place: str, problems: Problems) -> Any:
    if not cell.lstrip().startswith(("{", "[")):
        return _lines(cell, place, problems)
    try:
        return loads(cell.strip())
    except NotJson as bad:
        where = bad.finding.place
        problems.add(
            bad.finding.within(place) if where else bad.finding.__class__(place, bad.finding.text, bad.finding.values)
        )
        return {}


def _lines(cell: str, place: str, problems: Problems) -> dict[str, Any]:
    """`flight.from = 北京`: a fact of a group, or without a dot one of none. A number stays one; quotes make it a text."""
    table: dict[str, Any] = {}
    for line in cell.splitlines():
        if not line.strip():
            continue
        name, equals, value = line.partition("=")
        group, dot, fact = name.strip().partition(".")
        inner = table.setdefault(group, {}) if dot else table
        if not equals or not group or (dot and not fact) or not isinstance(inner, dict):
            problems.note(place, gettext_noop('“%(line)s” is not like "group.name = value"'), line=line.strip()[:60])
            continue
        inner[fact.strip() if dot else group] = value_of(value.strip())
    return table


def value_of(said: str) -> Any:
    """What stands in a line: a number stays one, quotes make it a text."""
    try:
        value = json.loads(said)
    except (ValueError, RecursionError):
        return said
    return value if isinstance(value, int | str) else said


# -- back ---------------------------------------------------------------------------------------------------------


def cells_of(document: Mapping[str, Any]) -> dict[str, str]:
    """The cells that say this `[[scenarios]]` table."""
    cells = {name: str(document.get(name, "")) for name in TEXTS}
    for name, (table, language) in PAIRS.items():
        cells[name] = document.get(table, {}).get(language, "")
    cells["practice"] = "yes" if document.get("practice") else ""
    cells["items"] = "\n".join(document.get("items", []))
    for name in ("facts", "context"):
        cells[name] = _said(document.get(name, {}))
    cells["subtasks"] = "\n".join(_said_subtask(one) for one in document.get("subtasks", []))
    return {name: cells[name] for name in COLUMNS}


def _said_subtask(subtask: Mapping[str, Any]) -> str:
    cap = subtask.get("turn_cap")
    return subtask["kind"] if cap is None else f"{subtask['kind']}: {cap}"


def _said(table: Mapping[str, Any]) -> str:
    """Lines where they say the same, else JSON."""
    if not table:
        return ""
    rows = []
    for group, inner in table.items():
        pairs = (
            [(f"{group}.{name}", one) for name, one in inner.items()] if isinstance(inner, dict) else [(group, inner)]
        )
        rows += [f"{name} = {said_value(value)}" for name, value in pairs]
    lines, misread = "\n".join(rows), Problems()
    # As text: 1 and True are equal.
    if json.dumps(_table(lines, "", misread)) == json.dumps(table) and not misread:
        return lines
    return json.dumps(table, ensure_ascii=False, indent=2)


def said_value(value: Any) -> str:
    """What `value_of` reads as this value."""
    if isinstance(value, str) and value_of(value.strip()) == value and isinstance(value_of(value), str):
        return value
    return json.dumps(value, ensure_ascii=False)
