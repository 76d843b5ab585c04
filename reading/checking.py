"""Reads files from outside strictly: every problem is noted with its place, so that all of them are named at once.

Places are paths from the top of the file, list items counted from 0 (`[3].quality.A`), `line 7` of JSON Lines, or the head of a
table in a declared file (`[[bots]] 2 url`).
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_noop

from reading import strict_toml
from reading.findings import FILE, Finding, in_words, item, under
from reading.kinds import IDENTITY, OBJECT, Kind
from reading.strict_json import NotJson, loads, reason_of
from reading.tables import refuse_twice

PROBLEM_LIMIT = 1000


class BadContent(Exception):
    """A file cannot be used; `problems` names every reason found. Its kinds say whose file it is."""

    def __init__(self, problems: list[Finding]) -> None:
        super().__init__(in_words(problems))
        self.problems = problems


class BadFile(BadContent):
    """The file that was handed in."""


class BadForm(BadContent):
    """What somebody typed into a form, or a program sent in its place; places are the names of fields."""


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

    def refuse(self, kind: type[BadContent] = BadFile) -> None:
        """Errors: `BadFile`, or another kind of bad content, if anything was noted."""
        if self._noted:
            raise kind(self.listed())

    # -- one value each: the value if it is of its kind, else None and a note ----------------------------------------

    def read(self, value: Any, place: str, kind: Kind) -> Any:
        return kind.read(value, place, "", self)

    def field(self, table: dict[str, Any], name: str, place: str, kind: Kind) -> Any:
        """The value under `name`."""
        if name in table:
            return kind.read(table[name], place, name, self)
        self.note(under(place, name), gettext_noop("is missing"))
        return None

    def identity(self, table: dict[str, Any], place: str, seen: dict[str, str]) -> str | None:
        """The item's `id` as a text; noted where it stood before (`seen` maps ids to places)."""
        name: str | None = self.field(table, "id", place, IDENTITY)
        is_new = name is not None and not refuse_twice(name, under(place, "id"), place, seen, self)
        return name if is_new else None


def read_json(content: bytes) -> Any:
    """The file as JSON. Errors: `BadFile` with line and column."""
    try:
        return loads(content.removeprefix(codecs.BOM_UTF8))
    except NotJson as bad:
        raise BadFile([replace(bad.finding, place=bad.finding.place or FILE)]) from bad


def json_lines(content: bytes | Iterable[bytes], problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and object of each line that is one; the others are noted. Empty lines are passed over."""
    for number, raw in enumerate(content.splitlines() if isinstance(content, bytes) else content, start=1):
        line = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            row = problems.read(loads(line), place, OBJECT)
        except NotJson as bad:
            _, comma, column = bad.finding.place.partition(",")
            problems.add(replace(bad.finding, place=place + comma + column))
            continue
        if row is not None:
            yield place, row


def tables(rows: list[Any], place: str, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and object of each item of a list that is one; the others are noted."""
    for index, value in enumerate(rows):
        row = problems.read(value, item(place, index), OBJECT)
        if row is not None:
            yield item(place, index), row


def read_declared(name: str, content: bytes) -> Any:
    """The values of a TOML file, or of a JSON file by its name. Errors: `BadFile`."""
    if name.endswith(".json"):
        return read_json(content)
    try:
        return strict_toml.loads(content.decode())
    except UnicodeDecodeError as bad:
        raise BadFile([Finding(f"byte {bad.start}", gettext_noop("is not UTF-8"))]) from bad
    except ValueError as bad:
        raise BadFile([_not_toml(reason_of(bad))]) from bad


# What Python's reader says where it names no name or character of the file, and ours.
TOML_REASONS = {
    gettext_noop("Cannot overwrite a value"),
    gettext_noop("Expected '=' after a key in a key/value pair"),
    gettext_noop("Expected newline or end of document after a statement"),
    gettext_noop("Invalid initial character for a key part"),
    gettext_noop("Invalid statement"),
    gettext_noop("Invalid value"),
    gettext_noop("Unclosed array"),
    gettext_noop("Unclosed inline table"),
    strict_toml.TOO_COSTLY,
}
NOT_TOML = gettext_noop("is not TOML: %(reason)s")
_TOML_PLACE = re.compile(r" \(at (?:(line \d+, column \d+)|end of document)\)$")


def _not_toml(said: str) -> Finding:
    found = _TOML_PLACE.search(said)
    return Finding((found and found[1]) or FILE, NOT_TOML, {"reason": _TOML_PLACE.sub("", said)})
