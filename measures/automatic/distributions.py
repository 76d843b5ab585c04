"""Distances between probability distributions: NMD, RSNOD, RNSS and JSD (NTCIR-14 STC-3, DQ and ND subtasks).

Each takes a prediction and the gold distribution over the same bins, in class order, and is 0 for equal ones and at most
1. Predictions are normalised by their sum. Source: overview of the NTCIR-14 STC-3 DQ/ND subtasks, §4; its equation 7 (JSD)
is a misprint of the standard definition, which is used here.
"""

from collections.abc import Mapping, Sequence
from math import log2, sqrt

Distribution = Sequence[float]


class BadDistribution(ValueError):
    """The numbers are no distribution over the bins that were asked for."""


def normalised(weights: Sequence[float]) -> list[float]:
    """The weights divided by their sum. Errors: `BadDistribution` for negative, infinite or no weight at all."""
    total = sum(weights)
    if any(not 0 <= weight < float("inf") for weight in weights) or not 0 < total < float("inf"):
        raise BadDistribution("Probabilities must be numbers from 0 with a positive sum.")
    return [weight / total for weight in weights]


def over_labels(weights: Mapping[str, float], labels: Sequence[str]) -> list[float]:
    """A distribution given by label, in class order; missing labels are 0. Errors: `BadDistribution` for unknown ones."""
    unknown = sorted(weights.keys() - set(labels))
    if unknown:
        raise BadDistribution(f"Unknown label {', '.join(unknown)}; there are {', '.join(labels)}.")
    return normalised([weights.get(label, 0.0) for label in labels])


def _pair(p: Distribution, gold: Distribution) -> tuple[list[float], list[float]]:
    if len(p) != len(gold) or len(p) < 2:
        raise BadDistribution(
            f"{len(p)} bins cannot be compared with {len(gold)}; two or more are needed on both sides."
        )
    return normalised(p), normalised(gold)


def nmd(p: Distribution, gold: Distribution) -> float:
    """Normalised match distance: the summed distance of the cumulative distributions over L − 1. For ordered bins."""
    p, gold = _pair(p, gold)
    distance = cumulated = 0.0
    for ours, theirs in zip(p, gold, strict=True):
        cumulated += ours - theirs
        distance += abs(cumulated)
    return distance / (len(p) - 1)


def order_aware_divergence(p: Distribution, gold: Distribution) -> float:
    """OD: the mean, over the bins where `p` is positive, of the squared differences weighted by distance in bins."""
    bins = range(len(p))
    positive = [i for i in bins if p[i] > 0]
    return sum(abs(i - j) * (p[j] - gold[j]) ** 2 for i in positive for j in bins) / len(positive)


def rsnod(p: Distribution, gold: Distribution) -> float:
    """Root symmetric normalised order-aware divergence: sqrt(SOD/(L − 1)), SOD the mean of OD in both directions."""
    p, gold = _pair(p, gold)
    symmetric = (order_aware_divergence(p, gold) + order_aware_divergence(gold, p)) / 2
    return sqrt(symmetric / (len(p) - 1))


def rnss(p: Distribution, gold: Distribution) -> float:
    """Root normalised sum of squares: sqrt(Σ (p − gold)² / 2). For unordered bins."""
    p, gold = _pair(p, gold)
    return sqrt(sum((ours - theirs) ** 2 for ours, theirs in zip(p, gold, strict=True)) / 2)


def jsd(p: Distribution, gold: Distribution) -> float:
    """Jensen–Shannon divergence in base 2, not square-rooted: the mean of both divergences from the midpoint."""
    p, gold = _pair(p, gold)
    middle = [(ours + theirs) / 2 for ours, theirs in zip(p, gold, strict=True)]
    return max(0.0, (_kld(p, middle) + _kld(gold, middle)) / 2)


def _kld(p: Distribution, q: Distribution) -> float:
    # A midpoint can underflow to 0 beside a probability of 5e-324, whose share of the sum is 0 as well.
    return sum(ours * log2(ours / theirs) for ours, theirs in zip(p, q, strict=True) if ours > 0 and theirs > 0)


def nugget_score(customer: Sequence[float], helpdesk: Sequence[float], alpha: float = 0.5) -> float:
    """One dialogue's figure: α · mean over its customer turns + (1 − α) · mean over its helpdesk turns.

    A side without turns leaves its weight to the other. Errors: `ValueError` if neither side has a turn.
    """
    if not customer and not helpdesk:
        raise ValueError("A dialogue needs at least one turn.")
    if not customer or not helpdesk:
        turns = customer or helpdesk
        return sum(turns) / len(turns)
    return alpha * sum(customer) / len(customer) + (1 - alpha) * sum(helpdesk) / len(helpdesk)


def uniform(n_bins: int) -> list[float]:
    """The uniform baseline: every bin the same."""
    return [1 / n_bins] * n_bins


def popularity(votes: Sequence[float]) -> list[float]:
    """The popularity baseline: everything on the most popular bin, shared equally by ties."""
    most = max(votes)
    return normalised([float(vote == most) for vote in votes])


def minus_log2(mean: float) -> float:
    """−log2 of a mean of distances, in which higher is better; infinite for a mean of 0 (NTCIR's other way to report)."""
    return -log2(mean) if mean > 0 else float("inf")
