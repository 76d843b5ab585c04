"""What a board is made of, in a form that can be drawn anew: figures, the same in every resample, and tests of all pairs. Pure.

Live boards have means over records, `sample_of_means`; boards of runs have figures of whatever sums over items,
`sample_of_sums`. `board_statistics` says of both how sure they are.
"""

from collections.abc import Callable, Mapping, Sequence
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
    figures_of_each,
    resampled_figures,
    totals_in_chunks,
)
from measures.tukey import N_PERMUTATIONS, TukeyHSD, randomised_tukey_hsd, randomised_tukey_hsd_of_sums

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
    """

    rows: tuple[str, ...]
    keys: tuple[RankingKey, ...]
    figures: Table
    drawn: NDArray[np.float64]
    intervals: tuple[Mapping[str, tuple[float, float]], ...]
    tables: Mapping[str, Table]
    tests: Mapping[str, Mapping[Pair, "PairTest"]]
    n_clusters: int

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
    seed: int = SEED,
    n_resamples: int = N_RESAMPLES,
    n_permutations: int = N_PERMUTATIONS,
    report_progress: ReportProgress = say_nothing,
) -> Sample:
    """The sample of figures that are means: `cells` `(n_scenarios, n_rows, n_keys, 2)` holds sums and numbers of scores."""
    drawn = _drawn_means(cells, seed, n_resamples)
    intervals = tuple(
        {
            key.figure: ends
            for column, key in enumerate(keys)
            if (ends := mean_interval(cells[:, row, column], seed=seed, n_resamples=n_resamples)) is not None
        }
        for row in range(len(rows))
    )
    report_progress(DRAWN)
    tables = {key.figure: _means(cells[:, :, column]).T for column, key in enumerate(keys)}
    tests = {}
    for n_done, (figure, table) in enumerate(tables.items(), start=1):
        tests[figure] = tests_of_pairs(rows, table, seed=seed, n_permutations=n_permutations)
        report_progress(DRAWN + (TESTED - DRAWN) * n_done / len(tables))
    return Sample(
        tuple(rows), tuple(keys), _means(cells.sum(axis=0)), drawn, intervals, tables, tests, n_clusters=len(cells)
    )


def mean_interval(cells: NDArray[np.float64], *, seed: int, n_resamples: int) -> tuple[float, float] | None:
    """The interval of one mean over the scenarios `(n_scenarios, 2)` that have a score of it; None for fewer than two."""
    scored = cells[cells[:, 1] > 0]
    if len(scored) < 2:
        return None
    return figure_interval(_drawn_means(scored, seed, n_resamples), len(scored), LEVEL)


def _drawn_means(cells: NDArray[np.float64], seed: int, n_resamples: int) -> NDArray[np.float64]:
    chunks = totals_in_chunks(cells, seed=seed, n_resamples=n_resamples)
    return np.concatenate([_means(totals) for totals in chunks])


def _means(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums over numbers of scores along the last axis; NaN where there is no score."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: NDArray[np.float64] = np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], np.nan)
    return means


def figures_of_means(keys: Sequence[RankingKey]) -> FiguresOf:
    """What the cells of `sample_of_means` come to where they are laid side by side, as sums over items are: each a sum and a number."""

    def figures_of(total: Sums) -> dict[str, float | None]:
        pairs = zip(keys, total[0::2], total[1::2], strict=True)
        return {key.figure: float(scores / n) if n else None for key, scores, n in pairs}

    return figures_of


def tests_of_pairs(rows: Sequence[str], table: Table, *, seed: int, n_permutations: int) -> dict[Pair, PairTest]:
    """Every two rows that have the figure anywhere, tested as one family."""
    scored = np.flatnonzero(~np.isnan(table).all(axis=1))
    if len(scored) < 2:
        return {}
    found = randomised_tukey_hsd(table[scored], n_permutations=n_permutations, seed=seed)
    return pairs_of_family([rows[int(place)] for place in scored], found)


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
    seed: int = SEED,
    n_resamples: int = N_RESAMPLES,
    n_permutations: int = N_PERMUTATIONS,
    report_progress: ReportProgress = say_nothing,
) -> Sample:
    """The sample of figures that are made of sums over items `(n_items, n_rows, n_columns)`, all rows over the same items.

    A figure that `figures_of` does not give is as it stands in `figures` in every resample, and is not tested.
    """
    names = [key.figure for key in keys]
    drawn = resampled_figures(sums, figures_of, names, seed=seed, n_resamples=n_resamples)
    report_progress(DRAWN)
    is_drawn = ~np.isnan(figures_of_each(sums.sum(axis=0), figures_of, names))
    drawn = np.where(is_drawn, drawn, figures)
    tables = tables_of(sums, figures_of, names)
    tests = randomised_tukey_hsd_of_sums(
        sums, figures_of, names, tables=tables, n_permutations=n_permutations, seed=seed
    )
    report_progress(TESTED)
    return Sample(
        tuple(rows),
        tuple(keys),
        figures,
        drawn,
        tuple(intervals),
        tables,
        {figure: pairs_of_family(rows, test) for figure, test in tests.items()},
        n_clusters=len(sums),
    )


def tables_of(sums: Sums, figures_of: FiguresOf, names: Sequence[str]) -> dict[str, Table]:
    """By figure that is a mean over items: what each row has on each item `(n_rows, n_items)`."""
    if len(sums) == 0:
        return {}
    by_item = np.array([figures_of_each(item, figures_of, names) for item in sums])
    whole = figures_of_each(sums.sum(axis=0), figures_of, names)
    is_mean = np.isclose(by_item.mean(axis=0), whole, rtol=1e-9, atol=1e-12).all(axis=0)
    return {name: by_item[:, :, place].T for place, name in enumerate(names) if is_mean[place]}
