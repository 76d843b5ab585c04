"""The one door for writes of the live side: every piece of work is an action, committed in a transaction that many share.

One thread commits all that is queued. SQLite has one writer at a time and pays one disk flush per commit, which makes
`synchronous=FULL` nearly free. To PostgreSQL each statement is a journey, and the actions of a batch send theirs together
(serving/commits/steps.py): several threads would have small batches, and wait for each other's turn to run.

A waiter is woken only after COMMIT, so nothing is acknowledged that is not stored (design §4, rule 1).
"""

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db import connection

from serving.commits.committing import BUSY, Unavailable, Work, outcomes_of
from serving.commits.shared_transaction import Hold
from serving.loop_post import LoopPost
from serving.monitoring import metrics
from serving.refused import Refused

__all__ = ["GroupCommit", "Unavailable"]

logger = logging.getLogger("huace.group_commit")

T = TypeVar("T")
Follower = Callable[[Any], None]

QUEUE_LIMIT = 5000
BATCH_LIMIT = 128
# How long before dialogues that other writers hold are looked at again, where nothing else is to be committed.
BUSY_PAUSE_S = 0.01


@dataclass(frozen=True, slots=True)
class _Job:
    """`is_flush`: it is done only when everything before it is."""

    work: Work
    waiter: "asyncio.Future[Any]"
    is_flush: bool = False


Done = tuple[_Job, Any]


class GroupCommit:
    """Runs pieces of work in shared transactions, in the order in which they came for each dialogue.

    `hold` locks a batch's dialogues before it begins; work on dialogues that another writer has goes into the next batch, so
    no other work waits for them. Without it each action locks its own.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, post: LoopPost, hold: Hold | None = None) -> None:
        self._loop = loop
        self._post = post
        self._followers: tuple[Follower, ...] = ()
        self._writer = _Writer(self._hand_over, hold)

    def follow(self, *followers: Follower) -> None:
        """Each of them is given, on the loop and in this order, the result of every piece of work that is committed.

        So the consequences of a commit happen even if its caller has gone: every queued write is committed.
        """
        self._followers = followers

    def submit(self, work: Callable[[], T], about: UUID | None = None) -> "asyncio.Future[T]":
        """The result of `work` once it is committed, or the error it raised. Errors: `Unavailable`."""
        waiter: asyncio.Future[T] = self._loop.create_future()
        if not self._writer.take(_Job(Work(work, about), waiter)):
            waiter.set_exception(Unavailable("Too many changes wait to be stored."))
        return waiter

    def announce(self, outcome: object) -> None:
        """Has the followers hear of something that was committed elsewhere in this process; from any thread."""
        self._post.post(partial(_tell, self._followers, outcome))

    async def flushed(self) -> None:
        """Returns once everything that was queued before is committed or refused."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        if self._writer.take(_Job(Work(lambda: None), waiter, is_flush=True)):
            with suppress(Unavailable):
                await waiter

    @property
    def n_waiting(self) -> int:
        return self._writer.n_waiting

    def close(self) -> None:
        """Commits every queued write, then ends the thread."""
        self._writer.close()

    def _hand_over(self, done: list[Done]) -> None:
        self._post.post(partial(_answer, done, self._followers))


class _Writer:
    """A thread that commits what is queued for it, as much at a time as is there."""

    def __init__(self, hand_over: Callable[[list[Done]], None], hold: Hold | None) -> None:
        self._hand_over = hand_over
        self._hold = hold
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        # Whose dialogues another writer holds. They come first in the next batch: each dialogue's changes stay in order.
        self._busy: list[_Job] = []
        self._thread = threading.Thread(target=self._run, name="group-commit", daemon=True)
        self._thread.start()

    def take(self, job: _Job) -> bool:
        """False where too much waits already. Called on the loop only, so the queue cannot fill in between."""
        if self.n_waiting >= QUEUE_LIMIT:
            return False
        self._jobs.put(job)
        return True

    @property
    def n_waiting(self) -> int:
        return self._jobs.qsize() + len(self._busy)

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join(timeout=10)

    def _run(self) -> None:
        is_last = False
        while not is_last or self._busy:
            batch, has_ended = self._next_batch()
            is_last |= has_ended
            if batch:
                with metrics.TakingTime(metrics.COMMIT.observe):
                    made = list(zip(batch, self._outcomes([job.work for job in batch]), strict=True))
                self._busy, done = _parted(made)
                for result, n in Counter(_result_of(outcome) for _, outcome in done).items():
                    result.inc(n)
                if done:
                    self._hand_over(done)
        connection.close()

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """What waits, and whether nothing comes after it. Without anything it waits."""
        batch, wait_s = list(self._busy), BUSY_PAUSE_S if self._busy else None
        with suppress(Empty):
            job = self._jobs.get(timeout=wait_s)
            while job is not None:
                batch.append(job)
                # What was put off takes no place from what is new.
                if len(batch) - len(self._busy) >= BATCH_LIMIT:
                    return batch, False
                job = self._jobs.get_nowait()
            return batch, True
        return batch, False

    def _outcomes(self, works: list[Work]) -> list[Any]:
        """What became of each piece of work; whatever happens, the thread goes on and everybody is answered."""
        try:
            return outcomes_of(works, self._hold)
        except Exception as unforeseen:
            logger.exception("%d changes could not be committed.", len(works))
            return [unforeseen] * len(works)


def _parted(made: list[Done]) -> tuple[list[_Job], list[Done]]:
    """The jobs that are put off, and the others with their outcomes."""
    busy: list[_Job] = []
    done: list[Done] = []
    for job, outcome in made:
        if outcome is BUSY or (job.is_flush and busy):
            busy.append(job)
        else:
            done.append((job, outcome))
    return busy, done


def _result_of(outcome: Any) -> "metrics.Counter":
    """What is asked of a row that is gone is refused: no operator can mend it."""
    if isinstance(outcome, Refused | ObjectDoesNotExist):
        return metrics.REFUSED
    return metrics.FAILED if isinstance(outcome, Exception) else metrics.STORED


def _answer(done: list[Done], followers: Sequence[Follower]) -> None:
    """On the loop, once per batch: followers come before waiters, who may count on all that follows from their commit."""
    for job, outcome in done:
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
