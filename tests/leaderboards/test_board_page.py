"""What a page shows of a board: the two rows that a reader chose, or the first two."""

import re

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from leaderboards.board import BoardSource, Key, Row, Words, ranked
from leaderboards.board_page import board_page, figure_cells
from leaderboards.explanations import Chance, RankChances
from leaderboards.templatetags.figures import chance_cells
from leaderboards.templatetags.figures import figure_cells as drawn_cells
from publication.documents import FrozenReason

F1 = Key("f1", Words("F1 值", "F1"), "higher", 3, "F1")


def board(**figures):
    return ranked(keys=(F1,), rule=(F1,), rows=[Row(key, key, {"f1": value}) for key, value in figures.items()])


@pytest.mark.parametrize(
    ("chosen", "compared"),
    [
        ((), "ab"),
        (("c", "a"), "ac"),
        (("c",), "ab"),
        (("c", "nobody"), "ab"),
        (("b", "c", "a"), "bc"),
        (("c", "c"), "ab"),
    ],
)
def test_two_ranked_rows_are_compared_else_the_first_two(chosen, compared):
    page = board_page(BoardSource(board(a=0.9, b=0.5, c=0.1)), chosen)
    assert page.chosen == set(compared)
    assert page.why.one.key + page.why.other.key == compared


def test_one_row_alone_is_compared_with_nobody():
    page = board_page(BoardSource(board(a=0.9)))
    assert (page.why, page.chosen, page.picture) == (None, frozenset(), None)


def test_a_number_of_records_that_nobody_counted_is_a_dash():
    reason = FrozenReason("absent", Words("未参加", "does not take part"))
    rows = [Row("a", "a", {"f1": 0.5}, n=4), Row("b", "b", {"f1": 0.4}), Row("c", "c", {}, reason=reason)]
    shown = board_page(BoardSource(ranked(keys=(F1,), rule=(F1,), rows=rows)))
    page = render_to_string("leaderboards/_board.html", {"shown": shown})
    assert [cell.strip() for cell in re.findall(r'data-head="n">([^<]*)<', page)] == ["4", "–", "–"]


def test_on_a_phone_whose_cards_have_no_heads_each_figure_says_its_direction_in_words():
    with override("en"):
        (cells,) = board_page(BoardSource(board(a=0.9))).cells.values()
        assert 'data-head="F1 ↑" data-spoken="F1 (higher is better)"' in drawn_cells(cells)


def test_a_cell_says_its_figure_where_it_leads_and_its_bar():
    rows = [Row("a", "a", {"f1": -0.5}, links={"f1": "/a/"}), Row("b", "b", {"f1": None})]
    cells = figure_cells(ranked(keys=(F1,), rule=(F1,), rows=rows))
    (a,), (b,) = cells["a"], cells["b"]
    assert (a.head, a.figure, a.href, a.bar.mark) == ("F1 ↑", "−0.500", "/a/", 0)
    assert (b.figure, b.href, b.bar) == ("–", "", None)


def test_chances_are_cells_tinted_by_how_likely_they_are():
    one = RankChances(Row("a", "a", {}), (Chance("<1", 1), Chance("67", 3)))
    assert chance_cells(one) == '<td class="number shade-1">&lt;1</td><td class="number shade-3">67</td>'


def notes_of(n_redrawn, **intervals):
    rows = {key: {"intervals": intervals.get(key, {})} for key in "ab"}
    pair = {"one": "a", "other": "b", "ahead": None, "behind": None, "decided_by": "f1", "tests": {}, "plan": None}
    drawn = {"n_resamples": 9, "n_redrawn": n_redrawn, "n_permutations": 9, "seed": 1}
    shown = board_page(BoardSource(board(a=0.9, b=0.5), {**drawn, "rows": rows, "pairs": [pair]}), pairs_by="f1")
    assert (shown.picture, shown.why.how_sure, shown.statistics.chances) == (None, (), ())
    return " ".join(render_to_string("leaderboards/_board_notes.html", {"shown": shown}).split())


def test_below_a_board_is_said_what_was_drawn_again_and_what_has_no_interval():
    both = {"a": {"f1": [0.8, 1.0]}, "b": {"f1": [0.4, 0.6]}}
    plain = notes_of(0, **both)
    assert "drawn again" not in plain
    assert "has no interval" not in plain
    assert "3 resamples in which a row lacked a figure that ranks it were drawn again." in notes_of(3, **both)
    assert "in more than nine of ten resamples some row lacks a figure" in notes_of(None, **both)
    assert "A figure without a thick part has no interval" in notes_of(0, a=both["a"])
