"""The pace of a day, and what is unknown."""

from datetime import UTC, datetime, timedelta

from organizing.wall.state import Pace, pace_of

NINE = datetime(2026, 5, 17, 9, tzinfo=UTC)


def test_twelve_in_three_hours_are_four_per_hour_and_forty_more_take_ten():
    pace = pace_of(12, NINE, NINE + timedelta(hours=3))
    assert pace.per_hour == 4
    assert pace.hours_for(40) == 10


def test_too_few_or_too_short_is_unknown():
    assert Pace(2, 3.0).per_hour is None
    assert Pace(12, 0.2).per_hour is None
    assert Pace(2, 3.0).hours_for(40) is None


def test_a_day_on_which_nothing_was_opened_has_no_pace():
    assert pace_of(0, None, NINE) == Pace(0, 0.0)


def test_nothing_left_takes_no_time():
    assert Pace(12, 3.0).hours_for(0) == 0
