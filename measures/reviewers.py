"""What single reviewers are like beside the others: severity, spread, pace, drift. Pure.

`ratings` has shape `(n_reviewers, n_items)`, in points of one criterion's scale; NaN means not rated. A figure is None
where too little is there to say it.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from measures.agreement import Ratings, each_and_others
from measures.crossed import column_means, effects

# A longer gap between two submissions is a break, not work on the later one.
PAUSE_S = 1800.0
FEWEST_FOR_DRIFT = 3


@dataclass(frozen=True, slots=True)
class Drift:
    """How a reviewer's deviation changes: points per 100 ratings, positive is towards leniency, with a 95% interval.

    `mean` is the mean deviation in points; against gold it is the reviewer's bias. The interval is that of a slope by
    least squares with independent errors (Student's t).
    """

    n_ratings: int
    mean: float
    per_100: float
    low: float
    high: float


def severities(ratings: Ratings) -> list[float | None]:
    """Per reviewer, by how many points they rate below the others on the same items; positive is severe.

    Adjusted: rating = item − severity + error is fitted by least squares, so that neither harder items nor harsher
    neighbours are taken for severity. The mean over reviewers who are linked by shared items is 0; between groups that
    share none, severities cannot be compared. None for a reviewer who shares no item.
    """
    return [None if np.isnan(effect) else -float(effect) for effect in effects(ratings).rows]


def without_severity(ratings: Ratings) -> Ratings:
    """Each rating plus its reviewer's severity: what an average reviewer would have given. Unknown severity counts as 0."""
    return ratings - np.nan_to_num(effects(ratings).rows)[:, None]


def spreads(ratings: Ratings) -> list[float | None]:
    """Per reviewer the standard deviation (n − 1) of the own ratings, in points; 0 for one who always gives the same."""
    found: list[float | None] = []
    for own in ratings:
        given = own[~np.isnan(own)]
        found.append(float(given.std(ddof=1)) if len(given) > 1 else None)
    return found


def pace_s(submitted_at_s: Sequence[float], *, pause_s: float = PAUSE_S) -> float | None:
    """The median time from one submission to the next, in seconds per review, without gaps over `pause_s`.

    The first review after a break has no known beginning and does not count. None if no two came within `pause_s`.
    """
    gaps = np.diff(np.sort(np.asarray(submitted_at_s, dtype=float)))
    at_work = gaps[gaps <= pause_s]
    return float(np.median(at_work)) if len(at_work) else None


def straight_share(sheets: Iterable[Sequence[float]]) -> float | None:
    """The share of sheets whose scores all stand at one place of their scales (0 the lowest point, 1 the highest).

    Sheets of a single score say nothing and are passed over; None where no other is left.
    """
    asked = [places for places in sheets if len(places) > 1]
    return sum(len(set(places)) == 1 for places in asked) / len(asked) if asked else None


def longest_run(sheets: Iterable[Hashable]) -> int:
    """The most sheets in a row that are equal, in the order of their submission; 0 without any ("longstring" of surveys)."""
    return max((sum(1 for _ in equal) for _, equal in groupby(sheets)), default=0)


def deviations_from_others(ratings: Ratings) -> Ratings:
    """Each rating minus the mean of the others' ratings of the item, theirs freed from severity; NaN if alone."""
    others = [column_means(others) for _, others in each_and_others(without_severity(ratings))]
    return ratings - np.array(others).reshape(ratings.shape)


def drift(deviations: Sequence[float]) -> Drift | None:
    """The trend of one reviewer's deviations, given in the order of submission; NaN (no other opinion) is passed over.

    The place among all of the reviewer's ratings is the clock: a passed-over rating still moves it on. None for fewer
    than three deviations.
    """
    from scipy.special import stdtrit

    given = np.asarray(deviations, dtype=float)
    places = np.nonzero(~np.isnan(given))[0]
    n = len(places)
    if n < FEWEST_FOR_DRIFT:
        return None
    given = given[places]
    since = places - places.mean()
    slope = float(since @ given / (since @ since))
    errors = given - given.mean() - slope * since
    reach = float(stdtrit(n - 2, 0.975) * np.sqrt(errors @ errors / (n - 2) / (since @ since)))
    return Drift(n, float(given.mean()), 100 * slope, 100 * (slope - reach), 100 * (slope + reach))
