"""Looks after reviewing beside the sockets: places are drawn, reservations run out, another policy counts anew, failures are booked to the platform."""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import InterfaceError, OperationalError, close_old_connections
from django.utils import timezone

from reviews.actions.deciding import book_to_platform
from reviews.actions.tending import tend_reviewing
from testing_console.actions.deciding import InFlight, NotPossible
from testing_console.actions.outcomes import WaitingTurn
from testing_console.live.floor import Floor, current

logger = logging.getLogger("huace.bookings")

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


async def keep_bookings() -> None:
    """Books the failures that turned out to be the platform's, for as long as the server process runs.

    They change what counts, as an organizer's booking does, so they are made here and not in the group commit: the
    campaign's row, which `recount` holds until the commit, is locked after every dialogue.
    """
    loop, floor = asyncio.get_running_loop(), current()
    thread = ThreadPoolExecutor(1, thread_name_prefix="bookings")
    to_book = floor.breakers.taken_back
    try:
        while True:
            asked = await to_book.get()
            if not await loop.run_in_executor(thread, _book, floor, asked):
                loop.call_later(LOOK_EVERY_S, to_book.put_nowait, asked)
            to_book.task_done()
    finally:
        thread.shutdown(wait=False, cancel_futures=True)


def _book(floor: Floor, asked: WaitingTurn) -> bool:
    """Whether nothing is left to do about it."""
    close_old_connections()
    try:
        floor.commits.announce(book_to_platform(asked=asked, at=timezone.now()))
    except (InFlight, OperationalError, InterfaceError):
        return False
    except NotPossible as why:
        logger.info("A failure in dialogue %s stays as it is booked: %s", asked.dialogue_id, why)
    except Exception:
        logger.exception("A failure in dialogue %s could not be booked to the platform.", asked.dialogue_id)
    finally:
        close_old_connections()
    return True
