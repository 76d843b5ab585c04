"""Prediction-powered inference of a mean: what people scored, helped by what a judge scored of everything. Pure.

Sources: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 382 (2023), the mean; its tuning by λ: Angelopoulos, Duchi
and Zrnic, PPI++ (arXiv 2311.01453), §6. A judge without worth gets λ near 0, and nothing is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measures.correlation import NORMAL_95
from measures.resampling import figure_interval

Values = NDArray[np.float64]
FEWEST = 5


@dataclass(frozen=True, slots=True)
class PoweredMean:
    """`n` things that people scored, `n_judged` more that the judge alone scored; `people` is the mean without the judge.

    `effective` is how many things people would have to score for an interval as narrow; `saved` what that is more than `n`, with
    its 95% interval. All are of things, such as dialogues.
    """

    n: int
    n_judged: int
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
    seed: int = 0,
    n_resamples: int = 1000,
    tuning: float | None = None,
) -> PoweredMean | None:
    """`people` and `judge` are of the same things in the same order. None with fewer than `FEWEST` of either kind, or equal scores.

    `tuning` is λ: 1 is the estimator of 2023, None the λ of least variance, held to 0…1.
    """
    y, f, alone = (np.asarray(one, dtype=float) for one in (people, judge, judged_alone))
    if y.shape != f.shape:
        raise ValueError(f"{len(y)} scores of people cannot be paired with {len(f)}.")
    if len(y) < FEWEST or len(alone) < FEWEST or np.ptp(y) == 0:
        return None
    made = _estimate(y, f, alone, tuning)
    saved = _saved(y, f, alone, tuning, seed, n_resamples)
    own = float(np.sqrt(y.var(ddof=1) / len(y)))
    reach = NORMAL_95 * np.sqrt(made.variance)
    return PoweredMean(
        len(y), len(alone), made.tuning,
        float(y.mean()), (float(y.mean() - NORMAL_95 * own), float(y.mean() + NORMAL_95 * own)),
        made.value, (float(made.value - reach), float(made.value + reach)),
        made.effective, made.effective - len(y), figure_interval(saved, len(y), 0.95),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Estimate:
    tuning: float
    value: float
    variance: float
    effective: float


def _estimate(y: Values, f: Values, alone: Values, tuning: float | None) -> _Estimate:
    """mean(y) + λ (mean(f of the others) − mean(f)), with variance Var(y − λf)/n + λ² Var(f)/N."""
    n, many = len(y), len(alone)
    spread = float(np.concatenate([f, alone]).var(ddof=1))
    if tuning is None:
        shared = float(np.cov(y, f)[0, 1])
        tuning = min(1.0, max(0.0, shared / ((1 + n / many) * spread))) if spread > 0 else 0.0
    value = float(y.mean() + tuning * (alone.mean() - f.mean()))
    variance = float((y - tuning * f).var(ddof=1) / n + tuning**2 * alone.var(ddof=1) / many)
    effective = float(y.var(ddof=1) / variance) if variance > 0 else float("inf")
    return _Estimate(tuning, value, variance, effective)


def _saved(y: Values, f: Values, alone: Values, tuning: float | None, seed: int, n_resamples: int) -> Values:
    """What is saved in resamples of the things of people and of those of the judge."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_resamples):
        own, others = rng.integers(0, len(y), len(y)), rng.integers(0, len(alone), len(alone))
        if np.ptp(y[own]) > 0:
            effective = _estimate(y[own], f[own], alone[others], tuning).effective
            if np.isfinite(effective):
                found.append(effective - len(y))
    return np.array(found or [0.0])
