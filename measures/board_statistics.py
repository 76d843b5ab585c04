"""How sure a board is: intervals, P(rank = k), and of every two rows how often each is ahead, tests and a plan. Pure.

The same for live boards and for boards of runs: both give a `Sample`. What comes out is JSON, to be stored with the seed
that repeats it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measures.correlation import kendall
from measures.crossed import Table
from measures.planning import plan
from measures.rank_uncertainty import rank_probabilities, ranks, shares_ahead
from measures.ranking import DECIMALS, RankingKey
from measures.samples import LEVEL, SEED, TESTED, ReportProgress, Sample, say_nothing

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
