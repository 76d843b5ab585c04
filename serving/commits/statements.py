"""Statements of the hot path: SQL that is written where it is used, sent without Django's detours.

Django spends about 0.6 ms on building a statement, and as much on handing it over as the statement takes. The SQL names
the models' own tables. Values that a database stores in a form of its own get it from the models' own fields; for SQLite
they get the same form by a shorter way. A cursor is read before the next statement: in a shared transaction it is the
same one. docs/decisions/0003-the-hot-path.md has the figures.
"""

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import DateTimeField, Field, ForeignKey, JSONField, Model, UUIDField

from serving.commits.shared_transaction import short_way

Row = tuple[Any, ...]
# What turns a value into the database's own form, and the place of that value.
Adapters = list[tuple[int, Callable[[Any], Any]]]


class Statement:
    """SQL with `%s` for each value, and the field that each value belongs to. Calling it gives a cursor.

    The SQL holds no other percent sign. `rows` sends it for many at once; then it is a SELECT of one row, an INSERT as
    `insert` makes it, or an UPDATE that ends with RETURNING. Errors are Django's.
    """

    def __init__(self, sql: str, *fields: tuple[type[Model], str]) -> None:
        self._sql = sql
        self._sqlite_sql = sql.replace("%s", "?")
        self._named = fields

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
        if way is not None and way.mark == "?":
            return way.execute(self._sqlite_sql, _adapted(values, self._sqlite_adapters))
        return _sent(self._sql, _adapted(values, self._adapters))

    def rows(self, many: "Sequence[Sequence[Any]]") -> "list[Row | None]":
        """The first row that each set of values gives, in one journey to PostgreSQL.

        The sets go there as one JSON document. What it has for one set must not depend on what it changes for another.
        """
        sets = [{"place": place, **dict(zip(self._names, values, strict=True))} for place, values in enumerate(many)]
        answers = _sent(self._sql_for_many, [json.dumps(sets, default=_as_text)]).fetchall()
        found: dict[int, Row] = {place: tuple(row) for place, *row in answers}
        return [found.get(place) for place in range(len(many))]

    @cached_property
    def _names(self) -> list[str]:
        return [f"v{place}" for place in range(len(self._named))]

    @cached_property
    def _sql_for_many(self) -> str:
        # Without the limit of its length: a text that is too long is an error where it is stored, not where it is looked for.
        types = [str(field.db_type(connection)).split("(")[0] for field in self._fields]
        columns = ", ".join(f"{name} {kind}" for name, kind in zip(self._names, types, strict=True))
        asked = f"jsonb_to_recordset(%s) AS asked(place integer, {columns})"
        beginning, *rest = self._sql.strip().split("%s")
        sql = beginning + "".join(f"asked.{name}{part}" for name, part in zip(self._names, rest, strict=True))
        if sql.startswith("INSERT"):
            # Keys come in the order of the rows, which Django's `bulk_create` counts on, too.
            return f"WITH made AS ({_selecting(sql, asked)}) SELECT row_number() OVER () - 1, id FROM made"
        if sql.startswith("UPDATE"):
            change, condition = re.split(r"\sWHERE\s", sql)
            return f"{change} FROM {asked} WHERE {condition}".replace(" RETURNING ", " RETURNING asked.place, ")
        # LIMIT has PostgreSQL look for one set after the other, where it might read whole tables to join them.
        return f"SELECT asked.place, answer.* FROM {asked} CROSS JOIN LATERAL ({sql} LIMIT 1) answer"


def _sent(sql: str, values: Sequence[Any]) -> Any:
    """The cursor of that statement, sent by the short way where there is one."""
    way = short_way()
    if way is not None:
        return way.execute(sql, values)
    cursor = connection.cursor()
    cursor.execute(sql, values)
    return cursor


def _selecting(insert: str, asked: str) -> str:
    into, values = insert.split(" VALUES (")
    return f"{into} SELECT {values}".replace(") RETURNING", f" FROM {asked} ORDER BY asked.place RETURNING")


def _as_text(value: Any) -> str:
    if isinstance(value, datetime | UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in a statement for many")


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
