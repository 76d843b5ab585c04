"""Whether work on a text grows with its length only, however the text is made."""

import time
from collections.abc import Callable
from typing import Any

SIZES = (250_000, 500_000, 1_000_000, 2_000_000)
GROWTH_PER_DOUBLING = 2.3
# Below this the clock measures itself.
SHORTEST_S = 0.002


def assert_linear(work: Callable[[Any], object], text_of: Callable[[int], Any], sizes=SIZES) -> None:
    """`work(text_of(size))` takes at most 2.3 × as long per doubling of the size; the best of three, in CPU time."""
    took = [max(SHORTEST_S, min(_seconds(work, text_of(size)) for _ in range(3))) for size in sizes]
    n_doublings = len(sizes) - 1
    assert took[-1] / took[0] <= GROWTH_PER_DOUBLING**n_doublings, [f"{seconds:.4f}" for seconds in took]


def _seconds(work: Callable[[Any], object], text: Any) -> float:
    started = time.thread_time()
    work(text)
    return time.thread_time() - started
