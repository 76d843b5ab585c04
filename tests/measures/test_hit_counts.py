import numpy as np
import pytest

from measures.hit_counts import HitCounts, macro_scores


def test_precision_recall_and_f1_by_hand():
    counts = HitCounts(n_hits=2, n_predicted=4, n_gold=5)
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx((1 / 2, 2 / 5, 4 / 9))


def test_nothing_at_all_scores_nothing():
    assert (HitCounts().precision, HitCounts().recall, HitCounts().f1) == (0, 0, 0)
    assert (HitCounts(0, 3, 0).precision, HitCounts(0, 0, 3).recall) == (0, 0)


def test_counts_of_documents_add_up():
    assert HitCounts(1, 2, 3) + HitCounts(4, 5, 6) == HitCounts(5, 7, 9)


@pytest.mark.parametrize(
    ("right", "answered", "wanted", "scores"),
    [
        # Gold a a a b b c, predicted a a b b c c: P = (1 + 1/2 + 1/2)/3, R = (2/3 + 1/2 + 1)/3.
        ([2, 1, 1], [2, 2, 2], [3, 2, 1], (2 / 3, 13 / 18, 52 / 75)),
        # Two of four declared classes never occur, and count in both means.
        ([1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], (1 / 2, 1 / 2, 1 / 2)),
        # Gold a a b, predicted a b b: F1 is that of the means, not the mean of F1, which is 2/3.
        ([1, 1], [1, 2], [2, 1], (3 / 4, 3 / 4, 3 / 4)),
        # Gold a a a b b c c, answered a a b b c c and nothing known; d is declared: P = (1 + ½ + ½ + 0)/4.
        ([2, 1, 1, 0], [2, 2, 2, 0], [3, 2, 2, 0], (1 / 2, 5 / 12, 5 / 11)),
        # Precision 1/2 and, for the class that nothing was answered with, 0; recall 1/4 and 0, for the class without gold too.
        ([1, 0], [2, 0], [4, 0], (1 / 4, 1 / 8, 1 / 6)),
        ([0, 0], [0, 1], [1, 0], (0, 0, 0)),
    ],
)
def test_macro_scores_by_hand(right, answered, wanted, scores):
    assert macro_scores(*map(np.array, (right, answered, wanted))) == pytest.approx(scores)
