"""How many more dialogues would tell two bots apart. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
