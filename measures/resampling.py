"""Intervals and significance of figures that are made of sums over items, by resampling. Pure: numbers in and out.

`sums` has one row an item `(n_items, n_columns)`; `figures_of` turns a total of rows into named figures, so that the
same two functions serve means, micro and macro F1, BLEU and whatever else is made of counts.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

Sums = NDArray[np.float64]
FiguresOf = Callable[[Sums], Mapping[str, float | None]]

N_RESAMPLES = 1000
CHUNK = 100


def intervals(
    sums: Sums, figures_of: FiguresOf, *, seed: int = 0, n_resamples: int = N_RESAMPLES, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap over items: low and high end per figure. A figure undefined in a resample has none."""
    rng = np.random.default_rng(seed)
    n_items = len(sums)
    drawn: dict[str, list[float]] = {}
    undefined: set[str] = set()
    for start in range(0, n_resamples, CHUNK):
        size = min(CHUNK, n_resamples - start)
        weights = rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=size).astype(float)
        for total in weights @ sums:
            for name, value in figures_of(total).items():
                if value is None:
                    undefined.add(name)
                else:
                    drawn.setdefault(name, []).append(value)
    ends = [(1 - level) / 2, (1 + level) / 2]
    return {
        name: (float(low), float(high))
        for name, values in drawn.items()
        if name not in undefined
        for low, high in [np.quantile(values, ends)]
    }


def p_values(
    ours: Sums, theirs: Sums, figures_of: FiguresOf, *, seed: int = 0, n_resamples: int = N_RESAMPLES
) -> dict[str, float]:
    """Two-sided paired randomization test per figure: how often swapping the two runs' items at random gives a
    difference at least as large as the one seen. (k + 1)/(n + 1), never 0. Source: Yeh 2000.

    Errors: `ValueError` if the runs do not hold the same items.
    """
    if ours.shape != theirs.shape:
        raise ValueError(f"{ours.shape} sums cannot be paired with {theirs.shape}.")
    seen = _differences(figures_of(ours.sum(axis=0)), figures_of(theirs.sum(axis=0)))
    rng = np.random.default_rng(seed)
    change = theirs - ours
    total, other_total = ours.sum(axis=0), theirs.sum(axis=0)
    n_as_large = dict.fromkeys(seen, 0)
    for start in range(0, n_resamples, CHUNK):
        swaps = rng.integers(0, 2, size=(min(CHUNK, n_resamples - start), len(ours))).astype(float)
        for moved in swaps @ change:
            shuffled = _differences(figures_of(total + moved), figures_of(other_total - moved))
            for name, difference in seen.items():
                # A hair of tolerance: the same difference summed in another order is as large.
                n_as_large[name] += shuffled.get(name, 0.0) >= difference - 1e-12
    return {name: (n + 1) / (n_resamples + 1) for name, n in n_as_large.items()}


def _differences(ours: Mapping[str, float | None], theirs: Mapping[str, float | None]) -> dict[str, float]:
    both = ((name, value, theirs.get(name)) for name, value in ours.items())
    return {name: abs(left - right) for name, left, right in both if left is not None and right is not None}
