"""Reads submitted files strictly: every problem is noted with its place, so that all of them are named at once.

Places are paths from the top of the file, list items counted from 0 (`[3].quality.A`), or `line 7` of JSON Lines.
"""

import codecs
import json
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_noop

from scoring.findings import Finding
from scoring.storable import is_storable
from scoring.strict_json import loads

PROBLEM_LIMIT = 1000
TEXT_LIMIT = 5000
ID_LIMIT = 10**18


class BadFile(Exception):
    """The file cannot be used; `problems` names every reason found."""

    def __init__(self, problems: list[Finding]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class Problems:
    """What was found wrong so far. Beyond a thousand, problems are only counted."""

    def __init__(self) -> None:
        self._noted: list[Finding] = []
        self._n_more = 0

    def note(self, place: str, text: str, **values: Any) -> None:
        self.add(Finding(place, text, values))

    def add(self, finding: Finding) -> None:
        if len(self._noted) < PROBLEM_LIMIT:
            self._noted.append(finding)
        else:
            self._n_more += 1

    def __bool__(self) -> bool:
        return bool(self._noted)

    def __len__(self) -> int:
        return len(self._noted) + self._n_more

    def listed(self) -> list[Finding]:
        more = (
            [Finding("…", gettext_noop("%(n)s more problems of the same file"), {"n": self._n_more})]
            if self._n_more
            else []
        )
        return self._noted + more

    def refuse(self) -> None:
        """Errors: `BadFile` if anything was noted."""
        if self._noted:
            raise BadFile(self.listed())

    # -- one value each: the value if it is what it must be, else None and a note ------------------------------------

    def table(self, value: Any, place: str) -> dict[str, Any] | None:
        if isinstance(value, dict):
            return value
        self.note(place, gettext_noop("must be an object, not %(kind)s"), kind=kind_of(value))
        return None

    def rows(self, value: Any, place: str) -> list[Any] | None:
        if isinstance(value, list):
            return value
        self.note(place, gettext_noop("must be a list, not %(kind)s"), kind=kind_of(value))
        return None

    def field(self, table: dict[str, Any], name: str, place: str) -> Any:
        """The value under `name`; None and a note where it is missing."""
        if name not in table:
            self.note(under(place, name), gettext_noop("is missing"))
            return None
        if table[name] is None:
            self.note(under(place, name), gettext_noop("must not be null"))
        return table[name]

    def table_under(self, table: dict[str, Any], name: str, place: str) -> dict[str, Any] | None:
        value = self.field(table, name, place)
        return None if value is None else self.table(value, under(place, name))

    def rows_under(self, table: dict[str, Any], name: str, place: str) -> list[Any] | None:
        value = self.field(table, name, place)
        return None if value is None else self.rows(value, under(place, name))

    def text(self, table: dict[str, Any], name: str, place: str, *, may_be_empty: bool = False) -> str | None:
        value = self.field(table, name, place)
        if value is None:
            return None
        if not isinstance(value, str):
            self.note(under(place, name), gettext_noop("must be a text, not %(kind)s"), kind=kind_of(value))
        elif not value.strip() and not may_be_empty:
            self.note(under(place, name), gettext_noop("must not be empty"))
        elif len(value) > TEXT_LIMIT:
            self.note(
                under(place, name),
                gettext_noop("has %(n)s characters; %(limit)s are the most"),
                n=len(value),
                limit=TEXT_LIMIT,
            )
        elif not is_storable(value):
            self.note(under(place, name), gettext_noop("holds a character that is no text (NUL or a lone surrogate)"))
        else:
            return value
        return None

    def whole(self, table: dict[str, Any], name: str, place: str, below: int | None = None) -> int | None:
        """A whole number from 0, and below a limit where there is one."""
        value = self.field(table, name, place)
        if value is None:
            return None
        if is_whole(value) and value >= 0 and (below is None or value < below):
            return int(value)
        if below is None:
            self.note(
                under(place, name), gettext_noop("must be a whole number from 0, not %(value)s"), value=shown(value)
            )
        else:
            text = gettext_noop("must be a whole number from 0 to %(highest)s, not %(value)s")
            self.note(under(place, name), text, highest=below - 1, value=shown(value))
        return None

    def identity(self, table: dict[str, Any], place: str, seen: dict[str, str]) -> str | None:
        """The item's `id` as a text; noted where it stood before (`seen` maps ids to places)."""
        value = self.field(table, "id", place)
        if value is None:
            return None
        is_number = is_whole(value) and abs(value) < ID_LIMIT
        if not is_number and not (isinstance(value, str) and 0 < len(value) <= 200 and is_storable(value)):
            self.note(
                under(place, "id"),
                gettext_noop("must be a whole number or a short text, not %(value)s"),
                value=shown(value),
            )
            return None
        name = str(value)
        if name in seen:
            self.note(
                under(place, "id"),
                gettext_noop("“%(name)s” already appears at %(place_before)s"),
                name=name,
                place_before=seen[name],
            )
            return None
        seen[name] = place
        return name


def read_json(content: bytes) -> Any:
    """The file as JSON. Errors: `BadFile` with line and column."""
    try:
        return loads(content.removeprefix(codecs.BOM_UTF8))
    except json.JSONDecodeError as bad:
        raise BadFile(
            [
                Finding(
                    f"line {bad.lineno}, column {bad.colno}",
                    gettext_noop("is not JSON: %(reason)s"),
                    {"reason": reason_of(bad)},
                )
            ]
        ) from bad
    except UnicodeDecodeError as bad:
        raise BadFile([Finding(f"byte {bad.start}", gettext_noop("is not UTF-8"))]) from bad
    except (ValueError, RecursionError) as bad:
        reason = {"reason": reason_of(bad)}
        raise BadFile([Finding("file", gettext_noop("is not usable JSON: %(reason)s"), reason)]) from bad


JSON_REASONS = {
    gettext_noop("Expecting value"),
    gettext_noop("Expecting property name enclosed in double quotes"),
    gettext_noop("Expecting ':' delimiter"),
    gettext_noop("Expecting ',' delimiter"),
    gettext_noop("Extra data"),
    gettext_noop("Illegal trailing comma before end of array"),
    gettext_noop("Illegal trailing comma before end of object"),
    gettext_noop("Invalid \\escape"),
    gettext_noop("Invalid \\uXXXX escape"),
    gettext_noop("Invalid control character at"),
    gettext_noop("Unterminated string starting at"),
    gettext_noop("a key appears twice in one object"),
    gettext_noop("a number is too large"),
    gettext_noop("nested more than 40 levels deep"),
    gettext_noop("NaN is not JSON"),
    gettext_noop("Infinity is not JSON"),
    gettext_noop("-Infinity is not JSON"),
}


def reason_of(bad: Exception) -> str:
    """Why a text is not JSON, as one of `JSON_REASONS` where the reader of Python or ours says one of them."""
    said = bad.msg if isinstance(bad, json.JSONDecodeError) else str(bad)
    if said.startswith("Exceeds the limit"):
        return gettext_noop("a number has too many digits")
    return said


def json_lines(content: bytes, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and object of each line that is one; the others are noted. Empty lines are passed over."""
    for number, raw in enumerate(content.removeprefix(codecs.BOM_UTF8).splitlines(), start=1):
        if not raw.strip():
            continue
        place = f"line {number}"
        try:
            row = problems.table(loads(raw), place)
        except UnicodeDecodeError:
            problems.note(place, gettext_noop("is not UTF-8"))
            continue
        except ValueError as bad:
            problems.note(place, gettext_noop("is not JSON: %(reason)s"), reason=reason_of(bad))
            continue
        if row is not None:
            yield place, row


def tables(rows: list[Any], place: str, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and object of each item of a list that is one; the others are noted."""
    for index, value in enumerate(rows):
        row = problems.table(value, f"{place}[{index}]")
        if row is not None:
            yield f"{place}[{index}]", row


def under(place: str, name: str) -> str:
    if place.startswith("line "):
        return f"{place}, {name}"
    return f"{place}.{name}" if place else name


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def kind_of(value: Any) -> str:
    names = {
        dict: gettext_noop("an object"),
        list: gettext_noop("a list"),
        str: gettext_noop("a text"),
        bool: gettext_noop("true or false"),
        type(None): "null",
    }
    return names.get(type(value), gettext_noop("a number"))


def shown(value: Any) -> str:
    """A wrong value as it may stand in a message: short, and safe to print."""
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    text = json.dumps(value, ensure_ascii=not isinstance(value, str) or not is_storable(value))
    return text if len(text) <= 60 else f"{text[:57]}…"
