"""The transaction that a writer's thread holds open for many pieces of work, and those who join it."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from django.db import connection, transaction

P = ParamSpec("P")
T = TypeVar("T")


class ShortWay(NamedTuple):
    """Hands a statement to the database's own driver; `mark` is how that driver marks a value."""

    execute: Callable[[str, Sequence[Any]], Any]
    mark: str


class _OfThread(threading.local):
    is_open = False
    short_way: ShortWay | None = None


_of_thread = _OfThread()


@contextmanager
def shared_transaction() -> Iterator[None]:
    """Commits at the end of the block, or undoes all of it. Errors are Django's, also those of the driver."""
    with transaction.atomic(), connection.wrap_database_errors:
        _of_thread.is_open, _of_thread.short_way = True, _short_way_of(connection)
        try:
            yield
        finally:
            _of_thread.is_open, _of_thread.short_way = False, None


def short_way() -> ShortWay | None:
    """Within a shared transaction the way past Django's wrappers, which cost as much as a statement."""
    return _of_thread.short_way


def _short_way_of(db: Any) -> ShortWay | None:
    # Whoever counts, logs or wraps statements sees these too: then they go Django's way.
    if db.queries_logged or db.execute_wrappers:
        return None
    if db.vendor == "sqlite":
        return ShortWay(db.connection.execute, "?")
    from psycopg import Cursor

    # The server puts the values in; Django's own cursors write them into the text of each statement.
    return ShortWay(Cursor(db.connection).execute, "%s")


def joining(work: Callable[P, T]) -> Callable[P, T]:
    """Work that joins the transaction of its thread, and opens one of its own where there is none.

    It needs no savepoint: it either refuses before it writes anything, or ends the whole transaction.
    """
    alone = transaction.atomic(savepoint=False)(work)

    @wraps(work)
    def joined(*arguments: P.args, **named: P.kwargs) -> T:
        return work(*arguments, **named) if _of_thread.is_open else alone(*arguments, **named)

    return joined
