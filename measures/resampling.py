"""Intervals and significance of figures that are made of sums over items, by resampling. Pure: numbers in and out.

`sums` has one row per item `(n_items, n_columns)`; `figures_of` turns a total of rows into named figures, so that the
same functions serve means, micro and macro F1, BLEU and whatever else is made of counts. Items that are not
independent, such as the dialogues on one scenario, are summed per cluster first (`clustered`); the cluster is the item
from there on. Several bots over the same items are `(n_items, n_bots, n_columns)`, so that each resample draws the same
items for all of them.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Sums = NDArray[np.float64]
Figures = NDArray[np.float64]
FiguresOf = Callable[[Sums], Mapping[str, float | None]]

N_RESAMPLES = 1000
CHUNK = 100


def clustered(sums: Sums, clusters: Sequence[Hashable]) -> Sums:
    """One row per cluster, in the order in which they first come: the sums of its items. `clusters` names each row's.

    Errors: `ValueError` if rows and names differ in number.
    """
    if len(clusters) != len(sums):
        raise ValueError(f"{len(clusters)} names of clusters do not fit {len(sums)} rows.")
    places = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    totals = np.zeros((len(places), *sums.shape[1:]))
    np.add.at(totals, [places[name] for name in clusters], sums)
    return totals


def resampled_totals(sums: Sums, *, seed: int = 0, n_resamples: int = N_RESAMPLES) -> Iterator[Sums]:
    """The total of each bootstrap resample: as many items as there are, drawn with replacement; 0 if there is none."""
    for totals in totals_in_chunks(sums, seed=seed, n_resamples=n_resamples):
        yield from totals


def totals_in_chunks(sums: Sums, *, seed: int = 0, n_resamples: int = N_RESAMPLES) -> Iterator[Sums]:
    """The same, many resamples at a time along the first axis, for figures that numpy makes of all of them at once."""
    if len(sums) == 0:
        yield np.zeros((n_resamples, *sums.shape[1:]))
        return
    for weights in weights_in_chunks(len(sums), seed=seed, n_resamples=n_resamples):
        yield np.tensordot(weights, sums, axes=1)


def weights_in_chunks(n_items: int, *, seed: int = 0, n_resamples: int = N_RESAMPLES) -> Iterator[NDArray[np.float64]]:
    """How often each of so many items is in each resample `(≤ CHUNK, n_items)`: what takes the time, and is the same for all sums of as many."""
    rng = np.random.default_rng(seed)
    for start in range(0, n_resamples, CHUNK):
        size = min(CHUNK, n_resamples - start)
        yield rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=size).astype(float)


def resampled_figures(
    sums: Sums, figures_of: FiguresOf, names: Sequence[str], *, seed: int = 0, n_resamples: int = N_RESAMPLES
) -> Figures:
    """The named figures of every bot in every resample `(n_resamples, n_bots, n_names)`; an undefined one is NaN.

    `sums` is `(n_items, n_bots, n_columns)`. Every bot has the same items drawn, so an easy draw favours nobody.
    """
    return np.concatenate(list(figures_in_chunks(sums, figures_of, names, seed=seed, n_resamples=n_resamples)))


def figures_in_chunks(
    sums: Sums, figures_of: FiguresOf, names: Sequence[str], *, seed: int = 0, n_resamples: int = N_RESAMPLES
) -> Iterator[Figures]:
    """The same, many resamples at a time: whoever has enough asks for no more."""
    for totals in totals_in_chunks(sums, seed=seed, n_resamples=n_resamples):
        drawn = np.full((len(totals), sums.shape[1], len(names)), np.nan)
        for resample, of_each in enumerate(totals):
            drawn[resample] = figures_of_each(of_each, figures_of, names)
        yield drawn


def figures_of_each(totals: Sums, figures_of: FiguresOf, names: Sequence[str]) -> Figures:
    """The named figures of each total `(n_totals, n_names)`; an undefined one is NaN."""
    found = np.full((len(totals), len(names)), np.nan)
    for place, total in enumerate(totals):
        figures = figures_of(total)
        found[place] = [np.nan if (value := figures.get(name)) is None else value for name in names]
    return found


def intervals(
    sums: Sums, figures_of: FiguresOf, *, seed: int = 0, n_resamples: int = N_RESAMPLES, level: float = 0.95
) -> dict[str, tuple[float, float]]:
    """Bootstrap over items: low and high end per figure. A figure undefined in a resample has none, nor has one item."""
    if len(sums) < 2:
        return {}
    drawn: dict[str, list[float]] = {}
    undefined: set[str] = set()
    for total in resampled_totals(sums, seed=seed, n_resamples=n_resamples):
        for name, value in figures_of(total).items():
            if value is None:
                undefined.add(name)
            else:
                drawn.setdefault(name, []).append(value)
    return {name: figure_interval(values, len(sums), level) for name, values in drawn.items() if name not in undefined}


def figure_interval(drawn: Sequence[float] | Sums, n_items: int, level: float) -> tuple[float, float]:
    """The interval of a figure from what it was in each resample of so many items."""
    # Weibull's definition, p·(B + 1): the usual one comes out too narrow by a resample or two.
    low, high = np.quantile(drawn, expanded_ends(n_items, level), method="weibull")
    return float(low), float(high)


def expanded_ends(n_items: int, level: float) -> tuple[float, float]:
    """Which quantiles of the resamples are the ends of an interval of that level.

    The plain percentiles are too narrow for few items: they take the variance over n and the normal distribution where
    it is n − 1 and Student's t. The expanded ones make up for both. Source: Hesterberg 2014 (arXiv 1411.5279), §5.3.
    """
    from scipy.special import ndtr, stdtrit

    low = float(ndtr(np.sqrt(n_items / (n_items - 1)) * stdtrit(n_items - 1, (1 - level) / 2)))
    return low, 1 - low


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
