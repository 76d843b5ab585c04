"""How long a tester takes for a part of a task, and what that makes for the rest. Pure."""

from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from math import ceil
from statistics import median

from django.utils.translation import gettext as _

# Before the tester has ended a dialogue: seconds for a part, about eight turns and the scores.
USUAL_S = 360.0
# A dialogue that was given up at once says nothing about the pace, nor does one that dragged on.
LONGEST_S = 1800.0
SHORTEST_S = 60.0
# Between two messages a tester reads, thinks and types; who does nothing for longer is not at work.
PAUSE_S = 300.0


def seconds_at_work(moments: Iterable[datetime]) -> float:
    """The seconds from the first moment of a dialogue to the last, without the gaps that are longer than a pause."""
    gaps = ((after - before).total_seconds() for before, after in pairwise(sorted(moments)))
    return sum(gap for gap in gaps if gap <= PAUSE_S)


def seconds_per_part(dialogues: Iterable[tuple[float, int]]) -> float:
    """The median over dialogues, each with its seconds and its number of parts; `USUAL_S` where there is none."""
    paces = [seconds / n_parts for seconds, n_parts in dialogues if n_parts and seconds > 0]
    return median(min(max(pace, SHORTEST_S), LONGEST_S) for pace in paces) if paces else USUAL_S


def minutes_for(n_parts: float, pace_s: float) -> int:
    """Whole minutes for so many parts, at least one unless there is none."""
    return ceil(n_parts * pace_s / 60)


def time_left(minutes: int) -> str:
    """About how long is left, in words; empty where nothing is."""
    if minutes < 90:
        return _("about %(n)d min left") % {"n": minutes} if minutes else ""
    return _("about %(n)d h left") % {"n": round(minutes / 60)}
