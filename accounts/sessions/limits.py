"""How long a login lasts. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

# The resolution of "last seen": it is written at most this often.
SEEN_EVERY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Limits:
    """A login ends after `idle` without use, and `longest` after it began in any case."""

    idle: timedelta
    longest: timedelta
    n_per_person: int


def seconds_left(limits: Limits, *, since: datetime, at: datetime) -> int:
    """Seconds until an unused login ends; 0 if it is over."""
    return max(0, int(min(limits.idle, since + limits.longest - at).total_seconds()))


def is_due(seen_at: datetime, at: datetime) -> bool:
    """Whether "last seen" is to be written again."""
    return at - seen_at >= SEEN_EVERY
