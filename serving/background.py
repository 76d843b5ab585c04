"""Work beside the sockets that must not end silently: every error is logged, and the work restarts after a pause."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from django.db import InterfaceError, OperationalError

logger = logging.getLogger("huace.background")

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0


async def supervised(name: str, work: Callable[[], Awaitable[None]]) -> None:
    """Runs `work()` until it ends by itself; after an error it restarts, with pauses that double up to a limit."""
    loop = asyncio.get_running_loop()
    pause_s = FIRST_PAUSE_S
    while True:
        began = loop.time()
        try:
            await work()
            return
        except Exception as error:
            if loop.time() - began > LONGEST_PAUSE_S:
                pause_s = FIRST_PAUSE_S
            _log(name, error, pause_s)
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


def _log(name: str, error: Exception, pause_s: float) -> None:
    """One line while the database or Redis is away, which many find out at once; else the traceback."""
    is_of_redis = type(error).__module__.partition(".")[0] == "redis"
    if is_of_redis or isinstance(error, OperationalError | InterfaceError | ConnectionError):
        logger.warning("%s waits %g s for what it needs: %s", name, pause_s, error)
    else:
        logger.error("%s failed and begins anew in %g s.", name, pause_s, exc_info=error)


class Background:
    """The tasks of one event loop that nobody awaits."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        # The loop itself holds tasks weakly: without this they could vanish in the middle.
        self._tasks: set[asyncio.Task[None]] = set()

    def keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Runs `work` supervised for as long as the process lives."""
        self._start(supervised(name, work))

    def once(self, name: str, work: Coroutine[Any, Any, Any]) -> asyncio.Task[None]:
        """Runs `work` once; an error is logged."""
        task = self._start(_logged(name, work))
        # Cancelled before its first step, the task never awaits the work.
        task.add_done_callback(lambda _: work.close())
        return task

    def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _logged(name: str, work: Coroutine[Any, Any, Any]) -> None:
    try:
        await work
    except Exception:
        logger.exception("%s failed.", name)
