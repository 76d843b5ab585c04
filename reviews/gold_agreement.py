"""How far each reviewer is from gold, and whether that changes: figures that are stored with the panel's agreement."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import isnan, nan
from typing import Any

from reviews.rating_places import criterion_of
from reviews.training import GoldTry

Figures = dict[str, Any]

DECIMALS = 6


def against_gold(tries: Iterable[GoldTry], others_at_s: Mapping[int, Sequence[float]]) -> Figures:
    """`{reviewer id: {"n", "exact", "bias", "drift", "criteria": {key: {"bias", "drift"}}}}`; ids as texts.

    `n` are the gold dialogues that were handed in, `exact` the share of their scores that were given exactly. The bias is the mean difference in points,
    positive where the reviewer is milder than gold; `bias` and `drift` of all scales take the mean of each dialogue. `others_at_s` are
    the times of the reviewer's other hand-ins: drift is points per 100 hand-ins of any kind, with its 95% interval.
    """
    own: dict[int, list[GoldTry]] = defaultdict(list)
    for one in tries:
        own[one.reviewer_id].append(one)
    return {str(person): _figures(tried, others_at_s.get(person, ())) for person, tried in own.items()}


def _figures(tries: Sequence[GoldTry], others_at_s: Sequence[float]) -> Figures:
    keys = {criterion_of(key) for one in tries for key in one.differences}
    n_scores = sum(one.n_scores for one in tries)
    return {
        "n": len(tries),
        "exact": round(sum(one.n_exact for one in tries) / n_scores, DECIMALS) if n_scores else None,
        **_bias_and_drift([(one.at.timestamp(), _mean(one.differences.values())) for one in tries], others_at_s),
        "criteria": {
            key: _bias_and_drift([(one.at.timestamp(), _mean(_of(key, one))) for one in tries], others_at_s)
            for key in sorted(keys)
        },
    }


def _bias_and_drift(deviations: list[tuple[float, float]], others_at_s: Sequence[float]) -> Figures:
    """A hand-in that is no gold says nothing of the deviation, but it moves the clock on."""
    from measures.reviewers import drift

    in_order = [deviation for _, deviation in sorted([*deviations, *((at_s, nan) for at_s in others_at_s)])]
    trend = drift(in_order)
    bias = _mean(one for one in in_order if not isnan(one))
    return {
        "bias": None if isnan(bias) else round(bias, DECIMALS) + 0.0,
        "drift": trend and [round(one, DECIMALS) + 0.0 for one in (trend.per_100, trend.low, trend.high)],
    }


def _of(criterion: str, one: GoldTry) -> list[int]:
    return [difference for key, difference in one.differences.items() if criterion_of(key) == criterion]


def _mean(numbers: Iterable[float]) -> float:
    given = list(numbers)
    return sum(given) / len(given) if given else nan
