"""Systems compared scenario by scenario: mean ranks, Friedman's test, Nemenyi's critical difference, who beats whom. Pure; standard library alone.

`places` has one row per scenario that all systems played, one sort key per system: the smallest is the best, equal ones tie.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

SIGNIFICANCE = 0.05
# Simpson's rule over the density of the standard normal; beyond eight deviations nothing of it is left.
REACH, N_STEPS = 8.0, 400


@dataclass(frozen=True, slots=True)
class Friedman:
    statistic: float
    p: float


def ranks_with_ties(places: Sequence[Any]) -> list[float]:
    """Ranks from 1 of one scenario; systems that tie share the mean of the ranks that they take."""
    n_of, before, found = Counter(places), 0, {}
    for place in sorted(n_of):
        found[place] = before + (n_of[place] + 1) / 2
        before += n_of[place]
    return [found[place] for place in places]


def mean_ranks(places: Sequence[Sequence[Any]]) -> list[float]:
    """Per system the mean over the scenarios; nothing without a scenario."""
    ranked = [ranks_with_ties(row) for row in places]
    return [math.fsum(column) / len(ranked) for column in zip(*ranked, strict=True)]


def friedman(places: Sequence[Sequence[Any]]) -> Friedman | None:
    """Whether the systems differ at all, corrected for ties. None for fewer than three systems, or where all tie everywhere.

    Source: Friedman 1937; the correction as in Conover, Practical Nonparametric Statistics, 1999, §5.8.
    """
    if not places or len(places[0]) < 3:
        return None
    n, k = len(places), len(places[0])
    ties = sum(size**3 - size for row in places for size in Counter(row).values())
    correction = 1 - ties / (n * k * (k * k - 1))
    if correction <= 0:
        return None
    squares = math.fsum((n * mean) ** 2 for mean in mean_ranks(places))
    statistic = (12 / (n * k * (k + 1)) * squares - 3 * n * (k + 1)) / correction
    return Friedman(statistic, chi_square_tail(statistic, k - 1))


def chi_square_tail(value: float, n_free: int) -> float:
    """P(χ² > value) for whole degrees of freedom, by the finite sums that there are for them."""
    half = max(value, 0.0) / 2
    if n_free % 2 == 0:
        first, parts = math.exp(-half), n_free // 2
        term, total = first, first
        for place in range(1, parts):
            term *= half / place
            total += term
        return total
    total = math.erfc(math.sqrt(half))
    term = math.exp(-half) * math.sqrt(half) / math.gamma(1.5)
    for place in range(1, (n_free + 1) // 2):
        total += term
        term *= half / (place + 0.5)
    return total


def critical_difference(n_systems: int, n_scenarios: int) -> float:
    """How far mean ranks lie apart before two systems differ at 5%, for all pairs at once.

    Source: Nemenyi 1963, as in Demšar, Statistical Comparisons of Classifiers over Multiple Data Sets, JMLR 7, 2006, §3.2.2.
    """
    q = studentized_range(n_systems) / math.sqrt(2)
    return q * math.sqrt(n_systems * (n_systems + 1) / (6 * n_scenarios))


@cache
def studentized_range(n_means: int) -> float:
    """The 95% quantile of the range of `n_means` standard normal means, with infinite degrees of freedom."""
    low, high = 0.0, 2 * REACH
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if _range_below(middle, n_means) < 1 - SIGNIFICANCE else (low, middle)
    return (low + high) / 2


def _range_below(width: float, n_means: int) -> float:
    """P(range ≤ width): the lowest mean lies anywhere, all others at most `width` above it."""
    step = 2 * REACH / N_STEPS

    def at(place: int) -> float:
        z = -REACH + place * step
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return density * (_normal_below(z + width) - _normal_below(z)) ** (n_means - 1)

    inner = math.fsum((4 if place % 2 else 2) * at(place) for place in range(1, N_STEPS))
    return n_means * step / 3 * (at(0) + inner + at(N_STEPS))


def _normal_below(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2


def groups(ranks_in_order: Sequence[float], difference: float) -> list[tuple[int, int]]:
    """The longest runs of systems, from the best mean rank on, within the critical difference: places of the first and the last of each."""
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks_in_order):
        last = max(place for place, other in enumerate(ranks_in_order) if other - rank <= difference)
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found
