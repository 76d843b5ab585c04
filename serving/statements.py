"""Statements of the hot path: SQL that is written where it is used, sent without Django's detours.

Django spends about 0.6 ms on building a statement, and as much on handing it over as the statement takes. The SQL names
the models' own tables. Values that a database stores in a form of its own get it from the models' own fields; for SQLite
they get the same form by a shorter way. A cursor is read before the next statement: in a shared transaction it is the
same one. docs/decisions/0003-the-hot-path.md has the figures.
"""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from operator import attrgetter
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, Field, ForeignKey, JSONField, Model, UUIDField

from serving.committing import short_way

# What turns a value into the database's own form, and the place of that value.
Adapters = list[tuple[int, Callable[[Any], Any]]]


class Statement:
    """SQL with `%s` for each value, and the field that each value belongs to. Calling it gives a cursor.

    The SQL holds no other percent sign. Errors are Django's.
    """

    def __init__(self, sql: str, *fields: tuple[type[Model], str]) -> None:
        self._sql = sql
        self._sqlite_sql = sql.replace("%s", "?")
        self._named = fields

    def before(self, other: "Statement") -> "Callable[[Sequence[Any], Sequence[Any]], Any]":
        """Both with their values, in one journey to PostgreSQL; gives the cursor of `other`, which must not count on seeing what this one changes."""
        together = Statement(f"WITH before AS ({self._sql}) {other._sql}", *self._named, *other._named)

        def run(values: Sequence[Any], values_of_other: Sequence[Any]) -> Any:
            if connection.vendor == "postgresql":
                return together(*values, *values_of_other)
            self(*values)
            return other(*values_of_other)

        return run

    @cached_property
    def _fields(self) -> "list[Field[Any, Any]]":
        return [_target(model._meta.get_field(name)) for model, name in self._named]

    @cached_property
    def _adapters(self) -> Adapters:
        return [(place, _adapter(field)) for place, field in enumerate(self._fields) if _has_own_form(field)]

    @cached_property
    def _sqlite_adapters(self) -> Adapters:
        return [(place, _sqlite_adapter(field)) for place, field in enumerate(self._fields) if _has_own_form(field)]

    def __call__(self, *values: Any) -> Any:
        way = short_way()
        if way is None:
            cursor = connection.cursor()
            cursor.execute(self._sql, _adapted(values, self._adapters))
            return cursor
        if way.mark == "?":
            return way.execute(self._sqlite_sql, _adapted(values, self._sqlite_adapters))
        return way.execute(self._sql, _adapted(values, self._adapters))


def insert(model: type[Model], *names: str) -> Statement:
    """`INSERT` of the named fields, which gives the key of the new row."""
    fields = [model._meta.get_field(name) for name in names]
    columns = ", ".join(connection.ops.quote_name(column) for column in map(attrgetter("column"), fields))
    places = ", ".join(["%s"] * len(fields))
    sql = f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({places}) RETURNING id"
    return Statement(sql, *((model, name) for name in names))


def _adapted(values: Sequence[Any], adapters: Adapters) -> list[Any]:
    adapted = list(values)
    for place, adapt in adapters:
        adapted[place] = adapt(adapted[place])
    return adapted


def _target(field: Any) -> "Field[Any, Any]":
    while isinstance(field, ForeignKey):
        field = field.target_field
    return field


def _has_own_form(field: "Field[Any, Any]") -> bool:
    return isinstance(field, DateTimeField | JSONField | UUIDField)


def _adapter(field: "Field[Any, Any]") -> Callable[[Any], Any]:
    return lambda value: field.get_db_prep_save(value, connection)


def _sqlite_adapter(field: "Field[Any, Any]") -> Callable[[Any], Any]:
    if isinstance(field, UUIDField):
        return attrgetter("hex")
    return _sqlite_time if isinstance(field, DateTimeField) else json.dumps


def _sqlite_time(at: datetime | None) -> str | None:
    """As Django writes it: in UTC, without saying so."""
    return None if at is None else str(at.astimezone(UTC).replace(tzinfo=None))
