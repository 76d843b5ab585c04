import pytest

from testing_console.score_axis import ScoreKeys, axis, columns_of, placed, score_keys, shared_axis


def test_columns_are_the_values_of_all_scales_highest_first():
    assert axis([[-2, -1, 0, 1, 2], [-1, 0, 1], [0, 1]]) == [2, 1, 0, -1, -2]
    assert axis([[1, 2, 3, 4, 5], [0, 1]]) == [5, 4, 3, 2, 1, 0]
    assert axis([]) == []


def test_a_scale_too_long_for_a_row_has_columns_of_its_own_and_leaves_those_of_the_others():
    twenty_one = range(21)
    shared = shared_axis([[1, 0], [-1, 0, 1], twenty_one])
    assert shared == [1, 0, -1]
    assert columns_of([0, 1], shared) == shared
    assert columns_of(twenty_one, shared) == list(range(20, -1, -1))
    assert shared_axis([range(11)]) == list(range(10, -1, -1))


def test_scales_that_fit_a_row_but_not_together_have_columns_of_their_own():
    shared = shared_axis([range(-5, 6), range(1, 11)])
    assert shared == []
    assert columns_of([1, 0], shared) == [1, 0]


def test_a_shorter_scale_keeps_the_columns_of_its_values():
    columns = [2, 1, 0, -1, -2]
    points = placed([(-1, "bad"), (0, "fair"), (1, "good")], columns)
    assert [(point.shown, point.label, point.column) for point in points] == [
        ("1", "good", 2),
        ("0", "fair", 3),
        ("−1", "bad", 4),
    ]


@pytest.mark.parametrize(
    ("scores", "digits", "negative", "long"),
    [
        ([-2, -1, 0, 1, 2], ["2", "1", "0"], "1", ""),
        ([1, 2, 3, 4, 5], ["5", "4", "3", "2", "1"], "", ""),
        ([-100, 0, 50, 100], ["0"], "", "−100"),
        ([0, 5, 10], ["5", "0"], "", "10"),
        ([-12, -3], [], "3", "−12"),
        ([], [], "", ""),
    ],
)
def test_the_keys_are_those_of_the_scores_that_there_are(scores, digits, negative, long):
    assert score_keys(scores) == ScoreKeys(digits, negative, long)
