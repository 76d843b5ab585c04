"""Closes dialogues in which nothing was said for the campaign's time, or whose time is over: their assignments open again."""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.utils import timezone

from dialogues.actions import abandon_dialogue, close_overdue_dialogue
from dialogues.queries import look_up, overdue_dialogues, silent_dialogues
from serving.group_commit import Unavailable
from testing_console.live import floor

LOOK_EVERY_S = 20.0


class SteadyClock:
    """The time of day as it went on since this was made, or that of the machine if it is earlier.

    So a machine's clock that jumps ahead closes no dialogue: what was said before the jump seems silent for no longer
    than it was.
    """

    def __init__(
        self, wall: Callable[[], datetime] = timezone.now, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._began_at, self._began = wall(), monotonic()

    def now(self) -> datetime:
        return min(self._wall(), self._began_at + timedelta(seconds=self._monotonic() - self._began))


async def close_silent_dialogues() -> None:
    """Looks for silent dialogues for as long as the server process runs; whichever process comes first closes one."""
    clock = SteadyClock()
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        await close_what_is_silent(floor.current(), clock.now())


async def close_what_is_silent(on: "floor.Floor", at: datetime) -> None:
    """One look. What the database has no time for is found again by the next."""
    for find, close in ((silent_dialogues, abandon_dialogue), (overdue_dialogues, close_overdue_dialogue)):
        for dialogue_id in await look_up(find, at):
            try:
                # Through the group commit, whose followers tell the sockets; a turn that came meanwhile keeps it open.
                await on.commits.submit(partial(close, dialogue_id=dialogue_id, at=at), about=dialogue_id)
            except Unavailable:
                return
