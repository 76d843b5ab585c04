"""Strengths of systems from pairs: the Bradley–Terry model with ties of Davidson, with covariates, and how sure it is. Pure.

Of two systems with log strengths a and b, the first wins, the second wins or neither does with chances in proportion to
exp(d/2), exp(−d/2) and ν, where d = a − b + Σ β·x. With ν = 0 that is Bradley and Terry's model; x are covariates of the first
side minus those of the second, such as the length of its answers: a and b are then strengths at equal length.

"Both bad" is a tie to the strengths: it says of neither side that it is the better one. How often it was said is reported apart.

Sources: Davidson 1970 (JASA 65, eq. 2.2 and 2.4, ν√(ab) for a tie); Ford 1957 (when a maximum exists); Cameron, Gelbach and
Miller 2011 (variance of two kinds of clusters); Connor 1987 (sample size of paired answers).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, exp, inf, log
from random import Random
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Verdict = Literal["first", "second", "tie", "both_bad"]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]

N_RESAMPLES = 1000
# Resamples that are fitted at once, and how many numbers of theirs are held.
CHUNK = 100
NUMBERS_AT_ONCE = 5_000_000
# The precision of a normal distribution around 0 that holds every number where the votes alone give none: a few votes outweigh it.
WEAK_PENALTY = 0.01
N_STEPS, SMALL_STEP = 200, 1e-11
FIRST, SECOND, NEITHER = 0, 1, 2
COLUMNS = {"first": FIRST, "second": SECOND, "tie": NEITHER, "both_bad": NEITHER}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One vote, or `n` alike. `covariates` are those of the first side minus those of the second."""

    first: str
    second: str
    verdict: Verdict
    judge: str = ""
    scenario: str = ""
    covariates: tuple[float, ...] = ()
    n: int = 1


class NoMaximum(ValueError):
    """The votes do not tell strengths. `groups` are the systems in parts that the votes do not hold together."""

    def __init__(self, groups: Sequence[Sequence[str]] = ()) -> None:
        super().__init__(" | ".join(", ".join(group) for group in groups))
        self.groups = tuple(map(tuple, groups))


class Islands(NoMaximum):
    """No vote compares systems of different groups: no penalty makes them comparable."""


class OneSided(NoMaximum):
    """Between these groups all votes went one way: the distance of their strengths has no upper end."""


class OnlyTies(NoMaximum):
    """Ties outweigh every circle of wins: the tie parameter has no upper end."""


class NotIdentified(NoMaximum):
    """A covariate follows from which systems were compared, or from another covariate."""


@dataclass(frozen=True, slots=True)
class Fit:
    """`strengths` have the mean 0, on the scale of natural logarithms; `tie` is ν, 0 where no vote was a tie.

    `covariance` is that of independent votes, in the order of `names`, then of the covariates; `penalty` is 0 for maximum likelihood.
    """

    names: tuple[str, ...]
    strengths: dict[str, float]
    tie: float
    coefficients: dict[str, float]
    log_likelihood: float
    n_votes: int
    n_both_bad: int
    penalty: float
    covariance: Floats = field(repr=False, compare=False)

    def chances(self, first: str, second: str, shift: float = 0.0) -> tuple[float, float, float]:
        """That the first wins, the second wins, neither does; `shift` is what covariates add to the difference."""
        return chances(self.strengths[first] - self.strengths[second] + shift, self.tie)


def chances(difference: float, tie: float) -> tuple[float, float, float]:
    """Of a difference of log strengths and ν: that the first wins, the second wins, neither does."""
    first, second = 1.0, exp(-abs(difference))
    neither = tie * exp(-abs(difference) / 2)
    total = first + second + neither
    stronger, weaker = first / total, second / total
    return (stronger, weaker, neither / total) if difference >= 0 else (weaker, stronger, neither / total)


@dataclass(frozen=True, slots=True)
class _Design:
    """The votes as counts: each row is two systems (in the order of their names) with the same covariates, sorted by the two.

    `counts` is `(n_rows, 3)`, `x` `(n_rows, n_covariates)` in units of `scales`; `starts` are the first rows of each two systems.
    `votes` is `(n_kinds_of_vote, 4)`: row, column of `counts`, judge, scenario, and `n_each` how often each was given.
    """

    names: tuple[str, ...]
    left: Places
    right: Places
    starts: Places
    x: Floats
    scales: Floats
    counts: Floats
    votes: Places
    n_each: Floats
    n_both_bad: int

    @property
    def n_parameters(self) -> int:
        """Strengths, coefficients, and the logarithm of ν."""
        return len(self.names) + self.x.shape[1] + 1


