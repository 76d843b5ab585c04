"""Whether the time of a piece of work grows no faster than its input."""

import gc
import time
from collections.abc import Callable
from typing import Any

MOST_PER_DOUBLING = 2.3
TRIES = 8


def grows_linearly(work: Callable[[Any], object], made: Callable[[int], Any], size: int, n_doublings: int = 2) -> bool:
    """Whether the work on `made(size)` takes at most 2.3 times as long per doubling of the size.

    Processor time of this thread, without the collector of garbage, which looks at everything that the tests made so
    far; the best of a few tries. So a busy machine hardly matters.
    """
    small, large = made(size), made(size * 2**n_doublings)
    limit = MOST_PER_DOUBLING**n_doublings
    return any(_seconds(work, large) <= limit * _seconds(work, small) for _ in range(TRIES))


def _seconds(work: Callable[[Any], object], on: Any) -> float:
    best = float("inf")
    gc.disable()
    try:
        for _ in range(3):
            began = time.thread_time()
            work(on)
            best = min(best, time.thread_time() - began)
    finally:
        gc.enable()
    return max(best, 1e-4)
