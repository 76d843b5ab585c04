"""How long a login lasts. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

# How exactly "last seen" is known: so often is it written, at most.
SEEN_EVERY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Limits:
    """A login ends when nobody used it for `idle`, and `longest` after it began however much it was used."""

    idle: timedelta
    longest: timedelta
    n_per_person: int


def seconds_left(limits: Limits, *, since: datetime, at: datetime) -> int:
    """How many seconds a login lasts from now on if nobody uses it any more; 0 where it is over."""
    return max(0, int(min(limits.idle, since + limits.longest - at).total_seconds()))


def is_due(seen_at: datetime, at: datetime) -> bool:
    """Whether "last seen" is to be written again."""
    return at - seen_at >= SEEN_EVERY
