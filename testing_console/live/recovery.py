"""Finds the waiting turns that nobody will settle any more, so that their testers can go on.

What is waited for is measured on the monotonic clock of the process that looks: the machine's clock may jump by an
hour and neither fails a turn nor leaves one waiting.
"""

import time
from collections.abc import Callable
from uuid import UUID

from django.utils import timezone

from dialogues.actions import Outcome, recover_interrupted
from dialogues.models import Turn
from participants.outbound import OWN_WAIT_LIMIT_S
from serving.process_names import ProcessName

# How long the outcome of a call may take from the bot's deadline to its commit.
SETTLE_GRACE_S = 5.0


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
        # that failed all ages begin anew, which gives owners time to store what they could not.
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
        return turn.dialogue.assignment.campaign.reply_deadline_s + OWN_WAIT_LIMIT_S + SETTLE_GRACE_S
