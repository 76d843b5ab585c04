"""A board of any figures: ranks, ties, rows without a rank, and who beats whom."""

import pytest
from django.utils import translation
from django.utils.translation import gettext_lazy

from leaderboards.board import Board, Key, Row, Words, arrow_of, beaten_by, formula, linked, present_keys, ranked
from leaderboards.live_board import Unranked
from measures.ranking import RankingKey

F1 = Key("f1", Words("F1 值", "F1 score"), "higher", 3, "F1")
NMD = Key("nmd", Words("距离", "distance"), "lower", 4)


def board(rows, rule=(F1, NMD), **named):
    return ranked(keys=(F1, NMD), rule=rule, rows=rows, **named)


def test_the_first_key_decides_and_the_next_only_where_it_is_equal():
    made = board(
        [Row("a", "a", {"f1": 0.5, "nmd": 0.3}), Row("b", "b", {"f1": 0.5, "nmd": 0.2}), Row("c", "c", {"f1": 0.6})]
    )
    assert [(row.rank, row.key) for row in made.rows] == [(1, "c"), (2, "b"), (3, "a")]


def test_rows_that_are_equal_in_every_key_share_a_rank():
    made = board([Row(key, key, {"f1": f1, "nmd": 0.1}) for key, f1 in (("a", 0.5), ("b", 0.5), ("c", 0.4))])
    assert [row.rank for row in made.rows] == [1, 1, 3]


def test_ranks_compare_what_pages_round_away():
    made = board([Row("a", "a", {"f1": 0.50001}), Row("b", "b", {"f1": 0.50002})])
    assert [(row.rank, row.key) for row in made.rows] == [(1, "b"), (2, "a")]


def test_a_row_with_a_reason_has_no_rank_and_comes_last():
    made = board([Row("a", "a", {}, reason=Unranked.NO_RECORDS), Row("b", "b", {"f1": 0.1})])
    assert [row.key for row in made.rows] == ["b"]
    assert [(row.key, row.rank) for row in made.unranked] == [("a", None)]


def test_a_reader_sees_letters_where_there_are_some_and_which_way_is_better():
    with translation.override("en"):
        assert board([]).ranked_by() == ["F1", "distance"]
    with translation.override("zh-hans"):
        assert board([]).ranked_by() == ["F1", "距离"]
    assert [arrow_of(key.better) for key in (F1, NMD)] == ["↑", "↓"]
    assert [board([], rule=(NMD,)).place_in_rule(key) for key in (F1, NMD)] == [None, 1]


def test_words_of_the_catalogue_are_held_in_both_languages():
    words = Words.of(gettext_lazy("no scored dialogue yet"))
    assert words == Words("还没有评过分的对话", "no scored dialogue yet")


@pytest.mark.parametrize(("key", "winner"), [(RankingKey("f1", "higher"), "b"), (RankingKey("f1", "lower"), "a")])
def test_who_is_better_follows_the_direction_of_the_key(key, winner):
    figures = {"a": {"f1": 0.1}, "b": {"f1": 0.3}}
    ranks = {name: 1 if name == winner else 2 for name in figures}
    beaten = beaten_by(figures, ranks, {("a", "b"): {"f1": 0.04}}, key)
    assert beaten[winner] == (2,)
    assert sum(map(len, beaten.values())) == 1


@pytest.mark.parametrize(("smallest", "beaten"), [(0.02, ()), (0.01, (2,))])
def test_significance_is_adjusted_for_all_pairs_of_the_board(smallest, beaten):
    """By hand (Holm): 0.02 · 3 = 0.06 is no longer significant, 0.01 · 3 = 0.03 is."""
    pairs = (("a", "b"), ("a", "c"), ("b", "c"))
    p_values = {pair: {"f1": value} for pair, value in zip(pairs, (smallest, 0.6, 0.7), strict=True)}
    made = board([Row(key, key, {"f1": f1}) for key, f1 in (("a", 0.3), ("b", 0.2), ("c", 0.1))], p_values=p_values)
    assert [row.better_than for row in made.rows] == [beaten, (), ()]
    assert made.is_compared


def test_pairs_without_a_p_value_of_the_figure_are_no_tests():
    made = board([Row("a", "a", {"f1": 0.3}), Row("b", "b", {"f1": 0.2})], p_values={("a", "b"): {"other": 0.0}})
    assert [row.better_than for row in made.rows] == [(), ()]


def test_a_board_that_nobody_compared_says_so():
    assert not board([Row("a", "a", {"f1": 0.3})]).is_compared


def test_only_keys_that_some_row_has_are_columns():
    assert present_keys((F1, NMD), [Row("a", "a", {"nmd": 0.3}), Row("b", "b", {})]) == (NMD,)


@pytest.mark.parametrize(
    ("row", "note"),
    [(Row("a", "a", {}), ""), (Row("a", "a", {}, baseline="uniform"), "baseline"),
     (Row("a", "a", {}, source="Table 4"), "Table 4"), (Row("a", "a", {}, source=""), "published")],
)  # fmt: skip
def test_a_row_that_is_no_teams_says_what_it_is(row, note):
    with translation.override("en"):
        assert row.note == note


def test_figures_that_are_there_lead_to_what_they_are_made_of():
    key = Key("f1", Words("F1", "F1"), "higher", 3)
    board = ranked(keys=(key,), rule=(key,), rows=[Row("a", "a", {"f1": 0.5}), Row("b", "b", {"f1": None})])
    made = linked(board, lambda row, figure: f"/{row.key}/{figure.name}/")
    assert [row.links for row in made.rows] == [{"f1": "/a/f1/"}, {}]


SUC, BLEU, TOTAL = (
    Key(name, Words(words, words), "higher", 3, letter)
    for name, words, letter in (("success", "Success", "Suc"), ("bleu", "BLEU", ""), ("total", "Combined", ""))
)
COLUMNS = [{"key": "success", "weight": 1.0}, {"key": "bleu", "weight": 0.02}]


@pytest.mark.parametrize(
    ("by", "of", "written"),
    [
        ("sum", ["success", "bleu"], "Combined = Suc + 0.02 × BLEU"),
        ("sum", ["bleu"], "Combined = 0.02 × BLEU"),
        ("mean", ["success", "bleu"], "Combined = (Suc + 0.02 × BLEU) / 1.02"),
    ],
)
def test_a_total_is_written_with_its_weights(by, of, written):
    board = Board(keys=(SUC, BLEU, TOTAL), rule=(TOTAL,), rows=(), unranked=())
    assert formula(board, COLUMNS, {"by": by, "of": of}) == written
