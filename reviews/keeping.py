"""Looks after reviewing beside the sockets: places are drawn, reservations run out, another policy counts anew."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import close_old_connections
from django.utils import timezone

from reviews.actions.tending import tend_reviewing

LOOK_EVERY_S = 5.0


async def keep_reviewing() -> None:
    """Tends the reviewing of all campaigns for as long as the server process runs."""
    loop = asyncio.get_running_loop()
    # Not Django's database thread: pages and sockets would wait for a large drawing.
    thread = ThreadPoolExecutor(1, thread_name_prefix="reviewing")
    seen: dict[int, Any] = {}
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await loop.run_in_executor(thread, _tend, seen)
    finally:
        thread.shutdown(wait=False, cancel_futures=True)


def _tend(seen: dict[int, Any]) -> int:
    close_old_connections()
    try:
        return tend_reviewing(at=timezone.now(), seen=seen)
    finally:
        close_old_connections()
