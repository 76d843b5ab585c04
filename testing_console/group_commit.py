"""One writer thread that commits everything that waits in one transaction, then wakes the waiters.

SQLite with `synchronous=FULL` pays one disk flush a commit; sharing it makes full durability nearly free. A waiter
is woken only after COMMIT, so nothing is acknowledged that is not stored (design §4, rule 1).
"""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, connection, transaction

from testing_console.switchboard import LoopPost
from testing_console.turn_taking import Refusal

logger = logging.getLogger("huace.group_commit")

T = TypeVar("T")
Job = tuple[Callable[[], Any], "asyncio.Future[Any]", Callable[[Any], None] | None]

BATCH_LIMIT = 128
QUEUE_LIMIT = 5000


class Unavailable(Exception):
    """The database did not take the change; nothing of it is stored."""


class GroupCommit:
    """Runs pieces of work, each of them an action, in shared transactions."""

    def __init__(self, loop: asyncio.AbstractEventLoop, post: LoopPost) -> None:
        self._loop = loop
        self._post = post
        self._jobs: queue.Queue[Job | None] = queue.Queue(QUEUE_LIMIT)
        self._thread = threading.Thread(target=self._run, name="group-commit", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], T], then: Callable[[T], None] | None = None) -> "asyncio.Future[T]":
        """The result of `work` once it is committed, or the error it raised. Errors: `Unavailable`.

        `then` hears of the commit even if nobody waits for it any more: what waits to be stored is stored.
        """
        waiter: asyncio.Future[T] = self._loop.create_future()
        try:
            self._jobs.put_nowait((work, waiter, then))
        except queue.Full:
            waiter.set_exception(Unavailable("Too much waits to be stored."))
        return waiter

    def close(self) -> None:
        """Commits what waits, then ends the thread."""
        self._jobs.put(None)
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while True:
            batch, is_last = self._next_batch()
            if batch:
                outcomes = self._commit([work for work, _, _ in batch])
                self._post.post(partial(_wake, batch, outcomes))
            if is_last:
                connection.close()
                return

    def _next_batch(self) -> tuple[list[Job], bool]:
        job = self._jobs.get()
        batch = []
        while job is not None:
            batch.append(job)
            if len(batch) == BATCH_LIMIT:
                return batch, False
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _commit(self, works: list[Callable[[], Any]]) -> list[Any]:
        try:
            with transaction.atomic():
                return [_attempt(work) for work in works]
        except (OperationalError, InterfaceError) as lost:
            logger.warning("The database did not take %d changes: %s", len(works), lost)
            connection.close()
            return [Unavailable("The database is not available.")] * len(works)
        except Exception:
            logger.warning("A shared commit failed; its %d changes are made one by one.", len(works), exc_info=True)
            return [self._commit_alone(work) for work in works]

    @staticmethod
    def _commit_alone(work: Callable[[], Any]) -> Any:
        try:
            with transaction.atomic():
                return _attempt(work)
        except (OperationalError, InterfaceError) as lost:
            logger.warning("The database did not take a change: %s", lost)
            return Unavailable("The database is not available.")
        except Exception as error:
            return error


def _attempt(work: Callable[[], Any]) -> Any:
    """The result of one piece of work, or its refusal: a refusal comes before anything is written, so the rest goes on.

    Any other error ends the shared transaction; each piece of work then gets one of its own.
    """
    try:
        return work()
    except Refusal as refusal:
        transaction.set_rollback(False)
        return refusal


def _wake(batch: list[Job], outcomes: list[Any]) -> None:
    for (_, waiter, then), outcome in zip(batch, outcomes, strict=True):
        is_stored = not isinstance(outcome, Exception)
        if is_stored and then is not None:
            then(outcome)
        if waiter.done():
            continue
        if is_stored:
            waiter.set_result(outcome)
        else:
            waiter.set_exception(outcome)
