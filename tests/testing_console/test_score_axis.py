from testing_console.score_axis import axis, placed


def test_columns_are_the_values_of_all_scales_highest_first():
    assert axis([[-2, -1, 0, 1, 2], [-1, 0, 1], [0, 1]]) == [2, 1, 0, -1, -2]
    assert axis([[1, 2, 3, 4, 5], [0, 1]]) == [5, 4, 3, 2, 1, 0]
    assert axis([]) == []


def test_a_shorter_scale_keeps_the_columns_of_its_values():
    columns = [2, 1, 0, -1, -2]
    points = placed([(-1, "bad"), (0, "fair"), (1, "good")], columns)
    assert [(point.shown, point.label, point.column) for point in points] == [
        ("1", "good", 2),
        ("0", "fair", 3),
        ("−1", "bad", 4),
    ]
