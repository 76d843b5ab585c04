from fractions import Fraction

import numpy as np
import pytest

from measures.classification import macro_scores, macro_scores_of_confusion, macro_scores_of_counts


def test_the_small_case_worked_by_hand():
    """Gold a a a b b c, predicted a a b b c c: P = (1 + 1/2 + 1/2)/3, R = (2/3 + 1/2 + 1)/3."""
    scores = macro_scores(list("aaabbc"), list("aabbcc"), list("abc"))
    assert scores.precision == pytest.approx(float(Fraction(2, 3)))
    assert scores.recall == pytest.approx(float(Fraction(13, 18)))
    assert scores.f1 == pytest.approx(float(Fraction(52, 75)))
    assert scores.confusion == {"a": {"a": 2, "b": 1}, "b": {"b": 1, "c": 1}, "c": {"c": 1}}


def test_a_declared_class_that_never_occurs_counts_in_both_means():
    scores = macro_scores(["a", "b"], ["a", "b"], ["a", "b", "c", "d"])
    assert (scores.precision, scores.recall) == (0.5, 0.5)


def test_f1_is_that_of_the_means_not_the_mean_of_f1():
    scores = macro_scores(list("aab"), list("abb"), list("ab"))
    assert scores.f1 == pytest.approx(0.75)
    assert scores.f1 != pytest.approx((2 / 3 + 2 / 3) / 2)


def test_missing_and_unknown_answers_are_wrong():
    scores = macro_scores(["a", "a", "b"], ["a", None, "zzz"], ["a", "b"])
    assert (scores.precision, scores.recall) == (0.5, 0.25)
    assert scores.confusion["b"] == {"": 1}


def test_nothing_right_is_zero_without_an_error():
    assert macro_scores(["a"], ["b"], ["a", "b"]).f1 == 0


@pytest.mark.parametrize(
    ("gold", "predicted", "classes"),
    [(["a"], [], ["a"]), (["x"], ["a"], ["a"]), (["a"], ["a"], ["a", "a"]), ([], [], [])],
)
def test_what_cannot_be_scored_is_refused(gold, predicted, classes):
    with pytest.raises(ValueError, match=r"."):
        macro_scores(gold, predicted, classes)


def test_a_confusion_matrix_worked_by_hand():
    """Gold a a a b b c c, answered a a b b c c and nothing known; d is declared: P = (1 + ½ + ½ + 0)/4."""
    matrix = np.array([[2, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 0, 0]])
    assert macro_scores_of_confusion(matrix) == pytest.approx((1 / 2, 5 / 12, 5 / 11))
    scores = macro_scores(list("aaabbcc"), [*"aabbcc", "none of them"], list("abcd"))
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx((1 / 2, 5 / 12, 5 / 11))


def test_three_counts_per_class_are_enough():
    # Precision 1/2 and, for the class that nothing was answered with, 0; recall 1/4 and 0, for the class without gold too.
    right, answered, wanted = np.array([1, 0]), np.array([2, 0]), np.array([4, 0])
    assert macro_scores_of_counts(right, answered, wanted) == pytest.approx((1 / 4, 1 / 8, 1 / 6))
