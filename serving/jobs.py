"""Work that nobody waits for: timed for Prometheus by its name, with a line of the log where it did something; a worker's loop."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar
from uuid import UUID

from serving.monitoring.metrics import JOBS

T = TypeVar("T")

logger = logging.getLogger("huace.job")


@dataclass(slots=True)
class Done:
    """How much was found to do."""

    n: int = 1


@contextmanager
def job(name: str, **ids: int | UUID) -> Iterator[Done]:
    """`name` is a word of the program; `ids` say what the work is about, by numbers alone."""
    done, began, failure = Done(), perf_counter(), ""
    try:
        yield done
    except BaseException as error:
        failure = type(error).__name__
        raise
    finally:
        took_s = perf_counter() - began
        JOBS.labels(name).observe(took_s)
        if (done.n or failure) and logger.isEnabledFor(logging.INFO):
            fields = {"job": name, "n": done.n, "ms": round(took_s * 1000, 1), **ids}
            logger.info("job", extra={"fields": fields | ({"failed": failure} if failure else {})})


async def carry_out_due(
    claim: Callable[[], Awaitable[T | None]],
    carry_out: Callable[[T], Awaitable[None]],
    *,
    at_once: int,
    every_s: float,
    is_enough: Callable[[], Awaitable[bool]] | None = None,
) -> None:
    """Claims what is due and carries it out, at most `at_once` at a time, until `is_enough` says so, by default for ever.

    When it ends, what runs is cancelled and waited for.
    """
    running = set[asyncio.Task[None]]()
    try:
        while is_enough is None or not await is_enough():
            running = {task for task in running if not task.done()}
            due = await claim() if len(running) < at_once else None
            if due is not None:
                running.add(asyncio.ensure_future(carry_out(due)))
            else:
                await asyncio.sleep(every_s)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
