"""Tables from outside, declared field by field: kind, default, key in the file. Pure.

Every problem of a table is noted with its place, and a stand-in fills that place, so that reading goes on.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from dataclasses import Field as DataclassField
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from django.utils.translation import gettext_noop

from reading.findings import FILE, item, under
from reading.kinds import LIST, OBJECT, Kind, Notes

NEEDED: Any = object()


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a table. Without a default it is needed; `key` is its name in the file where that is another."""

    kind: Kind
    default: Any = NEEDED
    key: str = ""

    @property
    def stand_in(self) -> Any:
        return self.kind.nothing if self.default is NEEDED else self.default

    def read_from(self, table: dict[str, Any], name: str, place: str, notes: Notes) -> Any:
        key = self.key or name
        read = self.kind.read(table[key], place, key, notes) if key in table else None
        if key not in table and self.default is NEEDED:
            notes.note(under(place, key), gettext_noop("is missing"))
        return self.stand_in if read is None else read


@dataclass(frozen=True)
class Table(Kind):
    """A table with these fields, given to `make`; other keys are refused unless the table `keeps_others`."""

    fields: Mapping[str, Field]
    make: Callable[..., Any] = dict
    keeps_others: bool = False

    @property
    def nothing(self) -> Any:
        return self.make(**{name: field.stand_in for name, field in self.fields.items()})

    def read(self, value: Any, place: str, name: str, notes: Notes) -> Any:
        table = OBJECT.read(value, place, name, notes)
        if table is None:
            return None
        where = f"[{name}]" if name and place == FILE else under(place, name)
        if not self.keeps_others:
            known = [field.key or name for name, field in self.fields.items()]
            for key in table:
                if key not in known:
                    text = gettext_noop("is not known here; there are %(known)s")
                    notes.note(under(where, key), text, known=", ".join(sorted(known)))
        return self.make(**{name: field.read_from(table, name, where, notes) for name, field in self.fields.items()})


@dataclass(frozen=True)
class OrNull(Kind):
    """A value of the kind, or null where there is none."""

    kind: Kind

    def read(self, value: Any, place: str, name: str, notes: Notes) -> Any:
        return None if value is None else self.kind.read(value, place, name, notes)


@dataclass(frozen=True)
class Rows(Kind):
    """A list of at most `most` tables; no two of them have the same `key`."""

    table: Table
    key: str = ""
    may_be_empty: bool = True
    most: int | None = None
    nothing = ()

    def read(self, value: Any, place: str, name: str, notes: Notes) -> tuple[Any, ...] | None:
        listed = LIST.read(value, place, name, notes)
        if listed is None:
            return None
        if not listed and not self.may_be_empty:
            notes.note(under(place, name), gettext_noop("must hold at least one table"))
        if self.most is not None and len(listed) > self.most:
            text = gettext_noop("holds %(n)s tables; at most %(most)s are read")
            notes.note(f"[[{name}]]" if place == FILE else under(place, name), text, n=len(listed), most=self.most)
        read, seen = [], dict[str, str]()
        for index, one in enumerate(listed[: self.most]):
            where = f"[[{name}]] {index + 1}" if place == FILE else item(under(place, name), index)
            row = self.table.read(one, where, "", notes)
            read.append(self.table.nothing if row is None else row)
            if self.key and (key := getattr(read[-1], self.key)):
                refuse_twice(key, under(where, self.key), where, seen, notes)
        return tuple(read)


def refuse_twice(name: str, place: str, row: str, seen: dict[str, str], notes: Notes) -> bool:
    """True after a note if the name stood in another row before; `seen` maps each name to the place of its row."""
    if name not in seen:
        seen[name] = row
        return False
    text = gettext_noop("“%(name)s” already appears at %(place_before)s")
    notes.note(place, text, name=name, place_before=seen[name])
    return True


@cache
def table_of(made: type) -> Table:
    """The table that a dataclass declares: its fields that are `Annotated[type, kind]`, or `Annotated[type, kind, key]`
    where the file has another name. Other fields are not the file's."""
    hints = get_type_hints(made, include_extras=True)
    marked = {one: get_args(hints[one.name])[1:] for one in fields(made) if get_origin(hints[one.name]) is Annotated}
    return Table({one.name: Field(mark[0], _default(one), *mark[1:]) for one, mark in marked.items()}, made)


def _default(declared: DataclassField[Any]) -> Any:
    if declared.default_factory is not MISSING:
        return declared.default_factory()
    return NEEDED if declared.default is MISSING else declared.default
