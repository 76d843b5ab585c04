"""How long a hand-in can be undone. Pure."""

from datetime import datetime
from math import ceil

UNDO_WINDOW_S = 10


def seconds_to_undo(handed_in_at: datetime, at: datetime) -> int:
    """The whole seconds that are left, counting the one that has begun; 0 when the window is over."""
    left = UNDO_WINDOW_S - (at - handed_in_at).total_seconds()
    # A clock that was set back since the hand-in does not make the window longer.
    return min(UNDO_WINDOW_S, max(0, ceil(left)))
