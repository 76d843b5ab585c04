import pytest

from measures.hit_counts import HitCounts


def test_precision_recall_and_f1_by_hand():
    counts = HitCounts(n_hits=2, n_predicted=4, n_gold=5)
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx((1 / 2, 2 / 5, 4 / 9))


def test_nothing_at_all_scores_nothing():
    assert (HitCounts().precision, HitCounts().recall, HitCounts().f1) == (0, 0, 0)
    assert (HitCounts(0, 3, 0).precision, HitCounts(0, 0, 3).recall) == (0, 0)


def test_counts_of_documents_add_up():
    assert HitCounts(1, 2, 3) + HitCounts(4, 5, 6) == HitCounts(5, 7, 9)
