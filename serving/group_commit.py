"""One writer thread that commits every queued write in one transaction, then wakes the waiters.

SQLite with `synchronous=FULL` pays one disk flush per commit; sharing it makes full durability nearly free. A waiter
is woken only after COMMIT, so nothing is acknowledged that is not stored (design §4, rule 1).
"""

import asyncio
import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction

from serving.loop_post import LoopPost
from serving.refused import Refused
from serving.shared_transaction import shared_transaction

logger = logging.getLogger("huace.group_commit")

T = TypeVar("T")

BATCH_LIMIT = 128
QUEUE_LIMIT = 5000
# After this many shared attempts that met a deadlock each change gets a transaction of its own.
SHARED_ATTEMPTS = 2
ATTEMPTS_ALONE = 8
PAUSE_ALONE_S = 0.05
# How long a commit whose answer was lost may stay undecided.
IN_PROGRESS_LIMIT_S = 5.0
IN_PROGRESS_PAUSE_S = 0.05
# deadlock_detected, serialization_failure: PostgreSQL undid everything and says "try again".
CONFLICTS = {"40P01", "40001"}


class Unavailable(Exception):
    """The database did not take the change; nothing of it is stored."""


class _Away(Unavailable):
    """The database does not answer at all: there is no use in asking it for the rest of a batch."""


class _Conflict(Exception):
    """Another writer or a lost connection was in the way: nothing is stored, and the same may be tried again."""


@dataclass(frozen=True, slots=True)
class _Job:
    """`about` is the dialogue that `work` locks; without one it must wait for no lock."""

    work: Callable[[], Any]
    waiter: "asyncio.Future[Any]"
    about: UUID | None


Follower = Callable[[Any], None]


class GroupCommit:
    """Runs pieces of work, each of them an action, in shared transactions."""

    def __init__(self, loop: asyncio.AbstractEventLoop, post: LoopPost) -> None:
        self._loop = loop
        self._post = post
        self._followers: tuple[Follower, ...] = ()
        self._jobs: queue.Queue[_Job | None] = queue.Queue(QUEUE_LIMIT)
        self._thread = threading.Thread(target=self._run, name="group-commit", daemon=True)
        self._thread.start()

    def follow(self, *followers: Follower) -> None:
        """Each of them is given, on the loop and in this order, the result of every piece of work that is committed.

        So what follows from a commit happens even if nobody waits for it any more: every queued write is committed.
        """
        self._followers = followers

    def submit(self, work: Callable[[], T], about: UUID | None = None) -> "asyncio.Future[T]":
        """The result of `work` once it is committed, or the error it raised. Errors: `Unavailable`."""
        waiter: asyncio.Future[T] = self._loop.create_future()
        try:
            self._jobs.put_nowait(_Job(work, waiter, about))
        except queue.Full:
            waiter.set_exception(Unavailable("Too many changes wait to be stored."))
        return waiter

    async def flushed(self) -> None:
        """Returns once everything that was queued before is committed or refused."""
        with suppress(Unavailable):
            await self.submit(lambda: None)

    def close(self) -> None:
        """Commits every queued write, then ends the thread."""
        self._jobs.put(None)
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while True:
            batch, is_last = self._next_batch()
            if batch:
                # Every process locks dialogues in this one order, or two batches would wait for each other for ever.
                batch.sort(key=_place)
                outcomes = self._outcomes([job.work for job in batch])
                self._post.post(partial(_wake, batch, outcomes, self._followers))
            if is_last:
                connection.close()
                return

    def _next_batch(self) -> tuple[list[_Job], bool]:
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

    def _outcomes(self, works: list[Callable[[], Any]]) -> list[Any]:
        """What became of each piece of work; whatever happens, the thread goes on and everybody is answered."""
        try:
            return self._commit(works)
        except Exception as unforeseen:
            logger.exception("%d changes could not be committed.", len(works))
            return [unforeseen] * len(works)

    def _commit(self, works: list[Callable[[], Any]]) -> list[Any]:
        for _ in range(SHARED_ATTEMPTS):
            try:
                return _in_one_transaction(works)
            except _Conflict as conflict:
                logger.warning("A shared commit of %d changes is tried again: %s", len(works), conflict.__cause__)
            except Unavailable as lost:
                return [lost] * len(works)
            except Exception:
                logger.warning("A shared commit failed; its %d changes are made one by one.", len(works), exc_info=True)
                break
        return self._commit_one_by_one(works)

    def _commit_one_by_one(self, works: list[Callable[[], Any]]) -> list[Any]:
        outcomes: list[Any] = []
        for work in works:
            is_away = bool(outcomes) and isinstance(outcomes[-1], _Away)
            outcomes.append(outcomes[-1] if is_away else self._commit_alone(work))
        return outcomes

    @staticmethod
    def _commit_alone(work: Callable[[], Any]) -> Any:
        for attempt in range(1, ATTEMPTS_ALONE + 1):
            try:
                return _in_one_transaction([work])[0]
            except _Conflict as conflict:
                logger.warning("A change is tried again after attempt %d: %s", attempt, conflict.__cause__)
                time.sleep(random.uniform(0, PAUSE_ALONE_S))
            except Exception as error:
                return error
        logger.error("A change was given up after %d conflicts with other writers.", ATTEMPTS_ALONE)
        return Unavailable("Other writers were in the way each time.")


