"""The rows of a database as lines of text that either database can load again.

A line is a JSON list, one value a column. Times are UTC to the microsecond without an offset, UUIDs 32 hexadecimal digits,
JSON columns the text that they hold, bytes base64.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import BinaryField, BooleanField, Model

ROWS_AT_ONCE = 2000

_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=lambda value: _plain(value))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a model: its key, its columns by name, and the places of those that hold bytes or truth values."""

    name: str
    key: str
    columns: tuple[str, ...]
    bytes_at: tuple[int, ...] = ()
    truths_at: tuple[int, ...] = ()

    @property
    def named_columns(self) -> str:
        return ", ".join(connection.ops.quote_name(column) for column in self.columns)


def tables_of(apps: Apps) -> list[Table]:
    """The tables of all models, those between two models included; each once, by name."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    found = {model._meta.db_table: _table(model) for model in models if not model._meta.proxy}
    return [found[name] for name in sorted(found)]


def _table(model: type[Model]) -> Table:
    # By name: a migration may have added in another order than the model declares.
    fields = sorted(model._meta.local_concrete_fields, key=lambda field: str(field.column))
    return Table(
        model._meta.db_table,
        str(model._meta.pk.column),
        tuple(str(field.column) for field in fields),
        tuple(place for place, field in enumerate(fields) if isinstance(field, BinaryField)),
        tuple(place for place, field in enumerate(fields) if isinstance(field, BooleanField)),
    )


def lines_of(table: Table) -> Iterator[str]:
    """The rows of the table by their key, as lines without an end. Within one transaction, of one moment."""
    with connection.chunked_cursor() as cursor:
        name, key = connection.ops.quote_name(table.name), connection.ops.quote_name(table.key)
        cursor.execute(f"SELECT {table.named_columns} FROM {name} ORDER BY {key}")
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            for row in rows:
                yield _encoder.encode(_with_truths(row, table.truths_at) if table.truths_at else row)


def _with_truths(row: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """SQLite may give a truth value as a number, which PostgreSQL would not take."""
    values = list(row)
    for place in places:
        values[place] = None if values[place] is None else bool(values[place])
    return values


def _plain(value: Any) -> Any:
    """A value that JSON does not know, as a line holds it. Errors: `TypeError`."""
    if isinstance(value, datetime):
        return str(value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value)
    if isinstance(value, date | Decimal):
        return str(value)
    if isinstance(value, UUID):
        return value.hex
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    raise TypeError(f"A column holds {type(value).__name__}, which no backup knows.")


def count_rows(table: Table) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table.name)}")
        return int(cursor.fetchone()[0])


def load_rows(table: Table, lines: Iterable[bytes]) -> int:
    """Puts the rows of the lines into the table, in a transaction of the caller's; gives how many. Errors: Django's."""
    rows = (_row(json.loads(line), table.bytes_at) for line in lines)
    put = _copy if connection.vendor == "postgresql" else _insert
    with connection.cursor() as cursor:
        return put(cursor, table, rows)


def _row(values: list[Any], bytes_at: Sequence[int]) -> list[Any]:
    for place in bytes_at:
        if values[place] is not None:
            values[place] = b64decode(values[place])
    return values


def _insert(cursor: CursorWrapper, table: Table, rows: Iterator[list[Any]]) -> int:
    marks = ", ".join(["%s"] * len(table.columns))
    statement = f"INSERT INTO {connection.ops.quote_name(table.name)} ({table.named_columns}) VALUES ({marks})"
    n_rows = 0
    while some := list(islice(rows, ROWS_AT_ONCE)):
        cursor.executemany(statement, some)
        n_rows += len(some)
    return n_rows


def _copy(cursor: CursorWrapper, table: Table, rows: Iterator[list[Any]]) -> int:
    n_rows = 0
    # Times in the lines bear no offset: they are UTC, as the connection is.
    with cursor.copy(f"COPY {connection.ops.quote_name(table.name)} ({table.named_columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
            n_rows += 1
    return n_rows


def empty(table: Table) -> None:
    """Removes what migrations put into the table. The trail's own tables are empty then, and refuse a DELETE otherwise."""
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {connection.ops.quote_name(table.name)}")


def number_on(models: Iterable[type[Model]]) -> None:
    """Has each table give the next row a number beyond those that were loaded; SQLite does so by itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)
