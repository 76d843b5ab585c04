"""The alternative annotator test: may a judge stand in for a person drawn at random? Pure.

Each person is left out in turn, and judge and left-out person are compared on how well they represent the others. Source:
Calderon, Reichart and Dror, The Alternative Annotator Test for LLM-as-a-Judge, ACL 2025 (arXiv 2501.10970), §3.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
# Any names that can be looked up.
Person = Any
Thing = Any
Alignment = Literal["accuracy", "distance"]
ClusterOf = Callable[[Thing], Hashable]
# Their rule of thumb: experts 0.2, skilled people 0.15, crowds 0.1 (§3.3).
EPSILON = 0.2
# The share of people whom the judge must beat to pass.
PASSES_FROM = 0.5
# Under as many things the paper takes Wilcoxon's signed ranks in place of t.
FEWEST_FOR_T = 30


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One person against the judge on `n` clusters of things: `advantage` is how often the judge represents the others at least as well, 0…1."""

    person: Person
    n: int
    advantage: float
    p: float
    is_beaten: bool


@dataclass(frozen=True, slots=True)
class AltTest:
    """`winning_rate` ω is the share of people whom the judge beats; `advantage` ρ the mean of theirs; both None without anybody."""

    epsilon: float
    people: tuple[LeftOut, ...]
    winning_rate: float | None
    advantage: float | None

    @property
    def passes(self) -> bool | None:
        return None if self.winning_rate is None else self.winning_rate >= PASSES_FROM


def itself(thing: Thing) -> Hashable:
    """Each thing is a cluster of its own."""
    found: Hashable = thing
    return found


def alt_test(
    judge: Mapping[Thing, float],
    people: Mapping[Person, Mapping[Thing, float]],
    *,
    alignment: Alignment = "distance",
    epsilon: float = EPSILON,
    q: float = 0.05,
    fewest: int = FEWEST_FOR_T,
    cluster_of: ClusterOf = itself,
) -> AltTest:
    """Things that the judge and two people scored take part, and people with `fewest` clusters of them.

    The test takes its rows for independent, so things of one cluster, such as the turns of a dialogue, are one row: their mean.

    `alignment` is `accuracy` for labels (the share of the others with the same) and `distance` for scales (minus the root mean
    squared distance from the others). False discoveries among people are held at `q` by Benjamini and Yekutieli (2001).
    """
    differences = {
        person: found
        for person in people
        if len(found := _differences(person, judge, people, alignment, cluster_of)) >= max(2, fewest)
    }
    p_values = [_p(found[:, 1] - found[:, 0], epsilon) for found in differences.values()]
    beaten = benjamini_yekutieli(p_values, q)
    rows = tuple(
        LeftOut(person, len(found), float(found[:, 0].mean()), p, is_beaten)
        for (person, found), p, is_beaten in zip(differences.items(), p_values, beaten, strict=True)
    )
    if not rows:
        return AltTest(epsilon, (), None, None)
    rate = sum(one.is_beaten for one in rows) / len(rows)
    return AltTest(epsilon, rows, rate, float(np.mean([one.advantage for one in rows])))


def benjamini_yekutieli(p_values: Sequence[float], q: float = 0.05) -> list[bool]:
    """Which hypotheses are rejected: all up to the largest k with p₍ₖ₎ ≤ k·q / (m·Σ 1/i), whatever their dependence."""
    m = len(p_values)
    if not m:
        return []
    harmonic = sum(1 / i for i in range(1, m + 1))
    in_order = sorted(p_values)
    passed = [p for k, p in enumerate(in_order, start=1) if p <= k * q / (m * harmonic)]
    highest = max(passed, default=-1.0)
    return [p <= highest for p in p_values]


@dataclass(frozen=True, slots=True)
class Power:
    """In which share of contests of `n` clusters of things a person a judge exactly as good as people passes."""

    n: int
    share: float


def power(
    judge: Mapping[Thing, float],
    people: Mapping[Person, Mapping[Thing, float]],
    sizes: Sequence[int],
    *,
    alignment: Alignment = "distance",
    epsilon: float = EPSILON,
    q: float = 0.05,
    fewest: int = FEWEST_FOR_T,
    seed: int = 0,
    n_simulated: int = 400,
    cluster_of: ClusterOf = itself,
) -> list[Power]:
    """By simulation: each person's differences are centred on 0 (as good as the judge), and clusters are drawn with replacement."""
    differences = [
        found
        for one in people
        if len(found := _differences(one, judge, people, alignment, cluster_of)) >= max(2, fewest)
    ]
    if not differences:
        return []
    centred = [(found[:, 1] - found[:, 0]) - (found[:, 1] - found[:, 0]).mean() for found in differences]
    rng = np.random.default_rng(seed)
    answered = []
    for n in sizes:
        passed = 0
        for _ in range(n_simulated):
            p_values = [_p_of_t(rng.choice(own, n), epsilon) for own in centred]
            passed += sum(benjamini_yekutieli(p_values, q)) / len(p_values) >= PASSES_FROM
        answered.append(Power(n, passed / n_simulated))
    return answered


def _differences(
    person: Person,
    judge: Mapping[Thing, float],
    people: Mapping[Person, Mapping[Thing, float]],
    alignment: Alignment,
    cluster_of: ClusterOf,
) -> Values:
    """By cluster, the share of its things in which the judge is at least as near to the others as the person, and the reverse `(n, 2)`."""
    rows: dict[Hashable, list[tuple[bool, bool]]] = defaultdict(list)
    for thing, own in people[person].items():
        others = np.array([scores[thing] for other, scores in people.items() if other != person and thing in scores])
        if thing in judge and len(others):
            of_judge, of_person = _aligned(judge[thing], others, alignment), _aligned(own, others, alignment)
            rows[cluster_of(thing)].append((of_judge >= of_person, of_person >= of_judge))
    return np.array([np.mean(of_cluster, axis=0) for of_cluster in rows.values()]).reshape(-1, 2)


def _aligned(score: float, others: Values, alignment: Alignment) -> float:
    if alignment == "accuracy":
        return float((others == score).mean())
    # A hair of rounding keeps equal distances equal.
    return -round(float(np.sqrt(((others - score) ** 2).mean())), 9)


def _p(differences: Values, epsilon: float) -> float:
    """One-sided: are the person's wins less than ε more frequent than the judge's?"""
    if len(differences) >= FEWEST_FOR_T:
        return _p_of_t(differences, epsilon)
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences - epsilon, alternative="less").pvalue)


def _p_of_t(differences: Values, epsilon: float) -> float:
    from scipy.special import stdtr

    n, spread = len(differences), differences.std(ddof=1)
    distance = differences.mean() - epsilon
    if spread < 1e-12:
        return 0.0 if distance < 0 else 1.0
    return float(stdtr(n - 1, distance / (spread / np.sqrt(n))))
