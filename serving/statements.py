"""Statements of the hot path: SQL that is written where it is used, sent without Django's detours.

Django spends about 0.6 ms on building a statement, and on SQLite as much on handing it over as the statement takes. The
SQL names the models' own tables; values that a database stores in a form of its own go through the models' own fields.
docs/decisions/0003-hot-path.md and 0012 have the figures.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import DateTimeField, Field, ForeignKey, JSONField, Model, UUIDField

M = TypeVar("M", bound=Model)
# What turns a value into the database's own form.
Adapter = Callable[[Any], Any]


class Statement:
    """SQL with `%s` for each value, and the field that each value belongs to. Calling it gives a cursor.

    The SQL holds no other percent sign.
    """

    def __init__(self, sql: str, *fields: tuple[type[Model], str]) -> None:
        self._sql = sql
        self._named = fields
        self._sql_of_sqlite = sql.replace("%s", "?")

    @cached_property
    def _fields(self) -> "list[Field[Any, Any]]":
        return [model._meta.get_field(name) for model, name in self._named]  # type: ignore[misc]

    @cached_property
    def _adapters(self) -> list[tuple[int, Adapter]]:
        return _adapters_of(self._fields)

    def __call__(self, *values: Any) -> Any:
        """Errors: Django's. Whoever counts, logs or wraps statements sees these too: then they go Django's way."""
        prepared = list(values)
        for place, adapt in self._adapters:
            prepared[place] = adapt(prepared[place])
        db = connections[DEFAULT_DB_ALIAS]
        if not _may_go_straight(db):
            cursor = db.cursor()
            cursor.execute(self._sql, prepared)
            return cursor
        with db.wrap_database_errors:
            return db.connection.execute(self._sql_of_sqlite, prepared)


class Insert(Generic[M]):
    """`insert(row)` stores a new instance and sets its key; every column of the model is written."""

    def __init__(self, model: type[M]) -> None:
        self._model = model

    @cached_property
    def _names(self) -> list[str]:
        own_key = self._model._meta.auto_field
        return [field.attname for field in self._model._meta.concrete_fields if field is not own_key]

    @cached_property
    def _values_of(self) -> Callable[[M], tuple[Any, ...]]:
        return attrgetter(*self._names)

    @cached_property
    def _statement(self) -> Statement:
        meta = self._model._meta
        quote = connection.ops.quote_name
        columns = ", ".join(quote(field.column) for field in meta.concrete_fields if field.attname in self._names)
        places = ", ".join(["%s"] * len(self._names))
        sql = f"INSERT INTO {quote(meta.db_table)} ({columns}) VALUES ({places}) RETURNING {quote(meta.pk.column)}"
        return Statement(sql, *((self._model, name) for name in self._names))

    def __call__(self, row: M) -> None:
        row.pk = self._statement(*self._values_of(row)).fetchone()[0]
        row._state.adding = False


def _adapters_of(fields: "Sequence[Field[Any, Any]]") -> list[tuple[int, Adapter]]:
    """The place of each value that the database stores in a form of its own, and what gives it that form."""
    found = []
    for place, field in enumerate(fields):
        while isinstance(field, ForeignKey):
            field = field.target_field
        if isinstance(field, DateTimeField | JSONField | UUIDField):
            found.append((place, _adapter(field)))
    return found


def _adapter(field: "Field[Any, Any]") -> Adapter:
    def adapt(value: Any) -> Any:
        return field.get_db_prep_save(value, connections[DEFAULT_DB_ALIAS])

    return adapt


def _may_go_straight(db: BaseDatabaseWrapper) -> bool:
    """Whether SQLite's own connection may be used: in a transaction that is whole, with nobody watching."""
    is_watched = db.queries_logged or db.execute_wrappers
    return db.vendor == "sqlite" and db.in_atomic_block and not is_watched and not db.needs_rollback
