"""What a value from outside may be, in a file, a frame or an answer: its kind. Pure.

A kind says in one place what a value may be. `value_of` gives the value or raises `Wrong`; `read` notes what is wrong at
its place instead and gives None, and reading goes on, so that all problems of a file are named at once.
"""

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.translation import gettext_noop

from reading.findings import Finding, item, under
from reading.storable import UNSTORABLE, is_storable, unstorable_in

TEXT_LIMIT = 5000
URL_LIMIT = 2000
ID_LIMIT = 10**18
SHOWN_BELOW = 10**57
# By the names that files, frames and commands give them: what Django calls them.
LANGUAGES = {"zh": "zh-hans", "en": "en"}


class Wrong(ValueError):
    """Why a value is not of its kind: a sentence marked for translation, with `%(name)s` for its values."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__(text % values if values else text)
        self.text, self.values = text, values

    def at(self, place: str) -> Finding:
        return Finding(place, self.text, self.values)


class TooLong(Wrong):
    pass


class Notes(Protocol):
    def note(self, place: str, text: str, **values: Any) -> None: ...


class Kind:
    """One kind of value; `nothing` stands in for a wrong one while reading goes on."""

    nothing: Any = None

    def value_of(self, value: Any) -> Any:
        """The value as we use it. Errors: `Wrong`."""
        raise NotImplementedError

    def read(self, value: Any, place: str, name: str, notes: Notes) -> Any:
        """The value called `name` of the table at `place`, or None after a note."""
        try:
            return self.value_of(value)
        except Wrong as wrong:
            notes.note(under(place, name), wrong.text, **wrong.values)
            return None


# -- single values ------------------------------------------------------------------------------------------------


class Anything(Kind):
    def value_of(self, value: Any) -> Any:
        if value is None:
            raise Wrong(gettext_noop("must not be null"))
        return value


class Object(Kind):
    def value_of(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Wrong(gettext_noop("must be an object, not %(kind)s"), kind=kind_of(value))
        return value


class List(Kind):
    def value_of(self, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise Wrong(gettext_noop("must be a list, not %(kind)s"), kind=kind_of(value))
        return value


class Flag(Kind):
    def value_of(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise Wrong(gettext_noop("must be true or false, not %(value)s"), value=shown(value))
        return value


@dataclass(frozen=True)
class Text(Kind):
    """A text that can be stored."""

    limit: int = TEXT_LIMIT
    may_be_empty: bool = False

    def value_of(self, value: Any) -> str:
        if not isinstance(value, str):
            raise Wrong(gettext_noop("must be a text, not %(kind)s"), kind=kind_of(value))
        if not self.may_be_empty and not value.strip():
            raise Wrong(gettext_noop("must not be empty"))
        if len(value) > self.limit:
            text = gettext_noop("has %(n)s characters; %(limit)s are the most")
            raise TooLong(text, n=len(value), limit=self.limit)
        if not is_storable(value):
            raise Wrong(UNSTORABLE)
        return value


@dataclass(frozen=True)
class Whole(Kind):
    lowest: int = 0
    highest: int | None = None

    def value_of(self, value: Any) -> int:
        if is_whole(value) and value >= self.lowest and (self.highest is None or value <= self.highest):
            return int(value)
        if self.highest is None:
            text = gettext_noop("must be a whole number from %(lowest)s, not %(value)s")
            raise Wrong(text, lowest=self.lowest, value=shown(value))
        text = gettext_noop("must be a whole number from %(lowest)s to %(highest)s, not %(value)s")
        raise Wrong(text, lowest=self.lowest, highest=self.highest, value=shown(value))


@dataclass(frozen=True)
class WholeOr(Whole):
    """A whole number, or a word where there is none."""

    word: str = ""

    def value_of(self, value: Any) -> Any:
        if value == self.word:
            return value
        try:
            return super().value_of(value)
        except Wrong as wrong:
            text = gettext_noop('must be a whole number from %(lowest)s to %(highest)s or "%(word)s", not %(value)s')
            raise Wrong(text, **wrong.values, word=self.word) from None


@dataclass(frozen=True)
class Number(Kind):
    lowest: float
    highest: float

    def value_of(self, value: Any) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool) and self.lowest <= value <= self.highest:
            return float(value)
        text = gettext_noop("must be a number from %(lowest)s to %(highest)s, not %(value)s")
        raise Wrong(text, lowest=f"{self.lowest:g}", highest=f"{self.highest:g}", value=shown(value))


@dataclass(frozen=True)
class Choice(Kind):
    choices: Collection[str]

    def value_of(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.choices:
            text = gettext_noop("must be one of %(choices)s, not %(value)s")
            raise Wrong(text, choices=", ".join(self.choices), value=shown(value))
        return value


@dataclass(frozen=True)
class Checked(Kind):
    """A value of another kind that passes one more test; `text` says what it must be."""

    kind: Kind
    is_right: Callable[[Any], object]
    text: str

    def value_of(self, value: Any) -> Any:
        read = self.kind.value_of(value)
        if not self.is_right(read):
            raise Wrong(self.text)
        return read


class Identity(Kind):
    """An id, as a text."""

    def value_of(self, value: Any) -> str:
        is_number = is_whole(value) and abs(value) < ID_LIMIT
        if not is_number and not (isinstance(value, str) and 0 < len(value) <= 200 and is_storable(value)):
            raise Wrong(gettext_noop("must be a whole number or a short text, not %(value)s"), value=shown(value))
        return str(value)


def http_url(*, may_be_empty: bool = False) -> Kind:
    return url_of(("http://", "https://"), gettext_noop("must start with http:// or https://"), may_be_empty)


def url_of(schemes: tuple[str, ...], wrong: str, may_be_empty: bool = False) -> Kind:
    return Checked(
        Checked(
            Text(URL_LIMIT, may_be_empty=may_be_empty),
            lambda text: not text or text.startswith(schemes),
            wrong,
        ),
        lambda text: all(character.isprintable() and not character.isspace() for character in text),
        gettext_noop("contains a space or a line break; copy it again without them"),
    )


ANYTHING, OBJECT, LIST, FLAG, IDENTITY = Anything(), Object(), List(), Flag(), Identity()
TEXT, ANY_TEXT = Text(), Text(may_be_empty=True)
# The action measures it, and its sentence names the limit; the body has a limit of its own.
UNMEASURED_TEXT = Text(10**9, may_be_empty=True)
SLUG = Checked(
    ANY_TEXT,
    re.compile(r"[a-z0-9][a-z0-9_-]{0,59}", re.IGNORECASE | re.ASCII).fullmatch,
    gettext_noop("must be letters, digits, - and _ (at most 60)"),
)


# -- values that hold others --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Texts:
    zh: str = ""
    en: str = ""


NO_TEXTS = Texts()


@dataclass(frozen=True)
class BothTexts(Kind):
    """A text for both languages, or one for each."""

    may_be_empty: bool = False
    limit: int = 4000
    nothing = NO_TEXTS

    def read(self, value: Any, place: str, name: str, notes: Notes) -> Texts | None:
        by_language = dict.fromkeys(LANGUAGES, value) if isinstance(value, str) else value
        where, kind = under(place, name), Text(self.limit, may_be_empty=True)
        if not isinstance(by_language, dict) or not by_language.keys() <= LANGUAGES.keys():
            notes.note(where, gettext_noop("must be a text or {zh = …, en = …}"))
            return None
        read = {language: kind.read(text, where, language, notes) for language, text in by_language.items()}
        if not self.may_be_empty and not any(text is None or text.strip() for text in read.values()):
            notes.note(where, gettext_noop("must not be empty"))
        return None if None in read.values() else Texts(**read)


@dataclass(frozen=True)
class ListOf(Kind):
    """A list of single values."""

    kind: Kind

    def read(self, value: Any, place: str, name: str, notes: Notes) -> tuple[Any, ...] | None:
        listed = LIST.read(value, place, name, notes)
        if listed is None:
            return None
        where = under(place, name)
        read = tuple(self.kind.read(one, item(where, index), "", notes) for index, one in enumerate(listed))
        return None if None in read else read


@dataclass(frozen=True)
class TableOf(Kind):
    """A table of any names of one kind, with values of another."""

    name: Kind
    kind: Kind

    def read(self, value: Any, place: str, name: str, notes: Notes) -> dict[str, Any] | None:
        table: dict[str, Any] | None = OBJECT.read(value, place, name, notes)
        if table is None:
            return None
        where = under(place, name)
        names = [self.name.read(one, where, one, notes) for one in table]
        read = {one: self.kind.read(inner, where, one, notes) for one, inner in table.items()}
        return None if None in names or None in read.values() else read


class FreeTable(Kind):
    """A table of any names and values that JSON can hold."""

    def read(self, value: Any, place: str, name: str, notes: Notes) -> dict[str, Any] | None:
        table: dict[str, Any] | None = OBJECT.read(value, place, name, notes)
        where = under(place, name)
        try:
            json.dumps(table, allow_nan=False)
        except (TypeError, ValueError):
            notes.note(where, gettext_noop("may hold texts, numbers, lists and tables only (no dates)"))
            return None
        if (bad := unstorable_in(table)) is not None:
            notes.note(f"{where}.{bad.place}", bad.text)
            return None
        return table


# -- wrong values in words ----------------------------------------------------------------------------------------


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def kind_of(value: Any) -> str:
    names = {
        dict: gettext_noop("an object"),
        list: gettext_noop("a list"),
        str: gettext_noop("a text"),
        bool: gettext_noop("true or false"),
        type(None): "null",
        int: gettext_noop("a number"),
        float: gettext_noop("a number"),
    }
    return names.get(type(value), gettext_noop("a date"))


def shown(value: Any) -> str:
    """A wrong value as it may stand in a message: short, and safe to print."""
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    if isinstance(value, int) and abs(value) >= SHOWN_BELOW:
        # Python writes out no number of thousands of digits; TOML's hexadecimal ones can be that long.
        return "-…" if value < 0 else "…"
    text = json.dumps(value, ensure_ascii=not isinstance(value, str) or not is_storable(value), default=str)
    return text if len(text) <= 60 else f"{text[:57]}…"