def _design_of(comparisons: Sequence[Comparison], n_covariates: int) -> _Design:
    """Errors: `ValueError` where a vote compares a system with itself, or has another number of covariates."""
    names = tuple(sorted({name for one in comparisons for name in (one.first, one.second)}))
    places = {name: place for place, name in enumerate(names)}
    judges: dict[str, int] = {}
    scenarios: dict[str, int] = {}
    said: Counter[tuple[tuple[int, int, tuple[float, ...]], int, int, int]] = Counter()
    for one in comparisons:
        if one.first == one.second or len(one.covariates) != n_covariates:
            raise ValueError(f"{one} is no comparison of two systems with {n_covariates} covariates.")
        first, second, column = places[one.first], places[one.second], COLUMNS[one.verdict]
        row = (first, second, one.covariates)
        if first > second:
            # Adding 0 makes -0.0 the same number as 0.0.
            row = (second, first, tuple(0.0 - value for value in one.covariates))
            column = {FIRST: SECOND, SECOND: FIRST}.get(column, column)
        judge = judges.setdefault(one.judge, len(judges))
        said[row, column, judge, scenarios.setdefault(one.scenario, len(scenarios))] += one.n
    rows = {row: place for place, row in enumerate(sorted({row for row, *_rest in said}))}
    ordered = sorted((rows[row], column, judge, scenario, n) for (row, column, judge, scenario), n in said.items())
    votes = np.array([one[:4] for one in ordered], dtype=np.intp).reshape(-1, 4)
    n_each = np.array([one[4] for one in ordered], dtype=float)
    counts = np.zeros((len(rows), 3))
    np.add.at(counts, (votes[:, 0], votes[:, 1]), n_each)
    pairs = np.array([row[:2] for row in rows], dtype=np.intp).reshape(-1, 2)
    x = np.array([row[2] for row in rows], dtype=float).reshape(len(rows), n_covariates)
    scales = np.sqrt((x**2).mean(axis=0)) if len(x) else np.ones(n_covariates)
    scales[scales == 0] = 1.0
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    n_both_bad = sum(one.n for one in comparisons if one.verdict == "both_bad")
    return _Design(
        names, pairs[:, 0], pairs[:, 1], np.flatnonzero(is_first), x / scales, scales, counts, votes, n_each, n_both_bad
    )


def fit(comparisons: Sequence[Comparison], *, covariate_names: Sequence[str] = (), penalty: float = 0.0) -> Fit:
    """The strengths of all systems that were compared, by maximum likelihood; with a `penalty` by that less the penalty's half times
    the sum of squares of all parameters (covariates in units of their root mean square).

    Time: linear in the votes, then in the distinct pairs (with covariates: distinct pairs with their covariates).
    Errors: `Islands`, `NotIdentified`; without a penalty also `OneSided` and `OnlyTies`; `ValueError` without any vote.
    """
    if not comparisons:
        raise ValueError("There is no vote.")
    design = _design_of(comparisons, len(covariate_names))
    _check_maximum(design, penalty)
    found, value, information = _maximised(design, design.counts[None], penalty)
    n, k = len(design.names), len(covariate_names)
    if not penalty and (np.abs(found[0, n : n + k]) > 30).any():
        raise NotIdentified
    covariance = np.linalg.inv(information[0])[: n + k, : n + k]
    # The direction in which all strengths grow alike was held by 1; strengths of mean 0 have no variance there.
    covariance[:n, :n] -= 1 / (n * (1 + penalty))
    units = np.concatenate([np.ones(n), design.scales])
    return Fit(
        design.names,
        dict(zip(design.names, map(float, found[0, :n]), strict=True)),
        exp(found[0, -1]) if found[0, -1] > -inf else 0.0,
        dict(zip(covariate_names, map(float, found[0, n : n + k] / design.scales), strict=True)),
        float(value[0]),
        int(design.counts.sum()),
        design.n_both_bad,
        penalty,
        covariance / np.outer(units, units),
    )


