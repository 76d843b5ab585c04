"""Stored statistics beside the figures that they are of."""

from leaderboards.board import Key, Row, Words, ranked
from leaderboards.explanations import pair_in, with_statistics

F1 = Key("f1", Words("F1 值", "F1"), "higher", 3, "F1")
STATISTICS = {
    "rows": {
        "a": {"intervals": {"f1": [0.4, 0.6]}, "rank_probabilities": [0.9, 0.1], "rank_interval": [1, 2]},
        "b": {"intervals": {}, "rank_probabilities": [0.1, 0.9], "rank_interval": [2, 2]},
    },
    "pairs": [
        {
            "one": "a", "other": "b", "ahead": 0.9, "behind": 0.05, "plan": None,
            "tests": {"f1": {"difference": 0.1, "p": 0.2, "effect": 0.5}, "b": {"difference": 0.0, "p": 1.0, "effect": None}},
        }
    ],
}  # fmt: skip


def board():
    return ranked(keys=(F1,), rule=(F1,), rows=[Row("a", "a", {"f1": 0.5}), Row("b", "b", {"f1": 0.4})])


def test_a_row_has_the_intervals_that_are_stored_of_it_and_its_ranks_in_words():
    one, other = with_statistics(board(), STATISTICS).rows
    assert (one.intervals, one.rank_interval, one.ranks) == ({"f1": (0.4, 0.6)}, (1, 2), "1–2")
    assert (other.intervals, other.rank_interval, other.ranks) == ({}, (2, 2), "2")


def test_ranks_that_were_drawn_without_a_row_of_the_board_are_not_shown():
    """A printed row has no items to draw: beside it the others' drawn ranks would be those of a smaller board."""
    rows = [Row("a", "a", {"f1": 0.5}), Row("b", "b", {"f1": 0.4}), Row("printed", "printed", {"f1": 0.9})]
    shown = with_statistics(ranked(keys=(F1,), rule=(F1,), rows=rows), STATISTICS)
    assert [(row.key, row.rank, row.rank_interval) for row in shown.rows] == [
        ("printed", 1, None), ("a", 2, None), ("b", 3, None)
    ]  # fmt: skip
    assert shown.rows[1].intervals == {"f1": (0.4, 0.6)}


def test_without_statistics_a_board_is_as_it_was():
    assert with_statistics(board(), None) == with_statistics(board(), {}) == board()


def test_a_pair_is_told_of_the_first_named_against_the_other():
    assert pair_in(STATISTICS, "a", "b") == STATISTICS["pairs"][0]
    found = pair_in(STATISTICS, "b", "a")
    assert (found["one"], found["other"], found["ahead"], found["behind"]) == ("b", "a", 0.05, 0.9)
    assert found["tests"]["f1"] == {"difference": -0.1, "p": 0.2, "effect": -0.5}
    # A tie is no negative zero.
    assert str(found["tests"]["b"]["difference"]) == "0.0"
    assert found["tests"]["b"]["effect"] is None
    assert pair_in(STATISTICS, "a", "c") is None
    assert pair_in(None, "a", "b") is None
