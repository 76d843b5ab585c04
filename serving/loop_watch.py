"""Knows when the event loop stood still: stopped by the system, starved of a core, or held by slow work of ours.

A bot that could not be heard meanwhile was not slow. Time is the loop's own, monotonic: jumps of the clock are no
standstill.
"""

import asyncio

LOOK_EVERY_S = 0.1
# Being late by less is how a busy loop works; it excuses nobody whom the deadline gave seconds.
TOLERATED_S = 0.5


class LoopWatch:
    """`n_standstills` only grows; `last_s` is the length of the last one and `ended_at` the loop's time of its end.

    It is a timer, not a task: timers that fell due in a standstill run in the order of their times, so the count is
    up to date before anybody wakes whose deadline passed in it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.n_standstills = 0
        self.last_s = 0.0
        self.ended_at = loop.time()
        self._due = loop.time()
        self._timer = loop.call_soon(self._look)

    def _look(self) -> None:
        now = self._loop.time()
        late_s = now - self._due
        if late_s > TOLERATED_S:
            self.n_standstills += 1
            self.last_s, self.ended_at = late_s, now
        self._due = now + LOOK_EVERY_S
        self._timer = self._loop.call_at(self._due, self._look)

    def just_ended_s(self) -> float:
        """The length of a standstill that ended just now: what is read at its end may have come at its beginning."""
        return self.last_s if self._loop.time() - self.ended_at < LOOK_EVERY_S else 0.0

    def close(self) -> None:
        self._timer.cancel()
