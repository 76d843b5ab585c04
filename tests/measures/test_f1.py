import pytest

from measures.f1 import Counts


def test_precision_recall_and_f1_by_hand():
    counts = Counts(n_hits=2, n_predicted=4, n_gold=5)
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx((1 / 2, 2 / 5, 4 / 9))


def test_nothing_at_all_scores_nothing():
    assert (Counts().precision, Counts().recall, Counts().f1) == (0, 0, 0)
    assert (Counts(0, 3, 0).precision, Counts(0, 0, 3).recall) == (0, 0)


def test_counts_of_documents_add_up():
    assert Counts(1, 2, 3) + Counts(4, 5, 6) == Counts(5, 7, 9)
