"""Pictures of boards as numbers, by hand."""

from leaderboards.board import Key, Row, Words, ranked
from leaderboards.board_page import Bar, figure_bars

SA = Key("sa", Words("满意度", "Satisfaction"), "higher", 3, "Sa", (-2.0, 2.0))
T = Key("t", Words("轮数", "Turns"), "lower", 2, "T")


def board(*rows):
    return ranked(keys=(SA, T), rule=(SA,), rows=rows)


def row(key, sa, interval=None, t=None):
    return Row(key, key, {"sa": sa, "t": t}, intervals={"sa": interval} if interval else {})


def test_a_bar_stands_on_the_scale_of_its_key_with_its_interval_and_zero():
    """By hand: 72 units stand for −2 … 2, so 18 units are a point."""
    bars = figure_bars(board(row("a", 1.0, (0.5, 1.5))))
    assert bars["a"]["sa"] == Bar(mark=54, low=45, high=63, zero=36, title="0.500 – 1.500")
    assert bars["a"]["sa"].scale_path == "M0 3.5H72M.5 2V5M71.5 2V5M36 1V6"
    assert (bars["a"]["sa"].span_path, bars["a"]["sa"].mark_path) == ("M45 3.5H63", "M54 0V7")


def test_without_a_scale_all_bars_share_one_from_zero_that_everything_fits_in():
    bars = figure_bars(board(row("a", 1.0, t=10.0), row("b", 0.5, t=20.0)))
    assert [bars[key]["t"].mark for key in ("a", "b")] == [36, 72]
    assert bars["a"]["t"].low is None


def test_a_figure_that_is_missing_has_no_bar():
    assert set(figure_bars(board(row("a", None), row("b", 1.0)))["a"]) == set()
