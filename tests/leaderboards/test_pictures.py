import pytest

from leaderboards.board import Row
from leaderboards.pictures import IntervalBar, interval_bars


def row(key, value, interval=None) -> Row:
    return Row(key, key, {"f1": value}, intervals={"f1": interval} if interval else {})


def test_bars_share_one_scale_from_the_lowest_to_the_highest_end():
    """By hand: 112 units between the margins of 4 stand for 0.2 … 0.6, so 0.1 is 28 units."""
    bars = interval_bars([row("a", 0.3, (0.2, 0.4)), row("b", 0.5, (0.4, 0.6))], "f1")
    assert bars == {
        "a": IntervalBar(x=4.0, width=56.0, mark=32.0, low=0.2, high=0.4),
        "b": IntervalBar(x=60.0, width=56.0, mark=88.0, low=0.4, high=0.6),
    }


def test_a_row_without_an_interval_has_no_bar_and_without_any_there_is_no_picture():
    assert set(interval_bars([row("a", 0.3, (0.2, 0.4)), row("b", 0.5)], "f1")) == {"a"}
    assert interval_bars([row("b", 0.5)], "f1") == {}


@pytest.mark.parametrize(("value", "mark"), [(0.9, 116.0), (0.0, 4.0), (None, 4.0)])
def test_a_mark_never_leaves_the_picture(value, mark):
    assert interval_bars([row("a", value, (0.2, 0.4))], "f1")["a"].mark == mark


def test_an_interval_of_no_width_is_still_seen():
    assert interval_bars([row("a", 0.5, (0.5, 0.5))], "f1")["a"] == IntervalBar(4.0, 1.0, 4.0, 0.5, 0.5)
