"""What a column of an export holds.

Files of text need no kinds; typed ones (Parquet) write each column as what it is. Every value may be missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass


class ColumnKind:
    """Base of the kinds."""


class Text(ColumnKind):
    pass


class Whole(ColumnKind):
    """A whole number."""


class Number(ColumnKind):
    pass


class Flag(ColumnKind):
    pass


class Time(ColumnKind):
    """A time in UTC as ISO 8601 has it."""


class Irregular(ColumnKind):
    """A nested value that has another shape in each row: JSON as one text, where a file asks for one type."""


@dataclass(frozen=True)
class ListOf(ColumnKind):
    item: ColumnKind


@dataclass(frozen=True)
class Table(ColumnKind):
    """One object with these fields, as far as a row has them."""

    fields: Mapping[str, ColumnKind]


@dataclass(frozen=True)
class MapOf(ColumnKind):
    """An object whose keys are data."""

    item: ColumnKind


Columns = Mapping[str, ColumnKind]

TEXT, WHOLE, NUMBER, FLAG, TIME, IRREGULAR = Text(), Whole(), Number(), Flag(), Time(), Irregular()
TEXTS = ListOf(TEXT)
