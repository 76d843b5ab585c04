"""What many tests build alike is built once per process; then its rows are stored as they were, on SQLite."""

from collections.abc import Callable

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from accounts.models import Person
from audit.models import TrailHead, TrailLine
from campaigns.models import Campaign

_kept: dict[str, list[str]] = {}


def built_once(name: str, build: Callable[[], object]) -> None:
    """Has in the database what `build` makes of an empty one; where it is not empty, or no SQLite, it is built each time."""
    if connection.vendor != "sqlite" or not is_empty():
        build()
    elif name in _kept:
        store(_kept[name])
    else:
        build()
        _kept[name] = statements()


def is_empty() -> bool:
    return not any(model.objects.exists() for model in (Person, Campaign, TrailLine))


def statements() -> list[str]:
    """What stores every row again, with its id. Values are written by SQLite itself, so nothing is converted on the way."""
    with connection.cursor() as cursor:
        tables = [name for name in connection.introspection.table_names(cursor) if not name.startswith("django_")]
        # The head of the trail comes after the lines that it names the last of.
        tables.sort(key=lambda name: name == TrailHead._meta.db_table)
        return [statement for name in tables for statement in _statements_of(cursor, name)]


def store(rows: list[str]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in rows:
            cursor.execute(statement)


def _statements_of(cursor: CursorWrapper, table: str) -> list[str]:
    cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
    columns = ", ".join(f'quote("{column[0]}")' for column in cursor.description)
    cursor.execute(f'SELECT {columns} FROM "{table}"')
    rows = ", ".join(f"({', '.join(row)})" for row in cursor.fetchall())
    return [f'INSERT INTO "{table}" VALUES {rows}'] if rows else []
