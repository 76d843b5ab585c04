"""Freezes what was ordered and notes publications whose day has come, beside the sockets."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import close_old_connections
from django.utils import timezone

from leaderboards.publication.actions.freezing import carry_out_orders
from leaderboards.publication.actions.publishing import follow_publications

LOOK_EVERY_S = 1.0


async def keep_publications() -> None:
    """Looks for as long as the server process runs."""
    await keep_looking(look, thread_name="publications")


async def keep_looking(look: Callable[[], None], *, thread_name: str) -> None:
    loop = asyncio.get_running_loop()
    # A thread of its own: a bundle may take a minute, and boards are computed meanwhile.
    thread = ThreadPoolExecutor(1, thread_name_prefix=thread_name)
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await loop.run_in_executor(thread, look)
    finally:
        # The end of the process waits for no bundle: another process begins it again.
        thread.shutdown(wait=False, cancel_futures=True)


def look() -> None:
    close_old_connections()
    try:
        follow_publications(at=timezone.now())
        carry_out_orders(at=timezone.now())
    finally:
        close_old_connections()
