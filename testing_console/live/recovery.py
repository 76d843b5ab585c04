"""Finds waiting turns whose process is gone, so that their testers can go on; closes silent dialogues.

What is waited for is measured on the monotonic clock of the process that looks: the machine's clock may jump by an
hour and neither fails a turn nor leaves one waiting.
"""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils import timezone

from dialogues.actions import Outcome, abandon_dialogue, close_overdue_dialogue, recover_interrupted
from dialogues.models import Turn
from dialogues.queries import look_up, overdue_dialogues, silent_dialogues
from dialogues.turn_taking import Refusal
from participants.adapters.pictures import PICTURES_LIMIT_S
from participants.outbound import OWN_WAIT_LIMIT_S
from serving.commits.group_commit import Unavailable
from serving.processes import ProcessName

if TYPE_CHECKING:
    from testing_console.live.floor import Floor

# How long the outcome of a call may take from the bot's deadline to its commit.
SETTLE_GRACE_S = 5.0
LOOK_EVERY_S = 20.0


class Recovery:
    """Sweeps over all waiting turns, those of other processes too. Runs in the writer thread only."""

    def __init__(
        self, owner: ProcessName, is_asking: Callable[[UUID], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._owner = owner
        self._is_asking = is_asking
        self._clock = clock
        # When each attempt was first seen waiting, and its patience then: a deadline that the organizer lowers since
        # must not end a call that has the old one. Entries that the last sweep did not meet are dropped; after a sweep
        # that failed all ages restart, which gives owners time to store their outcomes.
        self._first_seen: dict[tuple[int, int], tuple[float, float]] = {}

    def sweep(self) -> Outcome:
        """Fails, as interrupted, every turn that is lost."""
        before, self._first_seen = self._first_seen, {}
        now = self._clock()

        def is_lost(turn: Turn) -> bool:
            attempt = (turn.pk, turn.attempt_number)
            since, patience_s = self._first_seen[attempt] = before.get(attempt) or (now, self._patience_s(turn))
            if turn.owner == self._owner.name:
                return now - since > SETTLE_GRACE_S and not self._is_asking(turn.dialogue_id)
            return self._owner.is_ended(turn.owner) or now - since > patience_s

        return recover_interrupted(at=timezone.now(), is_lost=is_lost)

    @staticmethod
    def _patience_s(turn: Turn) -> float:
        """Seconds for which a waiting turn is left to another process."""
        deadline_s = turn.dialogue.assignment.campaign.reply_deadline_s
        return deadline_s + OWN_WAIT_LIMIT_S + PICTURES_LIMIT_S + SETTLE_GRACE_S


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
    # Imported here: the floor imports `Recovery`, and either module may be imported first.
    from testing_console.live import floor

    clock = SteadyClock()
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        await close_what_is_silent(floor.current(), clock.now())


async def close_what_is_silent(on: "Floor", at: datetime) -> None:
    """One look. What the database has no time for is found again by the next."""
    for find, close in ((silent_dialogues, abandon_dialogue), (overdue_dialogues, close_overdue_dialogue)):
        for dialogue_id in await look_up(find, at):
            try:
                # Through the group commit, whose followers tell the sockets; a turn that came meanwhile keeps it open.
                await on.commits.submit(partial(close, dialogue_id=dialogue_id, at=at), about=dialogue_id)
            except Unavailable:
                return
            except Refusal:
                # Deleted meanwhile.
                continue
