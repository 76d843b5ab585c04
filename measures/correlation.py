"""How two lists of figures over the same systems go together: Pearson, Spearman, Kendall, with intervals and p. Pure."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from measures.resampling import N_RESAMPLES

Values = NDArray[np.float64]
Group = TypeVar("Group", bound=Hashable)
# Figures by name, of each system in each group (a skill, a task): the key is group and system.
BySystem = Mapping[tuple[Group, str], Mapping[str, float]]
NORMAL_95 = 1.959963984540054
PAIRS_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A correlation with its 95% interval (None where none can be said) and its two-sided p of no association."""

    value: float
    interval: tuple[float, float] | None
    p: float


@dataclass(frozen=True, slots=True)
class Correlations:
    """All three over the `n` systems that have both figures; None where one figure is the same for all of them."""

    n: int
    pearson: Coefficient | None
    spearman: Coefficient | None
    kendall: Coefficient | None


def correlations(
    xs: Sequence[float], ys: Sequence[float], *, seed: int = 0, n_resamples: int = N_RESAMPLES
) -> Correlations:
    """The three of two lists in the same order of systems; NaN is missing. Seed and resamples: see `kendall`.

    Errors: `ValueError` if the lists differ in length.
    """
    x, y = _pairs(xs, ys)
    return Correlations(len(x), pearson(x, y), spearman(x, y), kendall(x, y, seed=seed, n_resamples=n_resamples))


@dataclass(frozen=True, slots=True)
class OverSystems(Generic[Group]):
    """How an automatic metric goes together with a human criterion over the systems of one group."""

    group: Group
    metric: str
    criterion: str
    correlations: Correlations


def over_systems(
    automatic: BySystem[Group], human: BySystem[Group], *, seed: int = 0, n_resamples: int = N_RESAMPLES
) -> list[OverSystems[Group]]:
    """Every metric with every criterion within each group, as MSDE Tables 11–13; groups in the order of `automatic`.

    A system takes part in those pairs of which it has both figures; a pair that no system has is left out.
    """
    found = []
    for group, systems in _systems_of(automatic, human).items():
        rows = [(automatic[group, system], human[group, system]) for system in systems]
        for metric in _names(metrics for metrics, _ in rows):
            for criterion in _names(criteria for _, criteria in rows):
                pairs = [
                    (metrics[metric], criteria[criterion])
                    for metrics, criteria in rows
                    if metric in metrics and criterion in criteria
                ]
                if pairs:
                    xs, ys = zip(*pairs, strict=True)
                    said = correlations(xs, ys, seed=seed, n_resamples=n_resamples)
                    found.append(OverSystems(group, metric, criterion, said))
    return found


def _systems_of(automatic: BySystem[Group], human: BySystem[Group]) -> dict[Group, list[str]]:
    """The systems of each group that have figures on both sides."""
    systems: dict[Group, list[str]] = {}
    for group, system in automatic:
        if (group, system) in human:
            systems.setdefault(group, []).append(system)
    return systems


def _names(rows: Iterable[Mapping[str, float]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def pearson(xs: Sequence[float] | Values, ys: Sequence[float] | Values) -> Coefficient | None:
    """The product-moment correlation; interval by Fisher's z with 1/(n − 3), p by Student's t."""
    x, y = _pairs(xs, ys)
    if not _vary(x, y):
        return None
    value, p = _pearson(x, y)
    return Coefficient(value, _fisher_interval(value, 1.0, len(x)), p)


def spearman(xs: Sequence[float] | Values, ys: Sequence[float] | Values) -> Coefficient | None:
    """Pearson's of the ranks, ties at their mean rank; interval by Fisher's z with (1 + r²/2)/(n − 3), p by Student's t.

    Source of the variance: Bonett and Wright 2000.
    """
    from scipy.stats import rankdata

    x, y = _pairs(xs, ys)
    if not _vary(x, y):
        return None
    value, p = _pearson(rankdata(x), rankdata(y))
    return Coefficient(value, _fisher_interval(value, 1 + value**2 / 2, len(x)), p)


def kendall(
    xs: Sequence[float] | Values, ys: Sequence[float] | Values, *, seed: int = 0, n_resamples: int = N_RESAMPLES
) -> Coefficient | None:
    """Tau-b, which allows for ties: of two rankings, or of any two figures over systems. p is exact without ties.

    The interval is a percentile bootstrap over systems, as NTCIR reports it; resamples in which tau is undefined are
    left out, and None stands where it is in none defined. Time and memory grow with the square of the number of systems.
    """
    from scipy.stats import kendalltau

    x, y = _pairs(xs, ys)
    if not _vary(x, y):
        return None
    found = kendalltau(x, y)
    drawn = np.random.default_rng(seed).integers(0, len(x), size=(n_resamples, len(x)))
    taus = np.concatenate([_taus(x[part], y[part]) for part in _parts(drawn)])
    known = taus[~np.isnan(taus)]
    if not len(known):
        return Coefficient(_bounded(float(found.statistic)), None, float(found.pvalue))
    low, high = np.quantile(known, (0.025, 0.975))
    return Coefficient(_bounded(float(found.statistic)), (float(low), float(high)), float(found.pvalue))


def _pearson(x: Values, y: Values) -> tuple[float, float]:
    from scipy.stats import pearsonr

    found = pearsonr(x, y)
    return _bounded(float(found.statistic)), float(found.pvalue)


def _parts(drawn: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Resamples in parts whose tables of pairs fit into memory."""
    size = max(1, PAIRS_AT_ONCE // drawn.shape[1] ** 2)
    return [drawn[start : start + size] for start in range(0, len(drawn), size)]


def _taus(x: Values, y: Values) -> Values:
    """Tau-b per row of `(n_rows, n_systems)`: summed products of signs over all pairs, over the root of both's squares."""
    signs_x = np.sign(x[:, :, None] - x[:, None, :])
    signs_y = np.sign(y[:, :, None] - y[:, None, :])
    together = (signs_x * signs_y).sum(axis=(1, 2))
    untied = (signs_x**2).sum(axis=(1, 2)) * (signs_y**2).sum(axis=(1, 2))
    with np.errstate(invalid="ignore"):
        taus: Values = together / np.sqrt(untied)
    return taus


def _fisher_interval(value: float, variance: float, n: int) -> tuple[float, float] | None:
    """tanh(atanh(r) ± 1.96 √(variance/(n − 3))); None under 4 systems, and for ±1, where it has no width."""
    if n < 4 or abs(value) == 1:
        return None
    reach = NORMAL_95 * np.sqrt(variance / (n - 3))
    middle = np.arctanh(value)
    return float(np.tanh(middle - reach)), float(np.tanh(middle + reach))


def _pairs(xs: Sequence[float] | Values, ys: Sequence[float] | Values) -> tuple[Values, Values]:
    """Both as arrays, without the systems that lack one of the two."""
    x, y = np.asarray(xs, dtype=float), np.asarray(ys, dtype=float)
    if x.shape != y.shape:
        raise ValueError(f"{len(x)} figures cannot be paired with {len(y)}.")
    has_both = ~np.isnan(x) & ~np.isnan(y)
    return x[has_both], y[has_both]


def _vary(x: Values, y: Values) -> bool:
    return len(x) > 1 and bool(np.ptp(x) > 0 and np.ptp(y) > 0)


def _bounded(value: float) -> float:
    """Exactly ±1 where only the noise of the arithmetic is between."""
    return float(np.sign(value)) if abs(value) > 1 - 1e-12 else value
