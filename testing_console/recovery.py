"""Finds the waiting turns that nobody will settle any more, so that their testers can go on.

What is waited for is measured on the monotonic clock of the process that looks: the machine's clock may jump by an
hour and neither fails a turn nor leaves one waiting.
"""

import time
from collections.abc import Callable
from uuid import UUID

from django.utils import timezone

from participants.outbound import OWN_WAIT_LIMIT_S
from testing_console.actions import recover_interrupted
from testing_console.models import Turn
from testing_console.owner import Owner

# How long the outcome of a call may take from the bot's deadline to its commit.
SETTLE_GRACE_S = 5.0


class Recovery:
    """Sweeps over all waiting turns, those of other processes too. Runs in the writer thread only."""

    def __init__(
        self, owner: Owner, is_asking: Callable[[UUID], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._owner = owner
        self._is_asking = is_asking
        self._clock = clock
        # When each attempt was first seen waiting; only those that the last sweep met are kept.
        self._first_seen: dict[tuple[int, int], float] = {}

    def sweep(self) -> int:
        """Fails, as interrupted, every turn that is lost; gives how many."""
        before, self._first_seen = self._first_seen, {}
        now = self._clock()

        def is_lost(turn: Turn) -> bool:
            attempt = (turn.pk, turn.attempt_number)
            since = self._first_seen[attempt] = before.get(attempt, now)
            return self._owner.is_gone(turn.owner) or now - since > self._patience_s(turn)

        return recover_interrupted(at=timezone.now(), is_lost=is_lost)

    def _patience_s(self, turn: Turn) -> float:
        """Seconds for which a waiting turn is left to its owner."""
        if turn.owner != self._owner.name:
            return turn.dialogue.assignment.campaign.reply_deadline_s + OWN_WAIT_LIMIT_S + SETTLE_GRACE_S
        return float("inf") if self._is_asking(turn.dialogue_id) else SETTLE_GRACE_S
