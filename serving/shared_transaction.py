"""The transaction that a writer's thread holds open for many pieces of work, and those who join it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connection, transaction

P = ParamSpec("P")
T = TypeVar("T")


class _OfThread(threading.local):
    is_open = False
    # SQLite's own connection, while statements may go straight to it.
    sqlite: Any = None


_of_thread = _OfThread()


@contextmanager
def shared_transaction() -> Iterator[None]:
    """Commits at the end of the block, or undoes all of it. Errors are Django's, also those of SQLite's own connection."""
    with transaction.atomic(), connection.wrap_database_errors:
        _of_thread.is_open = True
        # Whoever counts, logs or wraps statements sees these too: then they go Django's way.
        is_watched = connection.queries_logged or connection.execute_wrappers
        if connection.vendor == "sqlite" and not is_watched:
            _of_thread.sqlite = connection.connection
        try:
            yield
        finally:
            _of_thread.is_open, _of_thread.sqlite = False, None


def sqlite_of_this_thread() -> Any:
    """SQLite's own connection within a shared transaction, else None."""
    return _of_thread.sqlite


def joining(work: Callable[P, T]) -> Callable[P, T]:
    """Work that joins the transaction of its thread, and opens one of its own where there is none.

    It needs no savepoint: it either refuses before it writes anything, or ends the whole transaction.
    """
    alone = transaction.atomic(savepoint=False)(work)

    @wraps(work)
    def joined(*arguments: P.args, **named: P.kwargs) -> T:
        return work(*arguments, **named) if _of_thread.is_open else alone(*arguments, **named)

    return joined
