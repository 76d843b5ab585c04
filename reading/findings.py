"""What was found or happened, kept as a sentence and its values: each reader gets it in their own language, whenever that is."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext, gettext_noop

# The places of what concerns a whole file, and the whole body of a request or answer.
FILE = "file"
BODY = "body"
# Findings are stored and shown by the hundred, and the name of a field can be as long as the file.
LONGEST_NAME = 200
# Values that are words of ours, or of Python's JSON reader, and are translated too.
WORDS = {"kind", "reason", "failure"}
PLACES = {
    "file": gettext_noop("file"),
    "body": gettext_noop("body"),
    "development": gettext_noop("development split"),
    "hidden": gettext_noop("hidden split"),
}
NUMBERED_PLACES = {
    "line": gettext_noop("line %(n)s"),
    "row": gettext_noop("row %(n)s"),
    "byte": gettext_noop("byte %(n)s"),
    "batch": gettext_noop("batch %(n)s"),
    "line, column": gettext_noop("line %(n)s, column %(part)s"),
    "batch, sentence": gettext_noop("batch %(n)s, sentence %(part)s"),
}
NAMED_PLACES = {
    "document": gettext_noop("document %(name)s"),
    "dialogue": gettext_noop("dialogue %(name)s"),
    "item": gettext_noop("item %(name)s"),
    "id": gettext_noop("id %(name)s"),
}
# Places in a declared file (TOML) begin with the head of a table: `[campaign] slug`, `[[bots]] 2 url`.
_LINE = re.compile(r"(?:sheet .*, )?(?:line|row) \d+", re.DOTALL)
_SHEET = re.compile(r"sheet (.*), (row \d+.*)", re.DOTALL)
_IN_A_TABLE = re.compile(r"file$|\[\[?[a-z]")
_NUMBERED = re.compile(r"(line|row|byte|batch) (\d+)(?:(, column|, sentence) (\d+))?(,.*)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, stood out or happened, and where; `place` may be empty.

    `text` is the sentence's id: English with `%(name)s` for the values, marked for translation with `gettext_noop` where it is
    written. Values are texts and numbers, which are shown as they are but for those named in `WORDS`, or other findings."""

    place: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def message(self) -> str:
        shown = {name: _shown(name, value) for name, value in self.values.items()}
        return gettext(self.text) % shown if shown else gettext(self.text)

    @property
    def where(self) -> str:
        """The place in the reader's language; paths and names in it stay as they are."""
        return place_in_words(self.place)

    @property
    def in_english(self) -> str:
        """The sentence in English, for logs and programs."""
        values = {name: one.in_english if isinstance(one, Finding) else one for name, one in self.values.items()}
        said = self.text % values if values else self.text
        return f"{self.place}: {said}" if self.place else said

    def within(self, place: str) -> "Finding":
        """The same, its place being part of another one."""
        return replace(self, place=f"{place}, {self.place}" if self.place else place)

    @property
    def detail(self) -> str:
        """What is told beside the sentence: its value of that name."""
        return str(self.values.get("detail", ""))

    @property
    def in_full(self) -> str:
        """The sentence and the detail, for programs."""
        return f"{self} [{self.detail}]" if self.detail else str(self)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.place else self.message

    def to_json(self) -> list[Any]:
        values = {name: one.to_json() if isinstance(one, Finding) else one for name, one in self.values.items()}
        return [self.place, self.text, values]

    @classmethod
    def from_json(cls, kept: list[Any]) -> "Finding":
        place, text, values = kept
        return cls(
            place, text, {name: cls.from_json(one) if isinstance(one, list) else one for name, one in values.items()}
        )

    def with_texts(self, change: Callable[[str], str]) -> "Finding":
        """The same, with every text changed that came from elsewhere: its place, and those among its values."""
        values = {
            name: one.with_texts(change) if isinstance(one, Finding) else change(one) if isinstance(one, str) else one
            for name, one in self.values.items()
        }
        return replace(self, place=change(self.place), values=values)


def sentence(text: str, **values: Any) -> Finding:
    """What happened, at no place; a value that is neither text, number nor finding is told as a text."""
    told = {name: one if isinstance(one, str | int | float | Finding) else str(one) for name, one in values.items()}
    return Finding("", text, told)


def _shown(name: str, value: Any) -> Any:
    if name == "place_before":
        return place_in_words(str(value))
    return gettext(str(value)) if name in WORDS else value


def place_in_words(place: str) -> str:
    if place in PLACES:
        return gettext(PLACES[place])
    if in_sheet := _SHEET.fullmatch(place):
        return gettext("sheet %(name)s") % {"name": in_sheet[1]} + ", " + place_in_words(in_sheet[2])
    numbered = _NUMBERED.fullmatch(place)
    if numbered:
        head, n, part_head, part, rest = numbered.groups(default="")
        text = NUMBERED_PLACES.get(head + part_head)
        return gettext(text) % {"n": n, "part": part} + _rest_in_words(rest) if text else place
    if _IN_A_TABLE.match(place):
        table, comma, rest = place.partition(",")
        return table + _rest_in_words(comma + rest)
    head, _, name = place.partition(" ")
    return gettext(NAMED_PLACES[head]) % {"name": name} if head in NAMED_PLACES and name else place


def _rest_in_words(rest: str) -> str:
    """What follows a place within it: a place again, or the name of a field, which stays as it is."""
    return f", {place_in_words(rest[2:])}" if _NUMBERED.match(rest[2:]) else rest


def under(place: str, name: str) -> str:
    """The place of the value `name` within the table at `place`. A name comes from outside, so a long one is cut off."""
    name = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    if not place or not name:
        return place or name
    if _LINE.fullmatch(place):
        return f"{place}, {name}"
    return f"{place} {name}" if _IN_A_TABLE.match(place) else f"{place}.{name}"


def item(place: str, index: int) -> str:
    """The place of an item of a list, `index` from 0; in a declared file people count from 1."""
    return f"{place}[{index + 1 if _IN_A_TABLE.match(place) else index}]"


def in_words(findings: Iterable[Finding]) -> str:
    """All of them as one text, one per line."""
    return "\n".join(map(str, findings))
