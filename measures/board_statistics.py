"""How sure a board is: intervals, P(rank = k), and for every two rows how often each is ahead, tests, and how many more dialogues would
separate them. Pure.

The same for live boards and for boards of runs: both give a `Sample`. The result is JSON, stored with the seed that repeats it.
Figures have shape `(n_resamples, n_rows, n_keys)` in the order of the rule's keys; a missing figure is NaN.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measures.correlation import kendall
from measures.crossed import Table
from measures.ranking import DECIMALS, RankingKey
from measures.samples import LEVEL, SEED, TESTED, ReportProgress, Sample, say_nothing

Figures = NDArray[np.float64]
CHUNK = 500


def rank_probabilities(figures: Figures, rule: Sequence[RankingKey]) -> NDArray[np.float64]:
    """P(rank = k) per row `(n_rows, n_rows)`: the share of resamples in which the row has rank 1, 2 … n_rows.

    `figures` are those of `resampling.resampled_figures`, in the order of the rule's keys; combined boards draw both sorts
    apart and join them along the last axis. Ties share the better rank, so a row sums to 1 and a column need not.
    """
    n_rows = figures.shape[1]
    counts = np.zeros((n_rows, n_rows))
    for part in _parts(figures):
        for place in range(n_rows):
            counts[:, place] += (ranks(part, rule) == place + 1).sum(axis=0)
    return counts / len(figures)


def shares_ahead(figures: Figures, rule: Sequence[RankingKey]) -> NDArray[np.float64]:
    """`[i, j]`: the share of resamples in which row i is ahead of row j; ties are in neither `[i, j]` nor `[j, i]`."""
    counts = np.zeros((figures.shape[1], figures.shape[1]))
    for part in _parts(figures):
        counts += is_ahead(part, rule).sum(axis=0)
    return counts / len(figures)


def ranks(figures: Figures, rule: Sequence[RankingKey]) -> NDArray[np.int64]:
    """The ranks `(n_resamples, n_rows)` that `ranking.rank` gives in each resample: one more than how many are ahead."""
    found: NDArray[np.int64] = 1 + is_ahead(figures, rule).sum(axis=1)
    return found


def is_ahead(figures: Figures, rule: Sequence[RankingKey]) -> NDArray[np.bool_]:
    """`[resample, i, j]`: whether row i is better than row j in the first key in which the two differ."""
    ahead = np.zeros((*figures.shape[:2], figures.shape[1]), dtype=bool)
    still_equal = np.ones_like(ahead)
    for place, key in enumerate(rule):
        sortable = _sortable(figures[:, :, place], key)
        one, other = sortable[:, :, None], sortable[:, None, :]
        ahead |= still_equal & (one < other)
        still_equal &= one == other
    return ahead


def _sortable(figure: Figures, key: RankingKey) -> Figures:
    """Smaller is better; a missing figure comes after every present one, whatever the direction."""
    steady = np.round(figure, DECIMALS)
    return np.where(np.isnan(figure), np.inf, -steady if key.better == "higher" else steady)


def _parts(figures: Figures) -> list[Figures]:
    return [figures[start : start + CHUNK] for start in range(0, len(figures), CHUNK)]


LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What separating two bots takes, in scenarios that both have played (one dialogue each).

    `power` is the chance that as many as now would separate them if they differ as they were seen to; `n_needed` is
    the fewest that give the power asked for, `n_more` how many are missing. Both are None if more than 100,000 are needed.
    """

    n_now: int
    power: float
    n_needed: int | None

    @property
    def n_more(self) -> int | None:
        return None if self.n_needed is None else max(0, self.n_needed - self.n_now)


def plan(differences: Sequence[float], *, power: float = 0.9, significance: float = 0.05) -> Plan | None:
    """Plans a paired t-test of one figure, two-sided, from the pilot that is there.

    `differences` has one value per scenario that both bots played: one's mean there minus the other's. Take the figure
    that decides between the two; for several pairs at once divide `significance` by their number. The plan is as good as
    the difference seen: with few scenarios it is rough. None for fewer than two scenarios, or equal differences.
    """
    seen = np.asarray(differences, dtype=float)
    if len(seen) < 2 or np.ptp(seen) == 0:
        return None
    effect = float(abs(seen.mean()) / seen.std(ddof=1))
    return Plan(len(seen), power_of(effect, len(seen), significance), n_for(effect, power, significance))


