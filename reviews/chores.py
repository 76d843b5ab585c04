"""Reviewing in the background: places are drawn, reservations expire, policy changes are counted, failures are booked to the platform."""

import asyncio
import logging
import time
from typing import Any

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from dialogues.actions.deciding import InFlight, NotPossible
from dialogues.actions.ledger import WaitingTurn
from reviews.actions.deciding import book_to_platform
from reviews.actions.tending import tend_reviewing
from serving.database_threads import DatabaseThread
from testing_console.live.floor import Floor, current

logger = logging.getLogger("huace.bookings")

LOOK_EVERY_S = 5.0
# Rest as a multiple of the last look, which takes most of a second for 100,000 dialogues; and the longest rest that reviewers accept.
PAUSES_PER_LOOK = 20
LONGEST_PAUSE_S = 60.0


async def keep_reviewing() -> None:
    """Tends the reviewing of all campaigns for as long as the server process runs."""
    thread = DatabaseThread("reviewing")
    seen: dict[int, Any] = {}
    pause = LOOK_EVERY_S
    try:
        while True:
            await asyncio.sleep(pause)
            pause = await thread.run(_tend, seen)
    finally:
        thread.end()


def _tend(seen: dict[int, Any]) -> float:
    """Gives the seconds until the next look; a drawing is followed up at once."""
    began = time.monotonic()
    n_drawn = tend_reviewing(at=timezone.now(), seen=seen)
    return LOOK_EVERY_S if n_drawn else pause_after(time.monotonic() - began)


def pause_after(looked_s: float) -> float:
    return max(LOOK_EVERY_S, min(LONGEST_PAUSE_S, PAUSES_PER_LOOK * looked_s))


async def keep_bookings() -> None:
    """Books the failures that turned out to be the platform's, for as long as the server process runs.

    They change what counts, as an organizer's booking does, so they are made here and not in the group commit: the
    campaign's row, which `recount` holds until the commit, is locked after every dialogue.
    """
    loop, floor = asyncio.get_running_loop(), current()
    thread = DatabaseThread("bookings")
    to_book = floor.breakers.taken_back
    try:
        while True:
            asked = await to_book.get()
            if not await thread.run(_book, floor, asked):
                loop.call_later(LOOK_EVERY_S, to_book.put_nowait, asked)
            to_book.task_done()
    finally:
        thread.end()


def _book(floor: Floor, asked: WaitingTurn) -> bool:
    """Whether nothing is left to do about it."""
    try:
        floor.commits.announce(book_to_platform(asked=asked, at=timezone.now()))
    except (InFlight, OperationalError, InterfaceError):
        return False
    except NotPossible as why:
        logger.info("A failure in dialogue %s stays as it is booked: %s", asked.dialogue_id, why)
    except Exception:
        logger.exception("A failure in dialogue %s could not be booked to the platform.", asked.dialogue_id)
    return True
