"""How far reviewers agree: Krippendorff's alpha, Fleiss' kappa, raw agreement. Pure.

`ratings` has shape `(n_reviewers, n_items)`; NaN means that the reviewer did not rate the item. Nominal labels are
given as any distinct numbers. An agreement is None where it is undefined: no item with two ratings, or one value in
all of them (nothing shows then that reviewers would have noticed a difference).
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ratings = NDArray[np.float64]
Counts = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(ratings: Ratings, level: Level) -> float | None:
    """1 − observed/expected disagreement: 1 is perfect, 0 chance, below 0 worse than chance.

    Items with fewer than two ratings do not count. Memory grows with the square of the number of distinct values.
    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, §D and §E.
    """
    values, counts = _counts(ratings)
    counts = counts[counts.sum(axis=1) > 1]
    totals = counts.sum(axis=0)
    distances = _distances(values, totals, level)
    n = totals.sum()
    expected = totals @ distances @ totals
    if expected == 0:
        return None
    coincidences = (counts / (counts.sum(axis=1, keepdims=True) - 1)).T @ counts
    return float(1 - (n - 1) * (coincidences * distances).sum() / expected)


def raw_agreement(ratings: Ratings) -> float | None:
    """The share of pairs of ratings of one item that are equal, as a mean over the items with two or more, 0…1."""
    _, counts = _counts(ratings)
    return _agreement_of_pairs(counts)


def fleiss_kappa(ratings: Ratings) -> float | None:
    """(raw agreement − chance)/(1 − chance); chance: the summed squares of the mean shares of the values.

    Reviewers may differ from item to item, and in number too: then, as in Gwet (Handbook of Inter-Rater Reliability,
    2014, §2.5), items with one rating count for the shares alone. Source: Fleiss 1971.
    """
    _, counts = _counts(ratings)
    observed = _agreement_of_pairs(counts)
    if observed is None:
        return None
    shares = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    chance = float(shares @ shares)
    return None if len(shares) < 2 else (observed - chance) / (1 - chance)


def agreement_of_each(ratings: Ratings) -> list[float | None]:
    """Per reviewer the share of the others' ratings equal to the own one, as a mean over shared items, 0…1."""
    found: list[float | None] = []
    for own, others in each_and_others(ratings):
        n_others = (~np.isnan(others)).sum(axis=0)
        is_shared = ~np.isnan(own) & (n_others > 0)
        equal = (others == own).sum(axis=0)[is_shared] / n_others[is_shared]
        found.append(float(equal.mean()) if is_shared.any() else None)
    return found


def agreement_by_pair(ratings: Ratings) -> tuple[Ratings, NDArray[np.int64]]:
    """Of every two reviewers the share of the items both rated that they rated equal, and how many those are; both `(n, n)`, NaN where none is.

    Time grows with the square of the reviewers: `reviews/agreement.py` asks it for few.
    """
    n_reviewers = len(ratings)
    shares, n_shared = np.full((n_reviewers, n_reviewers), np.nan), np.zeros((n_reviewers, n_reviewers), dtype=np.int64)
    for place, own in enumerate(ratings):
        # One row against all others at a time: the whole cube would be as many tables as there are reviewers.
        n_shared[place] = (~np.isnan(own) & ~np.isnan(ratings)).sum(axis=1)
        given = n_shared[place] > 0
        shares[place, given] = (ratings[given] == own).sum(axis=1) / n_shared[place, given]
    return shares, n_shared


def alpha_without_each(ratings: Ratings, level: Level) -> list[float | None]:
    """Per reviewer the alpha of all the others: higher than everybody's where this reviewer disturbs the agreement."""
    return [krippendorff_alpha(others, level) for _, others in each_and_others(ratings)]


def each_and_others(ratings: Ratings) -> Iterator[tuple[Ratings, Ratings]]:
    """Per reviewer the own row and the table of all the others: one after the other, since each table is nearly the whole again."""
    places = np.arange(len(ratings))
    for place in places:
        yield ratings[place], ratings[places != place]


def _counts(ratings: Ratings) -> tuple[NDArray[np.float64], Counts]:
    """The distinct values in order, and how often each was given `(n_items, n_values)`; unrated items are left out."""
    present = ~np.isnan(ratings)
    values, places = np.unique(ratings[present], return_inverse=True)
    items = np.nonzero(present)[1]
    counts = np.zeros((ratings.shape[1], len(values)))
    np.add.at(counts, (items, places), 1)
    return values, counts[counts.any(axis=1)]


def _agreement_of_pairs(counts: Counts) -> float | None:
    n_ratings = counts.sum(axis=1)
    is_shared = n_ratings > 1
    if not is_shared.any():
        return None
    counts, n_ratings = counts[is_shared], n_ratings[is_shared]
    return float(((counts * (counts - 1)).sum(axis=1) / (n_ratings * (n_ratings - 1))).mean())


def _distances(values: NDArray[np.float64], totals: NDArray[np.float64], level: Level) -> NDArray[np.float64]:
    """The squared difference function δ² of the level, `(n_values, n_values)`."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    # Ordinal: values stand as far apart as the ratings that lie between their middles.
    places = values if level == "interval" else totals.cumsum() - totals / 2
    distances: NDArray[np.float64] = np.subtract.outer(places, places) ** 2
    return distances
