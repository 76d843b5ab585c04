"""Looks after reviewing beside the sockets: places are drawn, reservations run out, another policy counts anew."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import close_old_connections
from django.utils import timezone

from reviews.actions.tending import tend_reviewing

LOOK_EVERY_S = 5.0
# Looking at 100,000 dialogues takes most of a second: so many times as long it rests, but not longer than a reviewer would wait.
PAUSES_PER_LOOK = 20
LONGEST_PAUSE_S = 60.0


async def keep_reviewing() -> None:
    """Tends the reviewing of all campaigns for as long as the server process runs."""
    loop = asyncio.get_running_loop()
    # Not Django's database thread: pages and sockets would wait for a large drawing.
    thread = ThreadPoolExecutor(1, thread_name_prefix="reviewing")
    seen: dict[int, Any] = {}
    pause = LOOK_EVERY_S
    try:
        while True:
            await asyncio.sleep(pause)
            pause = await loop.run_in_executor(thread, _tend, seen)
    finally:
        thread.shutdown(wait=False, cancel_futures=True)


def _tend(seen: dict[int, Any]) -> float:
    """Gives the seconds until the next look; a drawing is followed up at once."""
    close_old_connections()
    began = time.monotonic()
    try:
        n_drawn = tend_reviewing(at=timezone.now(), seen=seen)
    finally:
        close_old_connections()
    return LOOK_EVERY_S if n_drawn else pause_after(time.monotonic() - began)


def pause_after(looked_s: float) -> float:
    return max(LOOK_EVERY_S, min(LONGEST_PAUSE_S, PAUSES_PER_LOOK * looked_s))
