"""How one bot does today, from what came of its calls one after the other. Pure."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil

from organizing.wall.rows import CallsShown, FailureShown
from participants.failures import Fault

STRIP_MINUTES = 60
# A bot that failed so often in a row is failing, until it answers.
FAILING_IN_A_ROW = 3


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What came of one call: a reply with its latency, or a failure with kind and fault."""

    at: datetime
    dialogue: str
    turn: int
    latency_ms: int | None = None
    kind: str = ""
    fault: str = ""

    @property
    def is_answer(self) -> bool:
        return not self.kind

    @property
    def is_bots_failure(self) -> bool:
        return self.fault == Fault.BOT


@dataclass(slots=True)
class Minute:
    """One bar of the strip."""

    latencies_ms: list[int] = field(default_factory=list)
    n_failed: int = 0


@dataclass(slots=True)
class Health:
    """Counts of today, the last hour minute by minute, and the failures in a row that stand now.

    Failures that are not the bot's fault are counted apart: they say nothing about the bot, and end no row of failures.
    """

    n_answered: int = 0
    n_failed: int = 0
    n_excused: int = 0
    n_in_a_row: int = 0
    failing_since: datetime | None = None
    last_failure: CallOutcome | None = None
    minutes: deque[tuple[int, Minute]] = field(default_factory=deque)
    # What was shown last, and in which minute: it is asked for at every look, and hours of latencies are sorted for it.
    _shown: tuple[int, CallsShown] | None = None

    def hear(self, outcome: CallOutcome) -> None:
        self._shown = None
        if outcome.is_answer:
            self.n_answered += 1
            self.n_in_a_row, self.failing_since = 0, None
        elif outcome.is_bots_failure:
            self.n_failed += 1
            self.n_in_a_row += 1
            self.failing_since = self.failing_since or outcome.at
        else:
            self.n_excused += 1
        if not outcome.is_answer:
            self.last_failure = outcome
        number = minute_of(outcome.at)
        # Outcomes of two processes may come in the wrong order by a moment: such a one counts in the newest minute.
        if not self.minutes or self.minutes[-1][0] < number:
            self.minutes.append((number, Minute()))
        minute = self.minutes[-1][1]
        if outcome.latency_ms is not None:
            minute.latencies_ms.append(outcome.latency_ms)
        minute.n_failed += outcome.is_bots_failure

    @property
    def is_failing(self) -> bool:
        return self.n_in_a_row >= FAILING_IN_A_ROW

    def shown(self, at: datetime) -> CallsShown:
        """What the wall shows at that time; `strip` has a pair per minute: the median latency (0: none) and the failures."""
        now = minute_of(at)
        if self._shown is None or self._shown[0] != now:
            self._shown = (now, self._computed(now - STRIP_MINUTES + 1))
        return self._shown[1]

    def _computed(self, first: int) -> CallsShown:
        while self.minutes and self.minutes[0][0] < first:
            self.minutes.popleft()
        by_number = dict(self.minutes)
        hour = sorted(latency for minute in by_number.values() for latency in minute.latencies_ms)
        empty = Minute()
        drawn = [by_number.get(first + place, empty) for place in range(STRIP_MINUTES)]
        return {
            "answered": self.n_answered,
            "failed": self.n_failed,
            "excused": self.n_excused,
            "in_a_row": self.n_in_a_row,
            "p50_ms": at_share(hour, 0.5),
            "p95_ms": at_share(hour, 0.95),
            "strip": [(at_share(sorted(one.latencies_ms), 0.5) or 0, one.n_failed) for one in drawn],
            "last_failure": shown_failure(self.last_failure),
        }


def shown_failure(failure: CallOutcome | None) -> FailureShown | None:
    if failure is None:
        return None
    return {
        "at": failure.at.isoformat(),
        "kind": failure.kind,
        "fault": failure.fault,
        "dialogue": failure.dialogue,
        "turn": failure.turn,
    }


def minute_of(at: datetime) -> int:
    return int(at.timestamp() // 60)


def at_share(ordered: Sequence[int], share: float) -> int | None:
    """The smallest of the ordered values that is not below that share of them; None where there are none."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else None
