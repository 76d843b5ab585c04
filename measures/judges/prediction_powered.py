"""Prediction-powered inference of a mean: what people scored, helped by what a judge scored of everything. Pure.

Sources: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 382 (2023), the mean; its tuning by λ: Angelopoulos, Duchi and Zrnic,
PPI++ (arXiv 2311.01453), §6. A judge without worth gets λ near 0, and nothing is lost. For few things: each cluster's λ is of the other
clusters (cross-fitting: Zrnic and Candès, PNAS 121 (2024)), variances are those of a jackknife over clusters (Bell and McCaffrey 2002), and
quantiles Student's t with as many degrees of freedom as there are effective clusters, less one (Carter, Schnepel and Steigerwald 2017).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measures.resampling import figure_interval

Values = NDArray[np.float64]
# Clusters of each kind: with fewer the variance itself is a guess.
FEWEST = 5
# A variance below this share of that of the scores is none but rounding.
NO_VARIANCE = 1e-12


@dataclass(frozen=True, slots=True)
class PoweredMean:
    """`n` things that people scored, `n_judged` more that the judge alone scored; `people` is the mean without the judge.

    `effective` is how many things people would have to score for an interval as narrow; `saved` what that is more than `n`, with
    its 95% interval. All are of things, such as dialogues; `n_clusters` are of those that people scored.
    """

    n: int
    n_judged: int
    n_clusters: int
    tuning: float
    people: float
    people_interval: tuple[float, float]
    value: float
    interval: tuple[float, float]
    effective: float
    saved: float
    saved_interval: tuple[float, float]


def powered_mean(
    people: Sequence[float],
    judge: Sequence[float],
    judged_alone: Sequence[float],
    *,
    clusters: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None,
    seed: int = 0,
    n_resamples: int = 1000,
    tuning: float | None = None,
) -> PoweredMean | None:
    """`people` and `judge` are of the same things in the same order. None with fewer than `FEWEST` clusters of either kind, or no variance between them.

    `clusters` are of the things that people scored and of the others, such as their scenarios; without them each thing is its own.
    `tuning` is λ: 1 is the estimator of 2023, None the λ of least variance, held to 0…1.
    """
    y, f, alone = (np.asarray(one, dtype=float) for one in (people, judge, judged_alone))
    if y.shape != f.shape:
        raise ValueError(f"{len(y)} scores of people cannot be paired with {len(f)}.")
    own, others = clusters or (range(len(y)), range(len(y), len(y) + len(alone)))
    sums = _sums(y, f, alone, own, others)
    scored = sums[:, 0] > 0
    if scored.sum() < FEWEST or (sums[:, 3] > 0).sum() < FEWEST or np.ptp(y) == 0:
        return None
    made = _estimate(sums, tuning)
    # Where all clusters have the same means, they tell nothing of a variance.
    if min(made.variance, made.people_variance) <= NO_VARIANCE * float(np.var(y)):
        return None
    drawn = _drawn(sums, scored, tuning, seed, n_resamples)
    reach, own_reach = made.quantile * np.sqrt(made.variance), made.quantile * np.sqrt(made.people_variance)
    return PoweredMean(
        len(y), len(alone), int(scored.sum()), made.tuning,
        made.people, (made.people - own_reach, made.people + own_reach),
        made.value, (made.value - reach, made.value + reach),
        made.gain * len(y), (made.gain - 1) * len(y),
        figure_interval((drawn - 1) * len(y), int(scored.sum()), 0.95),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Estimate:
    """`gain` is how many times the variance of people's mean is that of `value`."""

    tuning: float
    people: float
    people_variance: float
    value: float
    variance: float
    quantile: float

    @property
    def gain(self) -> float:
        return self.people_variance / self.variance if self.variance > 0 else float("inf")


def _sums(y: Values, f: Values, alone: Values, own: Sequence[Hashable], others: Sequence[Hashable]) -> Values:
    """By cluster `(n_clusters, 5)`: of what people scored the number, their sum and the judge's; of the others the number and the judge's sum."""
    names = {name: place for place, name in enumerate(dict.fromkeys((*own, *others)))}
    in_own = np.array([names[one] for one in own], dtype=np.int64)
    in_others = np.array([names[one] for one in others], dtype=np.int64)
    columns = [(in_own, None), (in_own, y), (in_own, f), (in_others, None), (in_others, alone)]
    return np.stack([np.bincount(places, of, len(names)).astype(float) for places, of in columns], axis=1)


def _estimate(sums: Values, tuning: float | None) -> _Estimate:
    """mean(y) + λ (mean(f of the others) − mean(f)), its λ being that of least variance over the clusters.

    A cluster moves mean(y) by `of_people` and the difference of the means of f by `of_judge`, each times what makes the sum of squares
    the jackknife's variance. So things of a scenario that people and the judge alone scored count as what they are, not independent.
    """
    from scipy.special import stdtrit

    n, sum_y, sum_f, n_others, sum_others = sums.T
    many, more = n.sum(), n_others.sum()
    own, others = _jackknifed(n), _jackknifed(n_others)
    of_people = own * (sum_y - n * sum_y.sum() / many)
    of_judge = own * (sum_f - n * sum_f.sum() / many) - others * (sum_others - n_others * sum_others.sum() / more)
    shared, spread = of_people * of_judge, of_judge**2
    rest = spread.sum() - spread
    if tuning is None:
        used = np.clip(np.divide(shared.sum() - shared, rest, out=np.zeros_like(rest), where=rest > 0), 0.0, 1.0)
        tuning = float(np.clip(shared.sum() / spread.sum(), 0.0, 1.0)) if spread.sum() > 0 else 0.0
    else:
        used = np.full_like(rest, tuning)
    middle = (sum_f.sum() + sum_others.sum()) / (many + more)
    shift = (sum_f - n * middle) / many - (sum_others - n_others * middle) / more
    people = float(sum_y.sum() / many)
    effective_clusters = many**2 / (n**2).sum()
    return _Estimate(
        tuning, people, float((of_people**2).sum()), people - float((used * shift).sum()),
        float(((of_people - used * of_judge) ** 2).sum()), float(stdtrit(effective_clusters - 1, 0.975)),
    )  # fmt: skip


def _jackknifed(n: Values) -> Values:
    """Factor `(n_clusters,)` that turns a cluster's deviation into its term of the jackknife: how far the mean moves without it, times √((G − 1)/G)."""
    n_clusters = (n > 0).sum()
    return np.sqrt((n_clusters - 1) / n_clusters) / (n.sum() - n)


def _drawn(sums: Values, scored: NDArray[np.bool_], tuning: float | None, seed: int, n_resamples: int) -> Values:
    """The gain in resamples of the clusters that people scored, and of those that the judge alone did."""
    rng = np.random.default_rng(seed)
    kinds = [one for one in (np.flatnonzero(scored), np.flatnonzero(~scored)) if len(one)]
    found = []
    for _ in range(n_resamples):
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = _estimate(sums[np.concatenate([rng.choice(kind, len(kind)) for kind in kinds])], tuning).gain
        if np.isfinite(gain):
            found.append(gain)
    return np.array(found or [1.0])