def power_of(effect: float, n: int, significance: float = 0.05) -> float:
    """The power of the two-sided paired t-test over `n` pairs; `effect` is mean difference / standard deviation (d_z)."""
    from scipy.special import nctdtr, stdtrit

    edge = float(stdtrit(n - 1, 1 - significance / 2))
    shift = effect * np.sqrt(n)
    # scipy gives NaN for a far tail: below 1e-22 on the other side, and of a large difference over many pairs on this one.
    missed, wrong_side = np.nan_to_num(nctdtr(n - 1, shift, [edge, -edge]))
    return float(1 - missed + wrong_side)


def n_for(effect: float, power: float = 0.9, significance: float = 0.05) -> int | None:
    """The fewest pairs, two or more, whose power is at least that; None if 100,000 are not enough."""
    low, high = 1, 2
    while power_of(effect, high, significance) < power:
        low, high = high, 2 * high
        if low >= LIMIT:
            return None
    # Power grows with the number of pairs, so the first that is enough lies between.
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power_of(effect, middle, significance) < power else (low, middle)
    return high if high <= LIMIT else None


Drawn = NDArray[np.float64]


def statistics(
    sample: Sample, rule: Sequence[RankingKey], *, report_progress: ReportProgress = say_nothing
) -> dict[str, Any]:
    """Rows, pairs and rankings as JSON. With fewer than two scenarios or items nothing can be drawn, and all three are empty.

    `n_redrawn` resamples lacked a figure of some row and were drawn again; None where nearly all did: then nothing is told of ranks.
    """
    if sample.n_clusters < 2 or not sample.rows:
        return {"rows": {}, "pairs": [], "rankings": {}}
    in_rule = sample.drawn[:, :, sample.in_rule(rule)]
    made = {
        "n_redrawn": sample.n_redrawn,
        "rows": dict(_rows(sample, in_rule, rule)),
        "pairs": _pairs(sample, rule, shares_ahead(in_rule, rule) if len(in_rule) else None, report_progress),
        "rankings": _rankings(sample, rule),
    }
    report_progress(1.0)
    return made


def _rows(sample: Sample, in_rule: Drawn, rule: Sequence[RankingKey]) -> Iterator[tuple[str, dict[str, Any]]]:
    of_ranks = _ranks(rank_probabilities(in_rule, rule)) if len(in_rule) else [{} for _ in sample.rows]
    for row, intervals, ranked in zip(sample.rows, sample.intervals, of_ranks, strict=True):
        yield row, {"intervals": {figure: list(ends) for figure, ends in intervals.items()}, **ranked}


def _ranks(probabilities: Table) -> list[dict[str, Any]]:
    return [{"rank_probabilities": row.tolist(), "rank_interval": list(rank_interval(row))} for row in probabilities]


def rank_interval(probabilities: NDArray[np.float64]) -> tuple[int, int]:
    """The ranks between which a row comes in 95% of the resamples: 2.5% or fewer lie on either side."""
    up_to = np.cumsum(probabilities)
    tail = (1 - LEVEL) / 2 + 1e-12
    return int(np.argmax(up_to > tail)) + 1, int(np.argmax(up_to >= 1 - tail)) + 1


def _pairs(
    sample: Sample, rule: Sequence[RankingKey], ahead: Table | None, report_progress: ReportProgress
) -> list[dict[str, Any]]:
    """Every two rows, the better ranked first."""
    by_rule = ranks_by_rule(sample, rule)
    order = sorted(range(len(sample.rows)), key=lambda row: (by_rule[row], row))
    pairs = []
    for n_done, i in enumerate(order):
        pairs += [_pair(sample, rule, ahead, i, j) for j in order[n_done + 1 :]]
        report_progress(TESTED + (1 - TESTED) * n_done / len(order))
    return pairs


def ranks_by_rule(sample: Sample, rule: Sequence[RankingKey]) -> NDArray[np.int64]:
    """The ranks of the rows as they are."""
    (by_rule,) = ranks(sample.figures[None][:, :, sample.in_rule(rule)], rule)
    return by_rule


def _pair(sample: Sample, rule: Sequence[RankingKey], ahead: Table | None, i: int, j: int) -> dict[str, Any]:
    pair = sample.rows[i], sample.rows[j]
    decided_by = deciding_key(sample, rule, i, j)
    tests = {figure: found[pair].to_json() for figure, found in sample.tests.items() if pair in found}
    return {
        "one": pair[0],
        "other": pair[1],
        "ahead": None if ahead is None else float(ahead[i, j]),
        "behind": None if ahead is None else float(ahead[j, i]),
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
    by_rule = ranks_by_rule(sample, rule)
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
