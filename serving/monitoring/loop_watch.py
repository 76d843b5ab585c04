"""A clock that stands still while the event loop does: stopped by the system, starved of a core, or held by slow work of ours.

A bot whose answer waited meanwhile was not slow. Time is the loop's own and monotonic: clock jumps are no
standstill.
"""

import asyncio
from typing import Protocol
from weakref import WeakSet

from serving.monitoring.metrics import STANDSTILLS

LOOK_EVERY_S = 0.1
# Being late by less is how a busy loop works; it is no standstill.
TOLERATED_S = 0.5


class HearsStandstills(Protocol):
    def stood_still(self, late_s: float) -> None:
        """The loop stood still for `late_s` until now; called before loop timers that came due meanwhile."""


class LoopWatch:
    """Looks on a timer whether the loop was late; a standstill is measured from when the look was due, so up to `LOOK_EVERY_S` too short."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._stood_s = 0.0
        self._ended_at = float("-inf")
        self._listeners: WeakSet[HearsStandstills] = WeakSet()
        self._due = loop.time()
        self._timer = loop.call_soon(self._look)

    def time(self) -> float:
        """The loop's time without its standstills, the one included that ends in this very round of the loop."""
        return self._loop.time() - self._stood_s - self._late_s()

    def last_standstill_ended_at(self) -> float:
        """When a standstill ended last, by the loop's time."""
        return self._loop.time() if self._late_s() else self._ended_at

    def tell(self, listener: HearsStandstills) -> None:
        """Tells the listener of each standstill for as long as it lives."""
        self._listeners.add(listener)

    def close(self) -> None:
        self._timer.cancel()

    def _late_s(self) -> float:
        """By how much the look is overdue: what runs before it, in the round after a standstill, needs to know as well."""
        late_s = self._loop.time() - self._due
        return late_s if late_s > TOLERATED_S else 0.0

    def _look(self) -> None:
        if late_s := self._late_s():
            self._stood_s += late_s
            STANDSTILLS.inc(late_s)
            self._ended_at = self._loop.time()
            for listener in list(self._listeners):
                listener.stood_still(late_s)
        self._due = self._loop.time() + LOOK_EVERY_S
        self._timer = self._loop.call_at(self._due, self._look)
