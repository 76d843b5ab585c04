"""When a bot that fails is paused by the platform, and when it is asked again. Pure.

talked to ── five failures in a row, in more than one dialogue ──▶ paused ── a probe is answered ──▶ talked to
                                                                     └── a probe fails: the next one comes later

A bot that fails again soon after it was let go on waits twice as long as before: answering one word is not talking.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

FAILURES_IN_A_ROW = 5
FIRST_PROBE_AFTER = timedelta(seconds=30)
LATEST_PROBE_AFTER = timedelta(minutes=10)
# A bot that is paused again sooner had answered a probe and no more.
HELD_OUT = timedelta(hours=1)


class Failed(NamedTuple):
    """A failure that is the bot's fault, and the dialogue that it was in."""

    at: datetime
    dialogue: object


def is_failing(latest: Sequence[Failed], answered_at: datetime | None) -> bool:
    """Whether the latest failures, newest first, are enough. One dialogue alone may ask what a bot has no answer to."""
    row = latest[:FAILURES_IN_A_ROW]
    if len(row) < FAILURES_IN_A_ROW or (answered_at is not None and answered_at >= row[-1].at):
        return False
    return len({one.dialogue for one in row}) > 1


def probes_counted(n_probes: int, resumed_at: datetime | None, at: datetime) -> int:
    """The number of probes from which a new pause counts on: none, unless the bot was resumed lately."""
    return n_probes if resumed_at is not None and at - resumed_at < HELD_OUT else 0


def pause_before_probe(n_probes: int) -> timedelta:
    """How long after the last failure the next probe comes: twice as long each time, ten minutes at most."""
    # Ten times doubled is over the limit already; more would only make a number that nothing can hold.
    return min(LATEST_PROBE_AFTER, FIRST_PROBE_AFTER * 2 ** min(n_probes, 10))


def pause_after_probe(n_probes: int, longest: timedelta) -> timedelta:
    """How long after a probe was begun the next one comes: never beside it, however `longest` its answer may take."""
    return max(pause_before_probe(n_probes), longest)
