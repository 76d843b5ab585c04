"""Keeps the stored leaderboards and their statistics up to date beside the sockets, so that no page computes one."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import close_old_connections
from django.utils import timezone

from leaderboards.actions import (
    compute_asked_previews,
    refresh_outdated_leaderboards,
    refresh_outdated_slices,
    refresh_outdated_statistics,
)

LOOK_EVERY_S = 0.5
LOOK_FOR_STATISTICS_EVERY_S = 5.0


class Ended(Exception):
    """The process ends: nobody waits for what is being computed."""


async def keep_leaderboards() -> None:
    """Computes leaderboards that scores were added to, for as long as the server process runs."""
    # Not Django's database thread: pages and sockets would wait for the seconds that a large board takes.
    await _look_again_and_again(_refresh, LOOK_EVERY_S, "leaderboards")


async def keep_statistics() -> None:
    """Computes the statistics of those leaderboards, in a thread of their own: no board waits for them."""
    has_ended = threading.Event()
    try:
        await _look_again_and_again(lambda: _refresh_statistics(has_ended), LOOK_FOR_STATISTICS_EVERY_S, "statistics")
    finally:
        has_ended.set()


async def _look_again_and_again(look: Callable[[], object], every_s: float, name: str) -> None:
    loop = asyncio.get_running_loop()
    thread = ThreadPoolExecutor(1, thread_name_prefix=name)
    try:
        while True:
            await asyncio.sleep(every_s)
            await loop.run_in_executor(thread, look)
    finally:
        # The end of the process does not wait for a board: the next process computes it.
        thread.shutdown(wait=False, cancel_futures=True)


def _refresh() -> int:
    close_old_connections()
    try:
        return refresh_outdated_leaderboards(at=timezone.now()) + compute_asked_previews(at=timezone.now())
    finally:
        close_old_connections()


def _refresh_statistics(has_ended: threading.Event) -> int:
    def stop_at_the_end(share: float) -> None:
        if has_ended.is_set():
            raise Ended

    close_old_connections()
    try:
        n_computed = refresh_outdated_statistics(at=timezone.now(), report_progress=stop_at_the_end)
        return n_computed + refresh_outdated_slices(at=timezone.now())
    except Ended:
        return 0
    finally:
        close_old_connections()
