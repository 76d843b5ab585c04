"""When a message is tried again, and when a digest goes out. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

# Between the tries. The first is longer than a try may take: a message whose process was killed is taken up after it.
PAUSES: Sequence[timedelta] = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
    timedelta(hours=12),
)
# The mail server has 20 s for each of about ten answers (`EMAIL_TIMEOUT`).
MAIL_TAKES_AT_MOST = timedelta(minutes=5)
TRIES_AT_MOST = len(PAUSES) + 1
# By the clocks of the site.
DIGEST_HOUR = 8


def pause_after(n_tries: int) -> timedelta:
    """How long after the start of that try the next one may begin; after the last, its process has ended by then."""
    return PAUSES[min(n_tries, len(PAUSES)) - 1]


def next_digest(at: datetime, clocks: tzinfo) -> datetime:
    """The next hour of digests after that moment."""
    here = at.astimezone(clocks)
    today = here.replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0)
    return today if here < today else today + timedelta(days=1)
