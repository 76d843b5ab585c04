"""Reads many rows as they are at one moment, so that figures and what says of which scores they are belong together."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from django.db import connection, transaction


@contextmanager
def one_state_of_the_database() -> Iterator[None]:
    """All that is read within is of one moment. Nobody who writes waits for it.

    Within a transaction of the caller's it is that one's state.
    """
    with nullcontext() if connection.in_atomic_block else _snapshot():
        yield


def _snapshot() -> AbstractContextManager[None]:
    return _reading_sqlite() if connection.vendor == "sqlite" else _repeatable_read()


@contextmanager
def _reading_sqlite() -> Iterator[None]:
    # Not `atomic`, which would take the writers' turn. A deferred transaction keeps its state from its first read on.
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


@contextmanager
def _repeatable_read() -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        # Comes before any other statement, or PostgreSQL refuses it.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
