"""The transaction that many pieces of work share, on the thread that makes them.

The state is the thread's: the same actions run alone in commands and tests (docs/decisions/0033-rooms-and-weight-that-stay.md).
"""

import threading
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar
from uuid import UUID

from django.db import connection, transaction

P = ParamSpec("P")
T = TypeVar("T")
# Locks the dialogues that are free; gives those that another writer holds.
Hold = Callable[[list[UUID]], set[UUID]]


class ShortWay(NamedTuple):
    """Hands a statement to the database's own driver; `mark` is how that driver marks a value."""

    execute: Callable[[str, Sequence[Any]], Any]
    mark: str


class _OfThread(threading.local):
    is_open = False
    short_way: ShortWay | None = None
    held: Set[UUID] = frozenset()


_of_thread = _OfThread()


@contextmanager
def shared_transaction(hold: Hold | None = None, abouts: Set[UUID] = frozenset()) -> Iterator[set[UUID]]:
    """Holds `abouts` at its beginning, but for those that it gives: another writer has them, and nobody here waits for it.

    Commits at the end of the block, or undoes all of it. Errors are Django's, also those of the driver.
    """
    with transaction.atomic(), connection.wrap_database_errors:
        _of_thread.is_open, _of_thread.short_way = True, _short_way_of(connection)
        try:
            busy = set[UUID]()
            if hold is not None and abouts:
                busy = hold(sorted(abouts))
                _of_thread.held = abouts - busy
            yield busy
        finally:
            _of_thread.is_open, _of_thread.short_way, _of_thread.held = False, None, frozenset()


def is_shared() -> bool:
    return _of_thread.is_open


def is_held(about: UUID) -> bool:
    """Whether the shared transaction of this thread holds it already."""
    return about in _of_thread.held


def short_way() -> ShortWay | None:
    """Within a shared transaction the way past Django's wrappers, which cost as much as a statement."""
    return _of_thread.short_way


def _short_way_of(db: Any) -> ShortWay | None:
    # Where statements are counted, logged or wrapped, these must be seen too: they go Django's way.
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
        return work(*arguments, **named) if is_shared() else alone(*arguments, **named)

    return joined
