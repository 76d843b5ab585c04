"""The ruler's geometry, read off by hand."""

import pytest

from look.ruler import draw, filled_of, marks, state_of_budget


def test_a_ruler_of_four_with_one_used_has_a_line_a_full_tick_two_short_ones_and_the_cap():
    drawing = draw(4, 1, pitch=8, height=12)
    assert (drawing.width, drawing.height) == (34, 12)
    assert drawing.used == "M0 1H8M8 0v12"
    assert drawing.left == "M8 .5H32M16 1v4M24 1v4"
    assert drawing.cap == "M33 0v12"
    assert (drawing.line, drawing.flight, drawing.lost) == ("", "", "")


def test_every_fifth_tick_is_longer():
    assert draw(7, 0, pitch=8).left == "M0 .5H56M8 1v4M16 1v4M24 1v4M32 1v4M40 1v6M48 1v4"


def test_a_fine_ruler_draws_its_line_apart_so_that_it_stays_thin():
    drawing = draw(3, 2, pitch=4)
    assert drawing.line == "M0 .5H8"
    assert drawing.used == "M4 0v12M8 0v12"


def test_an_unused_ruler_has_no_used_path_and_a_used_up_one_no_rest():
    assert draw(20, 0).used == ""
    assert draw(20, 20).left == ""
    assert draw(20, 20).cap == "M81 0v12"


def test_a_lost_turn_is_red_and_not_used_twice():
    drawing = draw(4, 3, pitch=8, lost=(2,))
    assert drawing.used == "M0 1H24M8 0v12M24 0v12"
    assert drawing.lost == "M16 0v12"


def test_the_turn_in_flight_is_the_next_one_and_never_beyond_the_cap():
    assert draw(4, 1, pitch=8, in_flight=1).flight == "M16 0v12"
    assert "M16 " not in draw(4, 1, pitch=8, in_flight=1).left
    assert draw(4, 4, pitch=8, in_flight=1).flight == ""


def test_more_than_the_cap_is_drawn_as_the_cap():
    assert draw(4, 9) == draw(4, 4)


def test_the_large_ruler_writes_every_fifth_the_one_in_flight_and_the_cap():
    written = {mark.number: mark.classes for mark in marks(12, 7, in_flight=1, lost=(3,)) if mark.is_written}
    assert written == {5: "used five", 8: "flight", 10: "five", 12: "cap"}
    assert next(mark for mark in marks(12, 7, lost=(3,)) if mark.number == 3).classes == "lost"


def test_a_fifth_beside_the_tick_in_flight_is_not_written():
    assert [mark.number for mark in marks(20, 3, in_flight=1) if mark.is_written] == [4, 10, 15, 20]


@pytest.mark.parametrize(
    ("total", "used", "shown"), [(945, 444, 29), (945, 1, 1), (945, 944, 62), (945, 945, 63), (0, 0, 0), (10, 0, 0)]
)
def test_a_bar_shows_nothing_only_for_nothing_and_all_only_for_all(total, used, shown):
    assert filled_of(total, used, 63) == shown


def test_few_units_share_the_width_that_was_asked_for():
    assert (draw(4, 1, pitch=4, ticks=20).used, draw(4, 1, pitch=4, ticks=20).cap) == ("M0 1H20M20 0v12", "M81 0v12")
    assert draw(20, 7, pitch=4, ticks=20) == draw(20, 7, pitch=4)


def test_more_units_than_ticks_are_a_bar_and_no_tick_stands_for_several():
    drawing = draw(40, 20, pitch=4, ticks=20)
    assert (drawing.line, drawing.left, drawing.used) == ("M0 .5H40", "M40 .5H80", "M0 4H40M0 6H40M0 8H40")
    assert (drawing.width, drawing.cap) == (82, "M81 0v12")


def test_nothing_of_nothing_is_an_empty_bar_without_a_cap():
    drawing = draw(0, 0, pitch=4, ticks=20)
    assert (drawing.left, drawing.used, drawing.cap, drawing.width) == ("M0 .5H80", "", "", 82)


def test_a_budget_is_low_under_five_and_mute_when_used_up():
    assert [state_of_budget(20, used) for used in (15, 16, 19, 20)] == ["", "low", "low", "mute"]
