"""How sure a board is: intervals, P(rank = k), and of every two rows how often each is ahead, tests and a plan. Pure.

The same for live boards, whose figures are means over records, and for boards of runs, whose figures are whatever is made
of sums over items: both give a `Sample`. What comes out is JSON, to be stored with the seed that repeats it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measures.correlation import kendall
from measures.crossed import Table
from measures.planning import plan
from measures.rank_uncertainty import DECIMALS, rank_probabilities, ranks, shares_ahead
from measures.ranking import RankingKey
from measures.resampling import figure_interval, resampled_totals
from measures.tukey import N_PERMUTATIONS, TukeyHSD, randomised_tukey_hsd

SEED = 1
N_RESAMPLES = 2000
LEVEL = 0.95
# How much of the work is done by when: drawing, then the tests, one per figure, then the pairs.
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
    drawn = np.array([_means(totals) for totals in resampled_totals(cells, seed=seed, n_resamples=n_resamples)])
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
    drawn = np.array([_means(total) for total in resampled_totals(scored, seed=seed, n_resamples=n_resamples)])
    return figure_interval(drawn, len(scored), LEVEL)


def _means(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums over numbers of scores along the last axis; NaN where there is no score."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: NDArray[np.float64] = np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], np.nan)
    return means


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


def statistics(
    sample: Sample, rule: Sequence[RankingKey], *, report_progress: ReportProgress = say_nothing
) -> dict[str, Any]:
    """Rows, pairs and rankings as JSON. With fewer than two scenarios or items nothing can be drawn, and all three are empty."""
    if sample.n_clusters < 2 or not sample.rows:
        return {"rows": {}, "pairs": [], "rankings": {}}
    in_rule = sample.drawn[:, :, sample.in_rule(rule)]
    made = {
        "rows": dict(_rows(sample, rank_probabilities(in_rule, rule))),
        "pairs": _pairs(sample, rule, shares_ahead(in_rule, rule), report_progress),
        "rankings": _rankings(sample, rule),
    }
    report_progress(1.0)
    return made


def _rows(sample: Sample, probabilities: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    for row, intervals, shares in zip(sample.rows, sample.intervals, probabilities, strict=True):
        yield (
            row,
            {
                "intervals": {figure: list(ends) for figure, ends in intervals.items()},
                "rank_probabilities": shares.tolist(),
                "rank_interval": list(rank_interval(shares)),
            },
        )


def rank_interval(probabilities: NDArray[np.float64]) -> tuple[int, int]:
    """The ranks between which a row comes in 95 % of the resamples: 2.5 % or fewer lie on either side."""
    up_to = np.cumsum(probabilities)
    tail = (1 - LEVEL) / 2 + 1e-12
    return int(np.argmax(up_to > tail)) + 1, int(np.argmax(up_to >= 1 - tail)) + 1


def _pairs(
    sample: Sample, rule: Sequence[RankingKey], ahead: Table, report_progress: ReportProgress
) -> list[dict[str, Any]]:
    """Every two rows, the better ranked first."""
    (by_rule,) = ranks(sample.figures[None][:, :, sample.in_rule(rule)], rule)
    order = sorted(range(len(sample.rows)), key=lambda row: (by_rule[row], row))
    pairs = []
    for n_done, i in enumerate(order):
        pairs += [_pair(sample, rule, ahead, i, j) for j in order[n_done + 1 :]]
        report_progress(TESTED + (1 - TESTED) * n_done / len(order))
    return pairs


def _pair(sample: Sample, rule: Sequence[RankingKey], ahead: Table, i: int, j: int) -> dict[str, Any]:
    pair = sample.rows[i], sample.rows[j]
    decided_by = deciding_key(sample, rule, i, j)
    tests = {figure: found[pair].to_json() for figure, found in sample.tests.items() if pair in found}
    return {
        "one": pair[0],
        "other": pair[1],
        "ahead": float(ahead[i, j]),
        "behind": float(ahead[j, i]),
        "decided_by": decided_by,
        "tests": tests,
        "plan": _plan(sample, decided_by, i, j),
    }


def deciding_key(sample: Sample, rule: Sequence[RankingKey], i: int, j: int) -> str | None:
    """The first key of the rule in which two rows differ, as far as ranks see it; None if they are equal in all."""
    for key in rule:
        one, other = np.round(sample.figures[[i, j], sample.place_of(key)], DECIMALS)
        if one != other and not (np.isnan(one) and np.isnan(other)):
            return key.figure
    return None


def _plan(sample: Sample, figure: str | None, i: int, j: int) -> dict[str, Any] | None:
    """What telling the two apart in that figure takes; None where no scenarios say so."""
    table = sample.tables.get(figure) if figure else None
    if table is None:
        return None
    differences = table[i] - table[j]
    planned = plan(differences[~np.isnan(differences)].tolist())
    if planned is None:
        return None
    return {"n_now": planned.n_now, "power": planned.power, "n_more": planned.n_more}


def _rankings(sample: Sample, rule: Sequence[RankingKey]) -> dict[str, Any]:
    """How far the ranking by each figure alone goes together with that by the rule: Kendall's tau-b of the ranks."""
    (by_rule,) = ranks(sample.figures[None][:, :, sample.in_rule(rule)], rule)
    found = {}
    for key in sample.keys:
        column = sample.figures[:, [sample.place_of(key)]]
        has_it = ~np.isnan(column[:, 0])
        (by_key,) = ranks(column[None][:, has_it], [key])
        found[key.figure] = tau_of(by_rule[has_it].tolist(), by_key.tolist())
    return {figure: tau for figure, tau in found.items() if tau is not None}


def tau_of(one: Sequence[float], other: Sequence[float], *, seed: int = SEED) -> dict[str, Any] | None:
    """Kendall's tau-b of two rankings of the same rows, with its interval; None where either has all rows tied."""
    found = kendall(one, other, seed=seed)
    if found is None:
        return None
    return {"n": len(one), "tau": found.value, "interval": list(found.interval or ()) or None, "p": found.p}
