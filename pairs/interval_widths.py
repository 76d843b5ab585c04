"""How little is known of the distance between two systems: what an adaptive draw looks at. Pure.

The votes are fitted as the board fits them, weakly held so that a system without a loss has a strength as well
(`measures/bradley_terry.py`). The width of a distance follows from the covariance of the strengths.
"""

from collections.abc import Iterable
from itertools import combinations
from math import sqrt

from measures.bradley_terry import WEAK_PENALTY, Comparison, NoMaximum, Verdict, fit
from pairs.pair_drawing import Two, two_of

# A vote as ids of the systems on the left and on the right, and its verdict.
Voted = tuple[int, int, str]
VERDICTS: dict[str, Verdict] = {"left": "first", "right": "second", "tie": "tie", "both_bad": "both_bad"}


def interval_widths(votes: Iterable[Voted]) -> dict[Two, float]:
    """By two systems with votes, the standard deviation of their distance on the log scale.

    Empty while the votes leave systems apart that nothing compares: then each distance is unknown, and what was compared least
    comes first.
    """
    comparisons = [Comparison(str(left), str(right), VERDICTS[verdict]) for left, right, verdict in votes]
    try:
        found = fit(comparisons, penalty=WEAK_PENALTY) if comparisons else None
    except NoMaximum:
        return {}
    if found is None:
        return {}
    known = found.covariance
    return {
        two_of(int(one), int(other)): sqrt(max(0.0, known[row, row] + known[column, column] - 2 * known[row, column]))
        for (row, one), (column, other) in combinations(enumerate(found.names), 2)
    }
