"""A board of several, joined by team; every figure worked out by hand."""

import pytest
from django.utils import translation

from automatic_tasks.combined.joining import TOTAL, Absent, Column, Source, Total, combined, total_of
from leaderboards.board import Key, Row, Words

WAITS = Absent("no reviews", "waits for reviews")
PEOPLE = Source(
    Words("排行榜", "Leaderboard"),
    {
        "A": {"success": 3.0, "fluency": 4.0},
        "B": {"success": 3.0, "fluency": 5.0},
        "C": {"success": 4.0, "fluency": None},
    },
    {"D": WAITS},
)
TRACK_2 = Source(Words("赛道二", "Track 2"), {"A": {"bleu": 20.0}, "B": {"bleu": 5.0}, "C": {"bleu": 9.0}})


def key(name, better="higher"):
    return Key(name, Words(name, name), better, 3)


SUCCESS = Column(key("success"), PEOPLE, "success")
FLUENCY = Column(key("fluency"), PEOPLE, "fluency")
BLEU = Column(key("bleu-4"), TRACK_2, "bleu", weight=0.02)
COLUMNS = [SUCCESS, FLUENCY, BLEU]


def ranks(board):
    return [(row.rank, row.team) for row in board.rows]


def reasons(board):
    with translation.override("en"):
        return {row.team: row.reason.label for row in board.unranked}


def test_ordered_keys_of_several_boards_decide_one_after_the_other():
    board = combined(COLUMNS, None, ["success", "bleu-4"])
    assert ranks(board) == [(1, "C"), (2, "A"), (3, "B")]
    assert board.rows[1].figures == {"success": 3.0, "fluency": 4.0, "bleu-4": 20.0}
    assert [one.name for one in board.keys] == ["success", "fluency", "bleu-4"]


def test_each_figure_ranks_in_its_own_direction_and_equal_teams_share_a_rank():
    fewer = Column(key("bleu-4", "lower"), TRACK_2, "bleu")
    assert ranks(combined([SUCCESS, fewer], None, ["bleu-4"])) == [(1, "B"), (2, "C"), (3, "A")]
    tied = combined([SUCCESS], None, ["success"])
    assert ranks(tied) == [(1, "C"), (2, "A"), (2, "B")]


def test_a_sum_is_of_the_weighted_figures_and_ranks_like_any_key():
    total = Total(key(TOTAL), ["success", "bleu-4"], is_mean=False)
    board = combined(COLUMNS, total, [TOTAL])
    # C 4 + 0.02 · 9, A 3 + 0.02 · 20, B 3 + 0.02 · 5
    assert [(row.team, row.figures[TOTAL]) for row in board.rows] == [
        ("C", pytest.approx(4.18)), ("A", pytest.approx(3.4)), ("B", pytest.approx(3.1)),
    ]  # fmt: skip
    assert board.keys[-1].name == TOTAL


def test_a_mean_is_over_the_weights():
    # (3 + 0.02 · 20) / 1.02
    assert total_of([SUCCESS, BLEU], "A", is_mean=True) == pytest.approx(3.4 / 1.02)
    assert total_of([SUCCESS, FLUENCY], "A", is_mean=True) == 3.5


def test_who_lacks_a_part_that_ranks_has_no_rank_and_hears_where_and_why():
    board = combined(COLUMNS, None, ["success", "bleu-4"])
    assert reasons(board) == {"D": "Leaderboard: waits for reviews; Track 2: does not take part"}
    assert board.unranked[0].reason.value == "Leaderboard: no reviews; Track 2: absent"
    assert reasons(combined(COLUMNS, None, ["fluency"]))["C"] == "Leaderboard: has no such figure"


def test_a_missing_part_is_no_zero_in_a_total():
    total = Total(key(TOTAL), ["success", "fluency"], is_mean=False)
    board = combined(COLUMNS, total, [TOTAL])
    assert [row.team for row in board.rows] == ["B", "A"]
    (without, _) = board.unranked
    assert (without.team, without.figures[TOTAL]) == ("C", None)


def test_a_figure_that_ranks_nothing_may_be_missing():
    board = combined(COLUMNS, None, ["success"])
    assert board.rows[0].figures["fluency"] is None


def test_a_team_has_the_records_and_failures_of_the_board_of_people():
    people = Source(
        Words("排行榜", "Leaderboard"),
        {"A": {"success": 3.0, "fluency": 4.0}},
        rows={"A": Row("7", "bot", {}, team="A", n=9, n_scored={"fluency": 5}, n_failed=2, n_turns=80)},
    )
    runs = Source(Words("赛道二", "Track 2"), {"A": {"bleu": 20.0}}, rows={"A": Row("run", "run", {}, team="A")})
    own = [Column(key("s"), people, "success"), Column(key("f"), people, "fluency"), Column(key("b"), runs, "bleu")]
    (row,) = combined(own, None, ["s"]).rows
    assert (row.n, row.n_scored, row.n_failed, row.n_turns) == (9, {"s": 9, "f": 5}, 2, 80)
    (row,) = combined(own[2:], None, ["b"]).rows
    assert (row.n, row.n_failed) == (None, None)
