"""How long a hand-in can be undone. Pure."""

from datetime import datetime
from math import ceil

# A tester goes on with the next dialogue at once; a reviewer may think a score over.
OWN_WINDOW_S = 10
REVIEWER_WINDOW_S = 600


def seconds_to_undo(handed_in_at: datetime, at: datetime, window_s: int = OWN_WINDOW_S) -> int:
    """The whole seconds that are left, counting the one that has begun; 0 when the window is over."""
    left = window_s - (at - handed_in_at).total_seconds()
    # A clock that was set back since the hand-in does not make the window longer.
    return min(window_s, max(0, ceil(left)))