def _place(job: _Job) -> tuple[bool, int]:
    """Work about no dialogue comes last: it may hold locks in any order, as long as nothing waits after it."""
    return job.about is None, job.about.int if job.about is not None else 0


def _in_one_transaction(works: list[Callable[[], Any]]) -> list[Any]:
    """The results of all works, committed together. Errors: `Unavailable`, `_Conflict`, and whatever a work raises.

    An open connection that turns out to be lost costs nothing but a second attempt on a new one.
    """
    may_be_stale = connection.vendor != "sqlite" and connection.connection is not None
    try:
        return _committed(works)
    except (OperationalError, InterfaceError) as lost:
        if not may_be_stale:
            raise _away(lost) from lost
    logger.warning("The database connection was lost; its %d changes are made on a new one.", len(works))
    try:
        return _committed(works)
    except (OperationalError, InterfaceError) as lost:
        raise _away(lost) from lost


def _committed(works: list[Callable[[], Any]]) -> list[Any]:
    outcomes: list[Any] | None = None
    transaction_id: str | None = None
    try:
        with shared_transaction():
            found = [_attempt(work) for work in works]
            transaction_id = _transaction_id()
            outcomes = found
        return outcomes
    except (OperationalError, InterfaceError) as lost:
        if _is_conflict(lost):
            raise _Conflict from lost
        connection.close()
        if outcomes is not None and transaction_id is not None:
            return _looked_up(outcomes, transaction_id, lost)
        raise


def _transaction_id() -> str | None:
    """PostgreSQL's name of the running transaction, if it wrote anything."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id_if_assigned()::text")
        return cursor.fetchone()[0]


def _looked_up(outcomes: list[Any], transaction_id: str, lost: Exception) -> list[Any]:
    """The outcomes, if the commit whose answer was lost with the connection did happen.

    Made again, a turn that is stored would look like a key sent twice, and nobody would ask the bot.
    """
    try:
        status = _status_of(transaction_id)
    except (OperationalError, InterfaceError) as still_lost:
        connection.close()
        raise _away(still_lost) from lost
    logger.warning("The connection was lost in a commit of %d changes, which is %s.", len(outcomes), status)
    if status != "committed":
        raise _Conflict from lost
    return outcomes


def _status_of(transaction_id: str) -> str:
    """What became of a transaction; one whose backend has not noticed yet that nobody listens is waited for.

    Errors: `OperationalError`, also if it does not end.
    """
    ends_at = time.monotonic() + IN_PROGRESS_LIMIT_S
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_xact_status(%s::xid8)", [transaction_id])
            status: str = cursor.fetchone()[0]
        if status != "in progress":
            return status
        if time.monotonic() > ends_at:
            raise OperationalError("the transaction before is still in progress")
        time.sleep(IN_PROGRESS_PAUSE_S)


def _is_conflict(error: Exception) -> bool:
    return getattr(error.__cause__, "sqlstate", None) in CONFLICTS


def _away(lost: Exception) -> _Away:
    logger.warning("The database is not available: %s", lost)
    connection.close()
    return _Away("The database is not available.")


def _attempt(work: Callable[[], Any]) -> Any:
    """The result of one piece of work, or its refusal: a refusal comes before anything is written, so the rest goes on.

    Any other error ends the shared transaction; each piece of work then gets one of its own.
    """
    try:
        return work()
    except Refused as refusal:
        transaction.set_rollback(False)
        return refusal


def _wake(batch: list[_Job], outcomes: list[Any], followers: Sequence[Follower]) -> None:
    """On the loop, once per batch: followers come before waiters, who may count on all that follows from their commit."""
    for job, outcome in zip(batch, outcomes, strict=True):
        is_stored = not isinstance(outcome, Exception)
        if is_stored:
            _tell(followers, outcome)
        if job.waiter.done():
            continue
        if is_stored:
            job.waiter.set_result(outcome)
        else:
            job.waiter.set_exception(outcome)


def _tell(followers: Sequence[Follower], outcome: Any) -> None:
    """A follower that fails must not leave the others of its batch unanswered."""
    for follower in followers:
        try:
            follower(outcome)
        except Exception:
            logger.exception("A change is stored, but what was to follow it failed.")
