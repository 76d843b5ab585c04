"""How far a judge that is a model goes together with people on one criterion, with clustered bootstrap intervals. Pure.

Each `Judged` is one thing that both scored. Things of one cluster, such as the dialogues on one scenario, are drawn together.
Every figure is made of a table of counts, so a resample only adds up: no score is read twice.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measures.agreement import Level
from measures.resampling import N_RESAMPLES, figure_interval, weights_in_chunks

Values = NDArray[np.float64]
Codes = NDArray[np.int64]
FigureOf = Callable[[Values], float]
LEVEL = 0.95
# Resamples in which a figure is undefined leave no interval once they are more than this share.
UNDEFINED_AT_MOST = 0.05


@dataclass(frozen=True, slots=True)
class Judged:
    """`judge` is the mean of the samples, `said` the point of the scale that stands for them, `people` each person's score."""

    cluster: Hashable
    judge: float
    said: float
    people: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its 95% interval; None where nothing can be said."""

    value: float | None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class AgainstPeople:
    """One criterion; `n_pairs` counts pairs of the judge's score and a person's.

    `agreement`: the chance that a score is exactly that of a person drawn at random, 0…1. `alpha`: Krippendorff's between judge
    and person, `alpha_people` between people. `bias`: the mean difference in points, positive where the judge is milder. The
    correlations are of the means of samples and of people.
    """

    n_things: int
    n_pairs: int
    n_clusters: int
    agreement: Figure
    alpha: Figure
    alpha_people: Figure
    bias: Figure
    pearson: Figure
    spearman: Figure
    kendall: Figure


def against_people(
    judged: Sequence[Judged], level: Level, *, seed: int = 0, n_resamples: int = N_RESAMPLES
) -> AgainstPeople:
    """Compares on the things that at least one person scored; labels (`nominal`) have neither bias nor correlation."""
    things = [one for one in judged if one.people]
    weights = _drawn(things, seed, n_resamples)
    n_clusters = len({one.cluster for one in things})
    unsaid = Figure(None)
    bias = pearson = spearman = kendall = unsaid
    if level != "nominal":
        table = _Table([one.judge for one in things], [float(np.mean(one.people)) for one in things])
        bias = _mean_figure(_differences(things), weights, n_clusters)
        pearson, spearman, kendall = (
            _figure(one, weights, n_clusters) for one in (table.pearson, table.spearman, table.kendall)
        )
    return AgainstPeople(
        len(things),
        sum(len(one.people) for one in things),
        n_clusters,
        agreement_with_people(judged, seed=seed, n_resamples=n_resamples),
        _figure(_alpha(things, level, with_judge=True), weights, n_clusters),
        _figure(_alpha(things, level, with_judge=False), weights, n_clusters),
        bias,
        pearson,
        spearman,
        kendall,
    )


def agreement_with_people(judged: Sequence[Judged], *, seed: int = 0, n_resamples: int = N_RESAMPLES) -> Figure:
    """The first figure of `against_people` alone, which takes no time."""
    things = [one for one in judged if one.people]
    weights = _drawn(things, seed, n_resamples)
    return _mean_figure(_shares(things), weights, len({one.cluster for one in things}))


def cost_per_reliable_score(cost: float, n_scores: int, agreement: Figure) -> Figure:
    """What a score costs that is a person's too: the cost of a score over the agreement. None where nothing agrees."""
    if not n_scores or not agreement.value:
        return Figure(None)
    each = cost / n_scores
    low, high = agreement.interval or (0.0, 0.0)
    return Figure(each / agreement.value, (each / high, each / low) if low > 0 else None)


def _drawn(things: Sequence[Judged], seed: int, n_resamples: int) -> Values:
    """The weight of each thing: all ones, then one row per resample `(1 + n_resamples, n_things)`."""
    places = {name: place for place, name in enumerate(dict.fromkeys(one.cluster for one in things))}
    own = np.array([places[one.cluster] for one in things], dtype=np.int64)
    if len(places) < 2:
        return np.ones((1, len(things)))
    drawn = np.concatenate(list(weights_in_chunks(len(places), seed=seed, n_resamples=n_resamples)))
    return np.concatenate([np.ones((1, len(things))), drawn[:, own]])


def _figure(figure_of: FigureOf, weights: Values, n_clusters: int) -> Figure:
    """The figure of the things as they are, and the interval of what it is in the resamples."""
    if not weights.shape[1]:
        return Figure(None)
    return _with_interval(np.array([figure_of(row) for row in weights], dtype=float), n_clusters)


def _mean_figure(of_each: Values, weights: Values, n_clusters: int) -> Figure:
    """The same of a mean over things, all resamples at once."""
    if not len(of_each):
        return Figure(None)
    return _with_interval(weights @ of_each / weights.sum(axis=1), n_clusters)