def _check_maximum(design: _Design, penalty: float) -> None:
    """A finite maximum exists where every system can be reached from every other by wins and ties, and ties alone cannot explain them.

    Let strengths and log ν grow along a line. No vote's chance falls if each winner gains at least 2t on its loser and each two
    that tied drift apart by at most 2t, t being what log ν gains. Such a line with t = 0 exists unless wins and ties (both ways)
    connect all strongly; with t > 0 unless a circle has more wins than ties, which is one of negative length.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import NegativeCycleError, bellman_ford, connected_components

    n = len(design.names)
    wins, ties = np.zeros((n, n)), np.zeros((n, n))
    np.add.at(wins, (design.left, design.right), design.counts[:, FIRST])
    np.add.at(wins, (design.right, design.left), design.counts[:, SECOND])
    np.add.at(ties, (design.left, design.right), design.counts[:, NEITHER])
    ties += ties.T

    def groups(edges: Floats, connection: str) -> list[list[str]]:
        n_groups, of_each = connected_components(csr_array(edges), connection=connection)
        if n_groups == 1:
            return []
        return sorted(
            [name for name, group in zip(design.names, of_each, strict=True) if group == g] for g in range(n_groups)
        )

    if parts := groups(wins + ties, "weak"):
        raise Islands(parts)
    _check_covariates(design)
    if penalty:
        return
    if parts := groups(wins + ties, "strong"):
        raise OneSided(parts)
    if ties.any() and len(groups(wins, "strong")) == n:
        lengths = np.where(wins > 0, -1.0, np.where(ties > 0, 1.0, 0.0))
        try:
            bellman_ford(csr_array(lengths), indices=0)
        except NegativeCycleError:
            return
        raise OnlyTies([list(design.names)])


def _check_covariates(design: _Design) -> None:
    """Errors: `NotIdentified` where the covariates tell nothing beside the systems."""
    n, k = len(design.names), design.x.shape[1]
    if not k:
        return
    no_votes = np.broadcast_to(design.counts.sum(axis=1, keepdims=True) / 3, design.counts.shape)
    _value, _gradient, information = _slopes(design, no_votes[None], np.zeros((1, design.n_parameters)), 0.0)
    if np.linalg.eigvalsh(information[0][: n + k, : n + k])[0] < 1e-9 * design.counts.sum():
        raise NotIdentified


def _slopes(design: _Design, counts: Floats, at: Floats, penalty: float) -> tuple[Floats, Floats, Floats]:
    """Of each of `(n_samples, n_rows, 3)` counts: the penalised log likelihood at its parameters, its gradient, and the information."""
    n, k = len(design.names), design.x.shape[1]
    n_samples = len(counts)
    difference = at[:, design.left] - at[:, design.right] + at[:, n : n + k] @ design.x.T
    weights = np.stack([difference / 2, -difference / 2, np.broadcast_to(at[:, -1:], difference.shape)], axis=2)
    highest = weights.max(axis=2, keepdims=True)
    share = np.exp(weights - highest)
    total = share.sum(axis=2, keepdims=True)
    share /= total
    # A sample without ties has a log ν of −∞, which its count of 0 takes out.
    known = np.where(counts > 0, weights - highest - np.log(total), 0.0)
    held = np.where(np.isinf(at), 0.0, at)
    value = (counts * known).sum(axis=(1, 2)) - penalty / 2 * (held**2).sum(axis=1)
    n_votes = counts.sum(axis=2)
    lead = share[..., FIRST] - share[..., SECOND]
    to_difference = (counts[..., FIRST] - counts[..., SECOND] - n_votes * lead) / 2
    of_difference = n_votes * (share[..., FIRST] + share[..., SECOND] - lead**2) / 4
    with_tie = -n_votes * share[..., NEITHER] * lead / 2
    gradient = np.zeros((n_samples, n + k + 1))
    information = np.zeros((n_samples, n + k + 1, n + k + 1))
    left, right = design.left[design.starts], design.right[design.starts]
    # What each system gets of values of pairs: those of its right side with the other sign.
    sides = np.zeros((len(left), n))
    places = np.arange(len(left))
    sides[places, left], sides[places, right] = 1.0, -1.0

    def per_system(values: Floats) -> Floats:
        return np.asarray(np.add.reduceat(values, design.starts, axis=1) @ sides)

    gradient[:, :n] = per_system(to_difference)
    gradient[:, n : n + k] = to_difference @ design.x
    gradient[:, -1] = (counts[..., NEITHER] - n_votes * share[..., NEITHER]).sum(axis=1)
    of_pairs = np.add.reduceat(of_difference, design.starts, axis=1)
    information[:, left, right] = information[:, right, left] = -of_pairs
    information[:, range(n), range(n)] = of_pairs @ np.abs(sides)
    for place in range(k):
        weighted = of_difference * design.x[:, place]
        information[:, :n, n + place] = information[:, n + place, :n] = per_system(weighted)
        information[:, n : n + k, n + place] = weighted @ design.x
    information[:, :n, -1] = information[:, -1, :n] = per_system(with_tie)
    information[:, n : n + k, -1] = information[:, -1, n : n + k] = with_tie @ design.x
    information[:, -1, -1] = (n_votes * share[..., NEITHER] * (1 - share[..., NEITHER])).sum(axis=1)
    gradient -= penalty * held
    information[:, range(n + k + 1), range(n + k + 1)] += penalty
    # Strengths that all grow alike change nothing: held at the mean 0. Without ties log ν stays where it is.
    information[:, :n, :n] += 1 / n
    information[:, -1, -1] += np.isinf(at[:, -1])
    return value, gradient, information


def _maximised(design: _Design, counts: Floats, penalty: float) -> tuple[Floats, Floats, Floats]:
    """Newton's steps, halved where one would fall: parameters, penalised log likelihoods and information of each sample."""
    at = np.zeros((len(counts), design.n_parameters))
    at[:, -1] = np.where(counts[..., NEITHER].sum(axis=1) > 0, 0.0, -inf)
    value, gradient, information = _slopes(design, counts, at, penalty)
    for _step in range(N_STEPS):
        step = np.linalg.solve(information, gradient[..., None])[..., 0]
        for _half in range(40):
            tried = _slopes(design, counts, at + step, penalty)
            has_fallen = tried[0] < value - 1e-9 * np.abs(value)
            if not has_fallen.any():
                break
            step[has_fallen] /= 2
        at = at + step
        value, gradient, information = tried
        if np.abs(step).max(initial=0.0) < SMALL_STEP * (1 + np.abs(at[np.isfinite(at)]).max(initial=0.0)):
            break
    return at, value, information


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval, and two-sided p that it is 0. None where one cluster is all there is."""

    value: float
    low: float | None
    high: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """How much strengths and coefficients vary from one draw of judges and scenarios to the next.

    `parts` are covariances with their signs: of resampled judges, plus of resampled scenarios, minus of both crossed; one alone
    where only that is drawn. `n_clusters` is the smaller number of clusters: Student's t has one degree of freedom less.
    """

    fit: Fit
    level: float
    n_resamples: int
    n_clusters: int
    parts: tuple[tuple[int, Floats], ...]

    def strength(self, name: str) -> Estimate:
        return self._estimate(self.fit.strengths[name], {self.fit.names.index(name): 1.0})

    def coefficient(self, name: str) -> Estimate:
        place = len(self.fit.names) + list(self.fit.coefficients).index(name)
        return self._estimate(self.fit.coefficients[name], {place: 1.0})

    def difference(self, first: str, second: str) -> Estimate:
        """How much stronger the first is."""
        places = {self.fit.names.index(first): 1.0, self.fit.names.index(second): -1.0}
        return self._estimate(self.fit.strengths[first] - self.fit.strengths[second], places)

    @property
    def design_effect(self) -> float | None:
        """How many times the variance of independent votes strengths have, on average: what clusters cost. At least 1."""
        n = len(self.fit.names)
        if not self.parts:
            return None
        independent = float(np.trace(self.fit.covariance[:n, :n]))
        return max(1.0, sum(self._variance({place: 1.0}) for place in range(n)) / independent)

    def _variance(self, contrast: dict[int, float]) -> float:
        places, weights = list(contrast), np.array(list(contrast.values()))
        of_parts = [(sign, float(weights @ part[np.ix_(places, places)] @ weights)) for sign, part in self.parts]
        # A difference of variances can come out too small by chance, never smaller than each of what it is made of.
        return max(sum(sign * variance for sign, variance in of_parts), min(variance for _sign, variance in of_parts))

    def _estimate(self, value: float, contrast: dict[int, float]) -> Estimate:
        from scipy.special import stdtr, stdtrit

        if not self.parts:
            return Estimate(value, None, None, None)
        deviation = self._variance(contrast) ** 0.5
        half = float(stdtrit(self.n_clusters - 1, (1 + self.level) / 2)) * deviation
        p = float(2 * stdtr(self.n_clusters - 1, -abs(value) / deviation)) if deviation else None
        return Estimate(value, value - half, value + half, p)


def intervals(
    comparisons: Sequence[Comparison],
    *,
    rng: Random,
    n_resamples: int = N_RESAMPLES,
    level: float = 0.95,
    covariate_names: Sequence[str] = (),
) -> Uncertainty:
    """Clustered bootstrap: whole judges, whole scenarios, and each judge's votes on a scenario are drawn with replacement.

    The variance of two kinds of clusters is that of the one plus that of the other minus that of both crossed (Cameron, Gelbach
    and Miller 2011), which neither counts independent votes twice nor takes votes of one judge for independent. Each resample is
    fitted with `WEAK_PENALTY`, as some have no maximum. `rng` gives one seed. Errors: those of `fit`.
    """
    found = fit(comparisons, covariate_names=covariate_names)
    design = _design_of(comparisons, len(covariate_names))
    _row, _column, judges, scenarios = design.votes.T
    crossed = np.unique(judges * (scenarios.max() + 1) + scenarios, return_inverse=True)[1]
    kinds = [(1, clusters) for clusters in (judges, scenarios) if clusters.max() > 0]
    if len(kinds) == 2:
        kinds.append((-1, crossed))
    numbers = np.random.default_rng(rng.getrandbits(64))
    parts = tuple((sign, _resampled(design, clusters, numbers, n_resamples)) for sign, clusters in kinds)
    n_clusters = min((int(clusters.max()) + 1 for _sign, clusters in kinds), default=1)
    return Uncertainty(found, level, n_resamples, n_clusters, parts)


def _resampled(design: _Design, clusters: Places, rng: np.random.Generator, n_resamples: int) -> Floats:
    """The covariance of strengths and coefficients over resamples of whole clusters, made up for their being few: G/(G − 1)."""
    n_clusters, n_kept = int(clusters.max()) + 1, design.n_parameters - 1
    cells = design.votes[:, 0] * 3 + design.votes[:, 1]
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    size = max(1, min(CHUNK, NUMBERS_AT_ONCE // (len(cells) + 12 * len(design.left))))
    drawn = []
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        weights = rng.multinomial(n_clusters, np.full(n_clusters, 1 / n_clusters), size=n)
        counts = np.zeros((n, 3 * len(design.left)))
        counts[:, cells[starts]] = np.add.reduceat(weights[:, clusters] * design.n_each, starts, axis=1)
        drawn.append(_maximised(design, counts.reshape(n, -1, 3), WEAK_PENALTY)[0][:, :n_kept])
    units = np.concatenate([np.ones(len(design.names)), design.scales])
    covariance: Floats = np.atleast_2d(np.cov(np.concatenate(drawn) / units, rowvar=False))
    return covariance * (n_clusters / (n_clusters - 1))


def votes_needed(
    difference: float, *, tie_share: float = 0.0, power: float = 0.8, level: float = 0.95, design_effect: float = 1.0
) -> int:
    """How many votes between two systems show a difference of log strengths with that power, by a two-sided test.

    `tie_share` is the share of ties between equals. The score test of no difference compares the wins of both sides, as McNemar's
    test does: n = (z·√w + z'·√(w − l²))²/l², where w is the share of votes that are wins and l the lead among all votes
    (Connor 1987). Without ties 0.405 (6 of 10 wins) takes 194 votes. Errors: `ValueError` for no difference or only ties.
    """
    if not difference or not 0 <= tie_share < 1:
        raise ValueError("Equal systems never part, nor do those that always tie.")
    first, second, _neither = chances(abs(difference), 2 * tie_share / (1 - tie_share))
    wins, lead = first + second, first - second
    normal = NormalDist()
    critical, above = normal.inv_cdf((1 + level) / 2), normal.inv_cdf(power)
    return ceil(design_effect * ((critical * wins**0.5 + above * (wins - lead**2) ** 0.5) / lead) ** 2)


def difference_of(share: float) -> float:
    """The difference of log strengths at which that share of the wins is the first one's: 0.6 is 0.405."""
    return log(share / (1 - share))
