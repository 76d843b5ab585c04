"""Which of many systems differ: the randomised Tukey HSD test over all pairs, with effect sizes. Pure.

NTCIR's test: one test for all pairs that keeps the family-wise error, without assuming a distribution.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measures.crossed import Table, effects
from measures.resampling import FiguresOf, Sums, figures_of_each

N_PERMUTATIONS = 5000
CHUNK = 100
# Cells of a shuffled table of items × systems that are held at once.
CELLS_AT_ONCE = 5_000_000


@dataclass(frozen=True, slots=True)
class TukeyHSD:
    """All pairs `(n_systems, n_systems)`, and what repeats the test: the number of permutations B and the seed.

    `differences[i, j]` is the mean of i minus that of j, over the topics that each has. `p_values` holds for the family
    of all pairs; its diagonal is 1. `effect_sizes` is the difference in standard deviations of what system and topic
    leave unexplained; NaN where they leave nothing.
    """

    differences: NDArray[np.float64]
    p_values: NDArray[np.float64]
    effect_sizes: NDArray[np.float64]
    n_permutations: int
    seed: int


def randomised_tukey_hsd(scores: Table, *, n_permutations: int = N_PERMUTATIONS, seed: int = 0) -> TukeyHSD:
    """Tests every pair of systems; `scores` is `(n_systems, n_topics)`, a topic being a scenario or a test dialogue.

    Under the hypothesis that all systems are equal, the scores of a topic could have gone to any of them: B times they
    are shuffled within each topic, and p is how often the largest difference of two means is at least as large as that
    of the pair, (k + 1)/(B + 1). A system without a score on a topic (NaN) takes no part in its shuffle.
    Source: Carterette 2012; Sakai, Laboratory Experiments in Information Retrieval, 2018, §4.4 and §5.4 (effect size).

    Errors: `ValueError` for fewer than two systems, or a system without any score.
    """
    (found,) = randomised_tukey_hsd_of_tables([scores], n_permutations=n_permutations, seed=seed)
    return found


def randomised_tukey_hsd_of_tables(
    tables: Sequence[Table],
    *,
    n_permutations: int = N_PERMUTATIONS,
    seed: int = 0,
    report_progress: Callable[[float], None] | None = None,
) -> list[TukeyHSD]:
    """The same test of each of several tables in which the same cells are missing: what each has alone, for all of one shuffling.

    Errors: as above, and `ValueError` where other cells are missing.
    """
    is_present = ~np.isnan(tables[0])
    if len(is_present) < 2 or not is_present.any(axis=1).all():
        raise ValueError("The test needs two or more systems with a score each.")
    if any((np.isnan(table) == is_present).any() for table in tables):
        raise ValueError("The tables lack different cells.")
    n_topics = is_present.sum(axis=1)
    means = [np.where(is_present, table, 0.0).sum(axis=1) / n_topics for table in tables]
    differences = [np.subtract.outer(own, own) for own in means]
    # A hair of tolerance: the same difference summed in another order is as large.
    seen = [np.abs(own) - 1e-12 for own in differences]
    n_as_large = [np.zeros_like(own) for own in seen]
    rng, blocks = np.random.default_rng(seed), _blocks(tables)
    for start in range(0, n_permutations, CHUNK):
        size = min(CHUNK, n_permutations - start)
        for place, sums in enumerate(_shuffled_sums(blocks, (len(tables), size, len(n_topics)), rng)):
            largest = np.sort(np.ptp(sums / n_topics, axis=1))
            n_as_large[place] += size - np.searchsorted(largest, seen[place])
        if report_progress:
            report_progress((start + size) / n_permutations)
    return [
        TukeyHSD(own, (n + 1) / (n_permutations + 1), own / _unexplained_deviation(table), n_permutations, seed)
        for own, n, table in zip(differences, n_as_large, tables, strict=True)
    ]


def randomised_tukey_hsd_of_sums(
    sums: Sums,
    figures_of: FiguresOf,
    names: Sequence[str],
    *,
    n_permutations: int = N_PERMUTATIONS,
    seed: int = 0,
) -> dict[str, TukeyHSD]:
    """The same test of figures that are made of sums over items, such as F1: `sums` is `(n_items, n_systems, n_columns)`.

    What is shuffled within an item is the systems' rows of sums, and the statistic is the largest difference of two
    figures. All figures are tested on the same shuffles. They are no means over items, so they have no effect size. A figure that a
    system lacks is not tested.
    """
    if not names:
        return {}
    seen = figures_of_each(sums.sum(axis=0), figures_of, names)
    defined = [place for place in range(len(names)) if not np.isnan(seen[:, place]).any()]
    differences = seen[:, None, :] - seen[None, :, :]
    n_as_large = np.zeros_like(differences)
    for totals in _shuffled_totals(sums, np.random.default_rng(seed), n_permutations):
        drawn = figures_of_each(totals, figures_of, names)
        # A shuffle that leaves a figure undefined counts as one that is as large: it can only hide a difference.
        n_as_large += ~(np.ptp(drawn, axis=0) < np.abs(differences) - 1e-12)
    p_values = (n_as_large + 1) / (n_permutations + 1)
    found = {}
    for place in defined:
        between = differences[:, :, place]
        without = np.full_like(between, np.nan)
        found[names[place]] = TukeyHSD(between, p_values[:, :, place], without, n_permutations, seed)
    return found


@dataclass(frozen=True, slots=True)
class Summand:
    """A part of a total: `sums` `(n_items, n_systems, n_columns)` over items of its own, what figures they make, and the weight of each."""

    sums: Sums
    figures_of: FiguresOf
    weights: Mapping[str, float]

    def of(self, totals: Sums) -> NDArray[np.float64]:
        """What the part adds to the total of each system `(n_systems,)`; NaN where a figure is undefined."""
        added: NDArray[np.float64] = figures_of_each(totals, self.figures_of, list(self.weights)) @ np.array(
            list(self.weights.values())
        )
        return added


def randomised_tukey_hsd_of_totals(
    summands: Sequence[Summand], *, n_permutations: int = N_PERMUTATIONS, seed: int = 0
) -> TukeyHSD:
    """The same test of a weighted sum of figures that are made of different items: the systems of each part are shuffled within its items.

    Systems stand in the same order in all parts, and each has every figure. A total is no mean over items, so there is no effect size.
    """
    seen = np.sum([part.of(part.sums.sum(axis=0)) for part in summands], axis=0)
    differences = np.subtract.outer(seen, seen)
    n_as_large = np.zeros_like(differences)
    # Parts may be of equal size: from one seed they would be shuffled alike.
    rngs = np.random.default_rng(seed).spawn(len(summands))
    shuffles = [_shuffled_totals(part.sums, rng, n_permutations) for part, rng in zip(summands, rngs, strict=True)]
    for drawn in zip(*shuffles, strict=True):
        totals = np.sum([part.of(total) for part, total in zip(summands, drawn, strict=True)], axis=0)
        n_as_large += ~(np.ptp(totals) < np.abs(differences) - 1e-12)
    p_values = (n_as_large + 1) / (n_permutations + 1)
    return TukeyHSD(differences, p_values, np.full_like(differences, np.nan), n_permutations, seed)


def _shuffled_totals(sums: Sums, rng: np.random.Generator, n_shuffles: int) -> Iterator[Sums]:
    """The systems' totals `(n_systems, n_columns)` after each shuffle of who made which row of an item."""
    n_items, n_systems, n_columns = sums.shape
    size = max(1, min(CHUNK, CELLS_AT_ONCE // max(1, n_items * n_systems)))
    for start in range(0, n_shuffles, size):
        shape = (min(size, n_shuffles - start), n_items, n_systems)
        makers = rng.permuted(np.broadcast_to(np.arange(n_systems, dtype=np.int16), shape), axis=-1)
        totals = np.zeros((shape[0], n_systems, n_columns))
        # A matrix product per system: gathering the rows of each shuffle takes many times as long.
        for system in range(n_systems):
            is_made = (makers == system).transpose(0, 2, 1).reshape(-1, n_items).astype(float)
            totals += (is_made @ sums[:, system]).reshape(totals.shape)
        yield from totals


@dataclass(frozen=True, slots=True)
class _Block:
    """Topics with the same systems, which are shuffled together: `scores` `(n_topics, n_present)` of each table, flat."""

    is_present: NDArray[np.bool_]
    scores: Sequence[NDArray[np.float64]]
    n_topics: int


def _blocks(tables: Sequence[Table]) -> list[_Block]:
    """A complete table is one block."""
    patterns, pattern_of = np.unique(~np.isnan(tables[0]), axis=1, return_inverse=True)
    blocks = []
    for number, pattern in enumerate(patterns.T):
        topics = np.flatnonzero(pattern_of == number)
        scores = [np.ascontiguousarray(table[np.ix_(pattern, topics)].T).ravel() for table in tables]
        blocks.append(_Block(pattern, scores, len(topics)))
    return blocks


def _shuffled_sums(
    blocks: Sequence[_Block], shape: tuple[int, int, int], rng: np.random.Generator
) -> NDArray[np.float64]:
    """The systems' sums of each table after shuffling within each topic; `shape` is `(n_tables, n_shuffles, n_systems)`."""
    sums = np.zeros(shape)
    for block in blocks:
        n_present = int(block.is_present.sum())
        # Who made which score, not the scores: numpy draws the same whatever it shuffles, and all tables are read by it.
        makers = rng.permuted(
            np.broadcast_to(np.arange(n_present, dtype=np.int32), (shape[1], block.n_topics, n_present)), axis=-1
        )
        makers += (np.arange(block.n_topics, dtype=np.int32) * n_present)[:, None]
        for table, scores in enumerate(block.scores):
            sums[table][:, block.is_present] += np.take(scores, makers).sum(axis=1)
    return sums


def _unexplained_deviation(scores: Table) -> float:
    """The root of the residual variance V_E2 of a two-way analysis of variance without replication; NaN if it is 0."""
    left = effects(scores)
    squares = float(np.nansum(left.residuals**2))
    # Below that it is the noise of the arithmetic.
    if left.n_free == 0 or squares <= 1e-18 * float(np.nansum(scores**2)):
        return float("nan")
    return float(np.sqrt(squares / left.n_free))
