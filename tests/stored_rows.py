"""What many tests build alike is built once per process; then its rows are stored as they were, on SQLite."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from accounts.models import Person
from audit.models import TrailHead, TrailLine
from campaigns.models import Campaign

# The rows that were added or changed, and the texts in them that are each test's own.
_kept: dict[str, tuple[dict[str, set[str]], Sequence[str]]] = {}
# What was stored last, and how many rows the connection had changed by then.
_last: tuple[str, int] = ("", 0)


def built_once(name: str, build: Callable[[], Any], *, on: str = "", own: Sequence[str] = ()) -> None:
    """Has in the database what `build` makes of an empty one, or of one that holds what was built as `on` and nothing else.

    Anywhere else, and on another database than SQLite, it is built each time. `own` are this test's texts in the place of those that
    `build` returns.
    """
    global _last
    if connection.vendor != "sqlite" or not (_last == (on, _n_changes()) if on else is_empty()):
        build()
        _last = ("", 0)
    elif name in _kept:
        store(name, own)
        _last = (name, _n_changes())
    else:
        before, made = rows(), build()
        _kept[name] = {table: found - before[table] for table, found in rows().items()}, made if own else ()
        _last = (name, _n_changes())


def is_empty() -> bool:
    return not any(model.objects.exists() for model in (Person, Campaign, TrailLine))


def _n_changes() -> int:
    connection.ensure_connection()
    return connection.connection.total_changes


def rows() -> dict[str, set[str]]:
    """Every row with its id. Values are written by SQLite itself, so nothing is converted on the way."""
    with connection.cursor() as cursor:
        tables = [name for name in connection.introspection.table_names(cursor) if not name.startswith("django_")]
        # The head of the trail comes after the lines that it names the last of.
        tables.sort(key=lambda name: name == TrailHead._meta.db_table)
        return {name: _rows_of(cursor, name) for name in tables}


def store(name: str, own: Sequence[str]) -> None:
    tables, others = _kept[name]
    with transaction.atomic(), connection.cursor() as cursor:
        for table, found in tables.items():
            if found:
                statement = f'INSERT OR REPLACE INTO "{table}" VALUES {", ".join(sorted(found))}'
                for old, new in zip(others, own, strict=True):
                    statement = statement.replace(old, new)
                cursor.execute(statement)


def _rows_of(cursor: CursorWrapper, table: str) -> set[str]:
    cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
    columns = ", ".join(f'quote("{column[0]}")' for column in cursor.description)
    cursor.execute(f'SELECT {columns} FROM "{table}"')
    return {f"({', '.join(row)})" for row in cursor.fetchall()}
