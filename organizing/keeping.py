"""Keeps the stored meta-evaluations up to date beside the sockets, so that no page computes one."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from django.db import close_old_connections
from django.utils import timezone

from organizing.actions import refresh_outdated_meta_evaluations

LOOK_EVERY_S = 1.0


async def keep_meta_evaluations() -> None:
    """Computes the correlations whose figures changed, for as long as the server process runs."""
    loop = asyncio.get_running_loop()
    # Not Django's database thread: pages and sockets would wait for the seconds that many pairs take.
    thread = ThreadPoolExecutor(1, thread_name_prefix="meta-evaluation")
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await loop.run_in_executor(thread, _refresh)
    finally:
        # The end of the process does not wait for a computation: the next process does it.
        thread.shutdown(wait=False, cancel_futures=True)


def _refresh() -> int:
    close_old_connections()
    try:
        return refresh_outdated_meta_evaluations(at=timezone.now())
    finally:
        close_old_connections()
