"""Hands work from any thread to the event loop."""

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable
from contextvars import Context

logger = logging.getLogger("huace.loop_post")


class LoopPost:
    """Hands callables from any thread to the event loop, waking it once for all that wait (a wake-up is a syscall).

    They run in an empty context: a task begun in that of a request could ask the database only until the request ends.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Callable[[], None]] = deque()
        self._lock = threading.Lock()
        self._is_scheduled = False

    def post(self, work: Callable[[], None]) -> None:
        with self._lock:
            self._waiting.append(work)
            if self._is_scheduled:
                return
            self._is_scheduled = True
        self._loop.call_soon_threadsafe(self._run, context=Context())

    def _run(self) -> None:
        with self._lock:
            self._is_scheduled = False
            n_waiting = len(self._waiting)
        for _ in range(n_waiting):
            try:
                self._waiting.popleft()()
            except Exception:
                # What comes after it must not wait for the next post.
                logger.exception("Work that was posted to the event loop failed.")
