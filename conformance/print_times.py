"""How long a fingerprint may take: as long as all of its calls may, one after the other.

Only the time of the bot, or service, counts: while all calls wait for something of ours the clock stands (clock.py), and these
waits have a limit of their own. So who answers each call in time is never given up.
"""

from datetime import timedelta
from math import ceil

from conformance.examining import USUAL
from conformance.fingerprints import CANARIES, QUESTIONS, SAMPLES
from conformance.guessing import GUESS_LIMIT_S

N_QUESTIONS = max(map(len, QUESTIONS.values()))
# Between the last moment of one that takes longest and the next try: two processes must not ask at the same time.
MARGIN = timedelta(minutes=1)


def limit_of_bot_s(deadline_s: float, parallel: int) -> float:
    """For what its server says of itself, and all samples; the questions of one are asked together, as far as the bot declares."""
    n_in_a_row = SAMPLES * ceil(N_QUESTIONS / min(parallel, N_QUESTIONS))
    return GUESS_LIMIT_S + _time_for(n_in_a_row, deadline_s)


def limit_of_service_s(deadline_s: float, batch: int) -> float:
    """For all samples, each in batches."""
    return _time_for(SAMPLES * ceil(len(CANARIES) / batch), deadline_s)


def _time_for(n_in_a_row: int, deadline_s: float) -> float:
    # One call more: the platform's own work between the calls has to fit in, too.
    return (n_in_a_row + 1) * deadline_s


def over_after(limit_s: float) -> timedelta:
    """When one that has this limit is certainly over, however long it waited for us."""
    return timedelta(seconds=limit_s + USUAL.total_wait_s) + MARGIN
