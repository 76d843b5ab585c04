"""Whether the time and the memory of work on a text grow with its length only, however the text is made."""

import gc
import math
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

SIZES = (250_000, 500_000, 1_000_000, 2_000_000)
GROWTH_PER_DOUBLING = 3
# Below this the clock measures itself.
SHORTEST_S = 0.004
ROUNDS = 12
# What the first call leaves in caches counts for nothing.
SMALLEST_BYTES = 100_000


def assert_linear(work: Callable[[Any], object], text_of: Callable[[int], Any], sizes=SIZES) -> None:
    """`work(text_of(size))` takes at most 3 × as long per doubling of the size, in CPU time.

    Other processes of the machine only ever add time, so the best of a few rounds counts.
    """
    texts = [text_of(size) for size in sizes]
    best = [math.inf] * len(sizes)
    for _ in range(ROUNDS):
        best = [min(known, max(SHORTEST_S, _seconds(work, text))) for known, text in zip(best, texts, strict=True)]
        if best[-1] / best[0] <= GROWTH_PER_DOUBLING ** (len(sizes) - 1):
            return
    raise AssertionError(f"not linear: {[f'{seconds:.4f}' for seconds in best]} s for {sizes}")


def _seconds(work: Callable[[Any], object], text: Any) -> float:
    # The collector looks at everything that the test process holds, which has nothing to do with the text.
    gc.disable()
    try:
        started = time.thread_time()
        work(text)
        return time.thread_time() - started
    finally:
        gc.enable()


def assert_linear_memory(work: Callable[[Any], object], text_of: Callable[[int], Any], sizes=SIZES) -> None:
    """What Python allocates for `work(text_of(size))` at its highest grows at most 3 × per doubling of the size."""
    peaks = []
    for size in sizes:
        text = text_of(size)
        gc.collect()
        tracemalloc.start()
        try:
            work(text)
            peaks.append(max(SMALLEST_BYTES, tracemalloc.get_traced_memory()[1]))
        finally:
            tracemalloc.stop()
    assert peaks[-1] / peaks[0] <= GROWTH_PER_DOUBLING ** (len(sizes) - 1), f"not linear: {peaks} bytes for {sizes}"
