"""How fast today's work goes, and when it would be over at that pace. Pure."""

from dataclasses import dataclass
from datetime import datetime

# Fewer dialogues, or a shorter time, tell nothing about a pace.
LEAST_DONE = 3
LEAST_HOURS = 0.25


@dataclass(frozen=True, slots=True)
class Pace:
    """`n_done` dialogues in `hours`. `per_hour` is None where that is too little to tell."""

    n_done: int
    hours: float

    @property
    def per_hour(self) -> float | None:
        if self.n_done < LEAST_DONE or self.hours < LEAST_HOURS:
            return None
        return self.n_done / self.hours

    def hours_for(self, n_left: int) -> float | None:
        """The hours that so many dialogues take at this pace; None where nobody can tell."""
        return n_left / self.per_hour if self.per_hour else None


def pace_of(n_done: int, first_at: datetime | None, until: datetime) -> Pace:
    """The pace of what was done from the opening of the day's first dialogue on."""
    return Pace(n_done, max(0.0, (until - first_at).total_seconds() / 3600) if first_at else 0.0)
