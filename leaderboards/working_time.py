"""How long people were at work, from the times that are stored of what they did. Pure.

The rule: the acts of a person in a campaign, in whatever role, stand in one order. The time between two that follow each
other counts if it is `PAUSE_LIMIT` at most, and for the role of the second; anything longer is a pause and left out. Nothing
is counted before the first act, nor before the first after a pause: no stored time says when that work began. So dialogues
that a tester has open at once are not counted twice, and a form left open overnight counts nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

# A long dialogue is read in this time; nobody looks at one goal or one form much longer.
PAUSE_LIMIT = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Act:
    """Something done at a time; `finishes` says whether a dialogue, review or vetting was done with it."""

    at: datetime
    role: str
    finishes: bool = False


@dataclass(slots=True)
class Work:
    """What somebody did in one role."""

    first_at: datetime
    last_at: datetime
    n_finished: int = 0
    n_pauses: int = 0
    time: timedelta = timedelta()

    @property
    def minutes(self) -> float:
        return round(self.time.total_seconds() / 60, 2)


def work_by_role(acts: Iterable[Act]) -> dict[str, Work]:
    """The work of one person by role, from all their acts in any order."""
    works: dict[str, Work] = {}
    before: Act | None = None
    for act in sorted(acts, key=lambda act: act.at):
        work = works.setdefault(act.role, Work(act.at, act.at))
        work.last_at = act.at
        work.n_finished += act.finishes
        if before is not None and act.at - before.at <= PAUSE_LIMIT:
            work.time += act.at - before.at
        elif before is not None:
            work.n_pauses += 1
        before = act
    return works
