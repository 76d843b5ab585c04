"""What a board is made of, in a form that can be resampled: figures, the same in every resample, and tests of all pairs. Pure.

Live boards have means over records, `sample_of_means`; boards of runs have figures of whatever sums over items,
`sample_of_sums`. `board_statistics` says of both how sure they are.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from measures.crossed import Table
from measures.ranking import RankingKey
from measures.resampling import (
    FiguresOf,
    Sums,
    figure_interval,
    figures_in_chunks,
    figures_of_each,
    totals_in_chunks,
    weights_in_chunks,
)
from measures.tukey import N_PERMUTATIONS, TukeyHSD, randomised_tukey_hsd_of_sums, randomised_tukey_hsd_of_tables

Figures = NDArray[np.float64]

# Draws at most this many times the number wanted. If more were needed, hardly any resample would resemble the board.
MOST_DRAWN = 10


@dataclass(frozen=True, slots=True)
class WholeResamples:
    """Resamples in which no row lacks a figure that it has: ranks of any other would take what is missing for the worst.

    A row with records on few scenarios is missing from some resamples. Those are drawn again: what is left is the bootstrap on condition
    that every row was drawn at least once. `figures` has shape `(n_resamples, n_rows, n_keys)`; `n_redrawn` were drawn again, None where
    that was given up and no resample is left.
    """

    figures: Figures
    n_redrawn: int | None


def whole_resamples(chunks: Iterable[Figures], needed: NDArray[np.bool_], n_resamples: int) -> WholeResamples:
    """The first `n_resamples` resamples that have every figure that is `needed` `(n_rows, n_keys)`.

    `chunks` draws them, `MOST_DRAWN` times as many as are wanted; no more is taken from it than it takes.
    """
    found: list[Figures] = []
    are_whole: list[NDArray[np.bool_]] = []
    n_whole = n_drawn = 0
    for drawn in chunks:
        is_whole = np.logical_not(np.isnan(drawn[:, needed]).any(axis=1))
        found.append(drawn[is_whole])
        are_whole.append(is_whole)
        n_whole, n_drawn = n_whole + int(is_whole.sum()), n_drawn + len(drawn)
        if n_whole >= n_resamples:
            last = int(np.flatnonzero(np.concatenate(are_whole))[n_resamples - 1]) + 1
            return WholeResamples(np.concatenate(found)[:n_resamples], last - n_resamples)
        if n_drawn >= n_resamples and n_whole * MOST_DRAWN < n_drawn:
            break
    return WholeResamples(np.zeros((0, *needed.shape)), None)


SEED = 1
N_RESAMPLES = 2000
LEVEL = 0.95
# How much of the work is done by when: drawing, then the tests, then the pairs.
DRAWN, TESTED = 0.2, 0.8

Pair = tuple[str, str]
ReportProgress = Callable[[float], None]


def say_nothing(share: float) -> None:
    """For those who wait for no progress."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a board is made of: `figures` `(n_rows, n_keys)`, and `drawn` `(n_resamples, n_rows, n_keys)`, which are those of each
    resample of scenarios or items. `tables` holds by figure what each row has on each of them `(n_rows, n_clusters)`,
    as far as the figure is a mean of that. What is missing is NaN.

    `n_redrawn` resamples were drawn again (`WholeResamples`); None: nothing could be `drawn`, and ranks in resamples are unknown.
    """

    rows: tuple[str, ...]
    keys: tuple[RankingKey, ...]
    figures: Table
    drawn: NDArray[np.float64]
    intervals: tuple[Mapping[str, tuple[float, float]], ...]
    tables: Mapping[str, Table]
    tests: Mapping[str, Mapping[Pair, "PairTest"]]
    n_clusters: int
    n_redrawn: int | None = 0

    def place_of(self, key: RankingKey) -> int:
        return self.keys.index(key)

    def in_rule(self, rule: Sequence[RankingKey]) -> list[int]:
        return [self.place_of(key) for key in rule]


@dataclass(frozen=True, slots=True)
class PairTest:
    """One pair of a randomised Tukey HSD: `one` minus `other`, the p of the family, and the effect size, None where there is none."""

    difference: float
    p: float
    effect: float | None

    def mirrored(self) -> "PairTest":
        return PairTest(-self.difference, self.p, None if self.effect is None else -self.effect)

    def to_json(self) -> dict[str, float | None]:
        return {"difference": self.difference, "p": self.p, "effect": self.effect}


def sample_of_means(
    *,
    rows: Sequence[str],
    keys: Sequence[RankingKey],
    cells: NDArray[np.float64],
    needed: Collection[RankingKey] | None = None,
    seed: int = SEED,
    n_resamples: int = N_RESAMPLES,
    n_permutations: int = N_PERMUTATIONS,
    report_progress: ReportProgress = say_nothing,
) -> Sample:
    """The sample of figures that are means: `cells` `(n_scenarios, n_rows, n_keys, 2)` holds sums and numbers of scores.

    Every resample has the figures that are `needed`, of each row that has them; None: all.
    """
    figures = _means(cells.sum(axis=0))
    means = map(_means, totals_in_chunks(cells, seed=seed, n_resamples=MOST_DRAWN * n_resamples))
    drawn = whole_resamples(means, _needed(figures, keys, needed), n_resamples)
    ends = mean_intervals(cells, seed=seed, n_resamples=n_resamples)
    intervals = tuple(
        {key.figure: ends[row, column] for column, key in enumerate(keys) if (row, column) in ends}
        for row in range(len(rows))
    )
    report_progress(DRAWN)
    tables = {key.figure: _means(cells[:, :, column]).T for column, key in enumerate(keys)}

    def report_tests(share: float) -> None:
        report_progress(DRAWN + (TESTED - DRAWN) * share)

    tests = tests_of_pairs(rows, tables, seed=seed, n_permutations=n_permutations, report_progress=report_tests)
    return Sample(
        tuple(rows),
        tuple(keys),
        figures,
        drawn.figures,
        intervals,
        tables,
        tests,
        n_clusters=len(cells),
        n_redrawn=drawn.n_redrawn,
    )


def _needed(figures: Table, keys: Sequence[RankingKey], needed: Collection[RankingKey] | None) -> NDArray[np.bool_]:
    is_needed = np.array([needed is None or key in needed for key in keys], dtype=bool)
    wanted: NDArray[np.bool_] = ~np.isnan(figures) & is_needed
    return wanted


def mean_intervals(
    cells: NDArray[np.float64], *, seed: int, n_resamples: int
) -> dict[tuple[int, int], tuple[float, float]]:
    """The interval of each mean, by its places in the cells `(n_scenarios, n_rows, n_keys, 2)`, over the scenarios that have a score of it;
    none for fewer than two.

    Resamples of as many scenarios are drawn once, for drawing takes a hundred times as long as adding up.
    """
    by_number: dict[int, dict[tuple[int, int], NDArray[np.float64]]] = {}
    for place in np.ndindex(cells.shape[1:3]):
        of_one = cells[:, *place]
        scored = of_one[of_one[:, 1] > 0]
        by_number.setdefault(len(scored), {})[place[0], place[1]] = scored
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for n_scored, means in by_number.items():
        if n_scored < 2:
            continue
        drawn: dict[tuple[int, int], list[NDArray[np.float64]]] = {place: [] for place in means}
        for weights in weights_in_chunks(n_scored, seed=seed, n_resamples=n_resamples):
            for place, scored in means.items():
                drawn[place].append(_means(np.tensordot(weights, scored, axes=1)))
        found |= {place: figure_interval(np.concatenate(own), n_scored, LEVEL) for place, own in drawn.items()}
    return found


def _means(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums over numbers of scores along the last axis; NaN where there is no score."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: NDArray[np.float64] = np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], np.nan)
    return means


def one_of(report_progress: ReportProgress, n_done: int, n: int) -> ReportProgress:
    """Reports the progress of one of `n` computations of similar length, of which `n_done` are done."""
    return lambda share: report_progress((n_done + share) / n)


def figures_of_means(keys: Sequence[RankingKey]) -> FiguresOf:
    """What the cells of `sample_of_means` come to where they are laid side by side, as sums over items are: each a sum and a number."""

    def figures_of(total: Sums) -> dict[str, float | None]:
        pairs = zip(keys, total[0::2], total[1::2], strict=True)
        return {key.figure: float(scores / n) if n else None for key, scores, n in pairs}

    return figures_of


def tests_of_pairs(
    rows: Sequence[str],
    tables: Mapping[str, Table],
    *,
    seed: int,
    n_permutations: int,
    report_progress: ReportProgress,
) -> dict[str, dict[Pair, PairTest]]:
    """By figure: every two rows that have it anywhere, tested as one family. Figures of the same cells are shuffled together."""
    alike: dict[bytes, list[str]] = {}
    for figure, table in tables.items():
        alike.setdefault(np.isnan(table).tobytes(), []).append(figure)
    tests: dict[str, dict[Pair, PairTest]] = {figure: {} for figure in tables}
    for n_done, figures in enumerate(alike.values()):
        scored = np.flatnonzero(~np.isnan(tables[figures[0]]).all(axis=1))
        # Nothing can be shuffled where no two of them share a cluster: p would be 1, however large the difference.
        if len(scored) < 2 or (~np.isnan(tables[figures[0]][scored])).sum(axis=0).max() < 2:
            continue
        found = randomised_tukey_hsd_of_tables(
            [tables[figure][scored] for figure in figures],
            n_permutations=n_permutations,
            seed=seed,
            report_progress=one_of(report_progress, n_done, len(alike)),
        )
        names = [rows[int(place)] for place in scored]
        tests |= {figure: pairs_of_family(names, one) for figure, one in zip(figures, found, strict=True)}
    return tests


def pairs_of_family(rows: Sequence[str], found: TukeyHSD) -> dict[Pair, PairTest]:
    tests = {}
    for i, j in combinations(range(len(rows)), 2):
        effect = float(found.effect_sizes[i, j])
        test = PairTest(
            float(found.differences[i, j]), float(found.p_values[i, j]), None if np.isnan(effect) else effect
        )
        tests[rows[i], rows[j]], tests[rows[j], rows[i]] = test, test.mirrored()
    return tests


def sample_of_sums(
    *,
    rows: Sequence[str],
    keys: Sequence[RankingKey],
    sums: Sums,
    figures_of: FiguresOf,
    figures: Table,
    intervals: Sequence[Mapping[str, tuple[float, float]]],
    needed: Collection[RankingKey] | None = None,
    seed: int = SEED,
    n_resamples: int = N_RESAMPLES,
    n_permutations: int = N_PERMUTATIONS,
    report_progress: ReportProgress = say_nothing,
) -> Sample:
    """The sample of figures that are made of sums over items `(n_items, n_rows, n_columns)`, all rows over the same items.

    A figure that `figures_of` does not give is as it stands in `figures` in every resample, and is not tested. Every resample has
    the figures that are `needed`, of each row that has them; None: all.
    """
    names = [key.figure for key in keys]
    is_drawn = ~np.isnan(figures_of_each(sums.sum(axis=0), figures_of, names))
    chunks = figures_in_chunks(sums, figures_of, names, seed=seed, n_resamples=MOST_DRAWN * n_resamples)
    whole = (np.where(is_drawn, of_chunk, figures) for of_chunk in chunks)
    drawn = whole_resamples(whole, _needed(figures, keys, needed), n_resamples)
    report_progress(DRAWN)
    tables = tables_of(sums, figures_of, names)
    # Figures that are means over items need no totals of sums: their test takes a tenth of the time.
    tests = tests_of_pairs(rows, tables, seed=seed, n_permutations=n_permutations, report_progress=say_nothing)
    of_sums = randomised_tukey_hsd_of_sums(
        sums, figures_of, [name for name in names if name not in tables], n_permutations=n_permutations, seed=seed
    )
    report_progress(TESTED)
    return Sample(
        tuple(rows),
        tuple(keys),
        figures,
        drawn.figures,
        tuple(intervals),
        tables,
        tests | {figure: pairs_of_family(rows, test) for figure, test in of_sums.items()},
        n_clusters=len(sums),
        n_redrawn=drawn.n_redrawn,
    )


def tables_of(sums: Sums, figures_of: FiguresOf, names: Sequence[str]) -> dict[str, Table]:
    """By figure that is a mean over items: what each row has on each item `(n_rows, n_items)`."""
    if len(sums) == 0:
        return {}
    by_item = np.array([figures_of_each(item, figures_of, names) for item in sums])
    whole = figures_of_each(sums.sum(axis=0), figures_of, names)
    is_mean = np.isclose(by_item.mean(axis=0), whole, rtol=1e-9, atol=1e-12).all(axis=0)
    return {name: by_item[:, :, place].T for place, name in enumerate(names) if is_mean[place]}
