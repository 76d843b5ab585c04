"""The time of a check or a fingerprint, which stands while our loop does, and while all of its calls wait for something of ours: mostly for a place at a bot that others talk to."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress

from participants.outbound.line import OnWait, unheard
from serving.monitoring.loop_watch import LoopWatch

# What goes around each call, and gives what the call tells whether it waits for us.
Calls = Callable[[], AbstractContextManager[OnWait]]


def unclocked() -> AbstractContextManager[OnWait]:
    """Around calls that have no time in common."""
    return nullcontext(unheard)


class Clock:
    """`limit` ends after `limit_s` of the bot's time, or when the waits together took `wait_limit_s`."""

    def __init__(self, limit_s: float, wait_limit_s: float, watch: LoopWatch) -> None:
        self._now = asyncio.get_running_loop().time
        self._ends_at = self._now() + limit_s
        self._wait_left_s = wait_limit_s
        self._stands_since: float | None = None
        # Whether each call that goes on waits for us.
        self._waits: dict[object, bool] = {}
        self.limit = asyncio.timeout_at(self._ends_at)
        watch.tell(self)

    @property
    def stands(self) -> bool:
        """Whether all calls wait now, or did so when the time was up."""
        return self._stands_since is not None

    def stood_still(self, late_s: float) -> None:
        # While all calls wait, the time that they waited is added as a whole.
        if self.stands or self.limit.expired():
            return
        self._ends_at += late_s
        with suppress(RuntimeError):  # its check is over
            self.limit.reschedule(self._ends_at)

    @contextmanager
    def call(self) -> Iterator[OnWait]:
        call = object()

        def hear(is_waiting: bool) -> None:
            self._waits[call] = is_waiting
            self._look()

        self._waits[call] = False
        self._look()
        try:
            yield hear
        finally:
            del self._waits[call]
            self._look()

    def _look(self) -> None:
        stands = bool(self._waits) and all(self._waits.values())
        # The end of the time cancels calls; heard, they would start the clock, and `stands` would be false afterwards.
        if stands == self.stands or self.limit.expired():
            return
        if self._stands_since is None:
            self._stands_since = self._now()
            self.limit.reschedule(self._stands_since + self._wait_left_s)
        else:
            waited_s, self._stands_since = self._now() - self._stands_since, None
            self._wait_left_s -= waited_s
            self._ends_at += waited_s
            self.limit.reschedule(self._ends_at)
