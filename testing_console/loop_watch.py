"""Knows how long the event loop stood still: stopped by the system, starved of a core, or held by slow work of ours.

A bot that could not be heard meanwhile was not slow. Time is the loop's own, monotonic: jumps of the clock are no
standstill.
"""

import asyncio

LOOK_EVERY_S = 0.1
# Being late by less is how a busy loop works.
TOLERATED_S = 0.05


class LoopWatch:
    """`stalled_s` is the sum of all standstills since the start; it only grows.

    It is a timer, not a task: timers that fell due in a standstill run in the order of their times, so the sum is
    up to date before anybody wakes whose deadline passed in it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.stalled_s = 0.0
        self._due = loop.time()
        self._timer = loop.call_soon(self._look)

    def _look(self) -> None:
        now = self._loop.time()
        late_s = now - self._due
        if late_s > TOLERATED_S:
            self.stalled_s += late_s
        self._due = now + LOOK_EVERY_S
        self._timer = self._loop.call_at(self._due, self._look)

    def close(self) -> None:
        self._timer.cancel()
