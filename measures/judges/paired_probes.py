"""What a changed prompt does to a judge: the same dialogues judged twice, and a test of the mean difference. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measures.resampling import figure_interval

Values = NDArray[np.float64]
FOUND_BELOW = 0.05
# All sign patterns of as many differences that are not 0 are gone through; of more, N_SIGNS are drawn.
EXACT_UP_TO = 12
N_SIGNS = 10_000
FEWEST = 6


@dataclass(frozen=True, slots=True)
class Probed:
    """`shift` is the mean of changed minus unchanged, with its 95% interval; p of no shift, two-sided. `n_moved` differ at all.

    With fewer than six dialogues no shift can be significant, and `is_found` is None.
    """

    n: int
    n_moved: int
    shift: float | None
    interval: tuple[float, float] | None
    p: float | None

    @property
    def is_found(self) -> bool | None:
        return None if self.p is None else self.p < FOUND_BELOW


def probed(unchanged: Sequence[float], changed: Sequence[float], *, seed: int = 0, n_resamples: int = 1000) -> Probed:
    """The randomization test of paired differences (Fisher 1935): under no shift every sign of a difference is as likely.

    Both lists are of the same dialogues in the same order. p is (k + 1)/(n + 1) where signs are drawn.
    """
    differences = np.asarray(changed, dtype=float) - np.asarray(unchanged, dtype=float)
    n, moved = len(differences), differences[np.abs(differences) > 1e-12]
    if n == 0:
        return Probed(0, 0, None, None, None)
    rng = np.random.default_rng(seed)
    drawn = differences[rng.integers(0, n, (n_resamples, n))].mean(axis=1)
    interval = figure_interval(drawn, n, 0.95) if n > 1 else None
    p = _p(moved, rng) if n >= FEWEST else None
    return Probed(n, len(moved), float(differences.mean()), interval, p)


def _p(moved: Values, rng: np.random.Generator) -> float:
    n = len(moved)
    if n == 0:
        return 1.0
    seen = abs(moved.sum()) - 1e-9
    if n <= EXACT_UP_TO:
        signs = 1 - 2 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        return float((np.abs(signs @ moved) >= seen).mean())
    signs = 1 - 2 * rng.integers(0, 2, (N_SIGNS, n))
    return float(((np.abs(signs @ moved) >= seen).sum() + 1) / (N_SIGNS + 1))
