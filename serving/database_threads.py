"""Threads with a database connection of their own, and how each connection is given back.

Django opens a connection in each thread that asks for one. SQLite's stay open (`CONN_MAX_AGE`), and a thread that ends
leaves its own to the garbage collector: such a thread closes it here, or is used again together with it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from asgiref.sync import ThreadSensitiveContext
from django.db import close_old_connections, connections

from serving.jobs import job

T = TypeVar("T")

# As many as PostgreSQL's pool has connections.
IDLE_REQUEST_THREADS = 8


def with_usable_connection(work: Callable[..., T], *arguments: object) -> T:
    """What `work` gives. A connection that died before it is replaced, one that breaks in it is closed after it."""
    close_old_connections()
    try:
        return work(*arguments)
    finally:
        close_old_connections()


def with_closed_connection(work: Callable[..., T], *arguments: object) -> T:
    """What `work` gives; for threads that may end without another word."""
    try:
        return work(*arguments)
    finally:
        connections.close_all()


class DatabaseThread:
    """One thread beside the one that sockets share, which would keep all of them waiting."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def run(self, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, with_usable_connection, partial(work, *arguments, **named))

    def end(self) -> None:
        """Returns at once; running work ends first, then the connection is closed."""
        self._thread.submit(connections.close_all)
        self._thread.shutdown(wait=False)


async def look_again_and_again(look: Callable[[], int | None], *, every_s: float, name: str) -> None:
    """Looks for as long as the server process runs, whose end waits for no look: the next process takes it up.

    A look gives how much it found to do; one that gives nothing leaves no line in the log.
    """
    thread = DatabaseThread(name)
    try:
        while True:
            await asyncio.sleep(every_s)
            with job(name) as done:
                n_done: int | None = await thread.run(look)
                done.n = n_done or 0
    finally:
        thread.end()


class RequestThreads:
    """Lends a thread to each request. A returned one keeps its connection for the next request.

    Opening SQLite costs a page a quarter of its time, so a few threads are kept; those beyond close and end.
    """

    def __init__(self, n_idle: int = IDLE_REQUEST_THREADS) -> None:
        self._n_idle = n_idle
        # The last one returned is lent first. Both ends of the list are atomic, and only the event loop takes.
        self.idle: list[ThreadPoolExecutor] = []

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[None]:
        """Within the block all that is sensitive to the thread runs in the one lent."""
        thread = self.idle.pop() if self.idle else ThreadPoolExecutor(1, thread_name_prefix="request")
        try:
            async with ThreadSensitiveContext(executor=thread):
                yield
        finally:
            # In the thread itself: a view whose client has left may still run there.
            thread.submit(self._take_back, thread)

    def _take_back(self, thread: ThreadPoolExecutor) -> None:
        if len(self.idle) < self._n_idle:
            close_old_connections()
            self.idle.append(thread)
        else:
            connections.close_all()
            thread.shutdown(wait=False)
