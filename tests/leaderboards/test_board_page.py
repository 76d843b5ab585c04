"""What a page shows of a board: the two rows that a reader chose, or the first two."""

import re

import pytest
from django.template.loader import render_to_string

from leaderboards.board import Key, Row, Words, ranked
from leaderboards.board_page import board_page
from leaderboards.publication.documents import FrozenReason

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
    page = board_page(board(a=0.9, b=0.5, c=0.1), None, chosen)
    assert page.chosen == set(compared)
    assert page.why.one.key + page.why.other.key == compared


def test_one_row_alone_is_compared_with_nobody():
    page = board_page(board(a=0.9), None)
    assert (page.why, page.chosen, page.picture) == (None, frozenset(), None)


def test_a_number_of_records_that_nobody_counted_is_a_dash():
    reason = FrozenReason("absent", Words("未参加", "takes no part"))
    rows = [Row("a", "a", {"f1": 0.5}, n=4), Row("b", "b", {"f1": 0.4}), Row("c", "c", {}, reason=reason)]
    shown = board_page(ranked(keys=(F1,), rule=(F1,), rows=rows), None)
    page = render_to_string("leaderboards/_board.html", {"shown": shown})
    assert [cell.strip() for cell in re.findall(r'data-head="n">([^<]*)<', page)] == ["4", "–", "–"]
