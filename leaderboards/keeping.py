"""Keeps the stored leaderboards up to date beside the sockets, so that no page computes one."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from django.db import close_old_connections
from django.utils import timezone

from leaderboards.actions import refresh_outdated_leaderboards

LOOK_EVERY_S = 0.5


async def keep_leaderboards() -> None:
    """Computes leaderboards that scores were added to, for as long as the server process runs."""
    loop = asyncio.get_running_loop()
    # Not Django's database thread: pages and sockets would wait for the seconds that a large board takes.
    thread = ThreadPoolExecutor(1, thread_name_prefix="leaderboards")
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await loop.run_in_executor(thread, _refresh)
    finally:
        # The end of the process does not wait for a board: the next process computes it.
        thread.shutdown(wait=False, cancel_futures=True)


def _refresh() -> int:
    close_old_connections()
    try:
        return refresh_outdated_leaderboards(at=timezone.now())
    finally:
        close_old_connections()
