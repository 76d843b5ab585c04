"""Figures of boards: marks by hand, and the same data as tables."""

from dataclasses import replace

import pytest
from django.utils.translation import override

from leaderboards.board import Key, Row, Words, ranked
from leaderboards.paper.board_figures import board_figures, ranks_figure
from look.plots import Box, Line, Word
from measures.live import Record, SubtaskOutcome
from measures.tally import Tally

C = Key("completion", Words("完成率", "Completion"), "higher", 3, "C", (0.0, 1.0))
T = Key("mean_turns", Words("轮数", "Turns"), "lower", 2, "T")
SA = Key("sa", Words("满意度", "Satisfaction"), "higher", 3, "Sa", (-2.0, 2.0))
LONG = "Team Alpha of Somewhere, first group of the second laboratory"


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


def board(*rows):
    return ranked(keys=(C, T, SA), rule=(C, T), rows=rows)


def row(key, completion, turns=10.0, **said):
    return Row(key, key, {"completion": completion, "mean_turns": turns, "sa": 0.0}, n=6, **said)


def texts(figure):
    return [mark.text for mark in figure.plot.marks if isinstance(mark, Word)]


def cells(figure):
    return [[cell.text for cell in row] for row in figure.table.rows]


def tallied(records):
    tally = Tally(["sa"])
    for bot, scenario, reviewer, is_finished, turns, sa in records:
        outcome = (SubtaskOutcome("flight", is_finished, turns, 20),)
        tally.add(bot, scenario, Record(bot, bot, scenario, reviewer, outcome, {"sa": sa}))
    return tally.to_json(tuple(key.ranking_key for key in (C, T)))


# Six scenarios, two reviewers: a finishes all in 4 turns, b half of them in 6, c nothing.
RECORDS = [
    (bot, f"s{scenario}", reviewer, is_finished, turns, sa)
    for scenario in range(6)
    for reviewer in ("r1", "r2")
    for bot, is_finished, turns, sa in (("a", True, 4, 2), ("b", scenario % 2 == 0, 6, 0), ("c", False, 9, -2))
]
BOARD = board(row("a", 1.0, 4.0), row("b", 0.5, 13.0), row("c", 0.0, 20.0))


def by_name():
    return {figure.name: figure for figure in board_figures(BOARD, tallied(RECORDS))}


def test_all_figures_are_there_and_each_has_its_table_and_caption():
    found = by_name()
    assert list(found) == ["mean-ranks", "duels", "scores-sa", "turns", "without"]
    for figure in found.values():
        assert figure.caption
        assert [line[0].rpartition(" ")[2] for line in cells(figure)] == ["a", "b", "c"]


def test_without_records_only_the_ranks_are_drawn():
    assert board_figures(BOARD, {}) == []
    sure = replace(BOARD, rows=tuple(replace(one, rank_interval=(1, 2)) for one in BOARD.rows))
    assert [figure.name for figure in board_figures(sure, {})] == ["ranks"]


def test_ranks_stand_on_one_axis_with_their_intervals():
    """By hand: 222 units between rank 1 at 158 and rank 3 at 380, so 111 a rank."""
    sure = replace(BOARD, rows=tuple(replace(one, rank_interval=(1, 2)) for one in BOARD.rows))
    figure = ranks_figure(sure, frozenset({"b"}))
    marks = [
        (mark.kind, mark.x) for mark in figure.plot.marks if isinstance(mark, Line) and mark.kind.startswith("mark")
    ]
    assert marks == [("mark", 158.0), ("mark is-chosen", 269.0), ("mark", 380.0)]
    spans = [(mark.x, mark.to_x) for mark in figure.plot.marks if isinstance(mark, Line) and mark.kind == "span"]
    assert spans[0] == (158.0, 269.0)
    assert cells(figure) == [["a", "1", "1–2"], ["b", "2", "1–2"], ["c", "3", "1–2"]]
    assert figure.caption.endswith("n = 6 records per system.")
    assert ranks_figure(BOARD) is None


def test_no_name_is_cut():
    sure = board(row("a", 1.0, team=LONG, rank_interval=(1, 1)))
    assert " ".join(texts(ranks_figure(sure))[1:]) == LONG


def test_mean_ranks_stand_in_their_order_beside_the_critical_difference():
    """By hand: ranks 1, 2 and 3 in every scenario where b finishes; where it does not, it ties with c at 2.5."""
    figure = by_name()["mean-ranks"]
    assert cells(figure) == [["a", "1.00"], ["b", "2.25"], ["c", "2.75"]]
    assert "CD 1.35" in texts(figure)
    assert "6 scenarios" in figure.caption


def test_one_against_one_tells_ahead_equal_and_behind():
    figure = by_name()["duels"]
    assert cells(figure) == [
        ["1 a", "–", "6–0–0", "6–0–0"],
        ["2 b", "0–0–6", "–", "3–3–0"],
        ["3 c", "0–0–6", "0–3–3", "–"],
    ]
    kinds = [mark.kind for mark in figure.plot.marks if isinstance(mark, Box)]
    assert kinds == ["empty", "shade-4", "shade-4", "shade-0", "empty", "shade-2", "shade-0", "shade-0", "empty"]


def test_scores_are_shares_of_all_points_of_the_scale():
    figure = by_name()["scores-sa"]
    assert figure.table.heads == ("System", "−2", "−1", "0", "1", "2", "n")
    assert cells(figure)[1] == ["b", "0%", "0%", "100%", "0%", "0%", "12"]


def test_turns_are_told_apart_by_outcome():
    figure = by_name()["turns"]
    assert cells(figure)[1] == ["b", "6", "6", "6–6", "6.00", "6", "20", "20–20", "20.00"]
    assert cells(figure)[2][1:5] == ["0", "–", "–", "–"]


def test_ranks_without_one_say_how_many_move_them():
    assert cells(by_name()["without"]) == [
        ["a", "1", "1", "0/2", "1", "0/6"],
        ["b", "2", "2", "0/2", "2", "0/6"],
        ["c", "3", "3", "0/2", "3", "0/6"],
    ]


def test_a_system_that_came_since_has_no_mean_rank():
    later = board(row("a", 1.0), row("b", 0.5), row("c", 0.0), row("d", 0.1))
    assert "mean-ranks" not in {figure.name for figure in board_figures(later, tallied(RECORDS))}