def _with_interval(values: Values, n_clusters: int) -> Figure:
    if np.isnan(values[0]):
        return Figure(None)
    drawn = values[1:][~np.isnan(values[1:])]
    if len(drawn) < max(1.0, (1 - UNDEFINED_AT_MOST) * len(values[1:])):
        return Figure(float(values[0]))
    return Figure(float(values[0]), figure_interval(drawn, n_clusters, LEVEL))


def _shares(things: Sequence[Judged]) -> Values:
    return np.array([np.mean([score == one.said for score in one.people]) for one in things])


def _differences(things: Sequence[Judged]) -> Values:
    return np.array([one.judge - np.mean(one.people) for one in things])


def _alpha(things: Sequence[Judged], level: Level, *, with_judge: bool) -> FigureOf:
    """Krippendorff's alpha of weighted coincidences (Krippendorff 2011, §E): of the pairs judge–person, or of people alone."""
    values = sorted({score for one in things for score in (one.said, *one.people)})
    code = {value: place for place, value in enumerate(values)}
    cells, parts, owners = [], [], []
    for owner, one in enumerate(things):
        for cell, part in _coincidences(one, with_judge=with_judge):
            cells.append(code[cell[0]] * len(values) + code[cell[1]])
            parts.append(part)
            owners.append(owner)
    at, owner_of = np.array(cells, dtype=np.int64), np.array(owners, dtype=np.int64)
    share: Values = np.array(parts, dtype=np.float64)

    def of(weights: Values) -> float:
        if not len(at):
            return float("nan")
        table: Values = np.bincount(at, weights[owner_of] * share, len(values) ** 2).astype(np.float64)
        return alpha_of_coincidences(table.reshape(len(values), -1), np.array(values), level)

    return of


def _coincidences(one: Judged, *, with_judge: bool) -> list[tuple[tuple[float, float], float]]:
    if with_judge:
        return [(pair, 1.0) for score in one.people for pair in ((one.said, score), (score, one.said))]
    n = len(one.people)
    return [((one.people[i], one.people[j]), 1 / (n - 1)) for i in range(n) for j in range(n) if i != j]


def alpha_of_coincidences(table: Values, values: Values, level: Level) -> float:
    """Alpha of a coincidence matrix `(n_values, n_values)`; NaN where one value stands alone."""
    totals = table.sum(axis=1)
    if level == "nominal":
        distances: Values = 1 - np.eye(len(values))
    else:
        # Ordinal distances are of the ratings that lie between two values, so they follow the resample.
        places = values if level == "interval" else totals.cumsum() - totals / 2
        distances = np.subtract.outer(places, places) ** 2
    expected = totals @ distances @ totals
    if expected == 0:
        return float("nan")
    return float(1 - (totals.sum() - 1) * (table * distances).sum() / expected)


class _Table:
    """Two lists of figures as a table of their distinct values, from which the three correlations of any weights are read."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self.x, x_codes = np.unique(np.round(np.array(xs, dtype=float), 9), return_inverse=True)
        self.y, y_codes = np.unique(np.round(np.array(ys, dtype=float), 9), return_inverse=True)
        self.codes: Codes = x_codes * len(self.y) + y_codes

    def _counts(self, weights: Values) -> Values:
        counts: Values = np.bincount(self.codes, weights, len(self.x) * len(self.y)).astype(np.float64)
        return counts.reshape(len(self.x), len(self.y))

    def pearson(self, weights: Values) -> float:
        return pearson_of_table(self._counts(weights), self.x, self.y)

    def spearman(self, weights: Values) -> float:
        counts = self._counts(weights)
        rows, columns = counts.sum(axis=1), counts.sum(axis=0)
        return pearson_of_table(counts, rows.cumsum() - rows / 2, columns.cumsum() - columns / 2)

    def kendall(self, weights: Values) -> float:
        return kendall_of_table(self._counts(weights))


def pearson_of_table(counts: Values, x: Values, y: Values) -> float:
    """Pearson's r of a table of counts whose rows are at `x` and columns at `y`; NaN where one does not vary."""
    n, rows, columns = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    dx, dy = x - rows @ x / n, y - columns @ y / n
    spread = (rows @ dx**2) * (columns @ dy**2)
    return float(dx @ counts @ dy / np.sqrt(spread)) if spread > 1e-24 * n**2 else float("nan")


def kendall_of_table(counts: Values) -> float:
    """Tau-b of a table of counts with rows and columns in order; NaN where one does not vary. Source: Kendall 1945."""
    n = counts.sum()
    below = counts[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
    left = counts[::-1].cumsum(axis=0)[::-1].cumsum(axis=1)
    concordant = (counts[:-1, :-1] * below[1:, 1:]).sum()
    discordant = (counts[:-1, 1:] * left[1:, :-1]).sum()
    untied = (n**2 - (counts.sum(axis=1) ** 2).sum()) * (n**2 - (counts.sum(axis=0) ** 2).sum())
    return float(2 * (concordant - discordant) / np.sqrt(untied)) if untied > 0 else float("nan")
