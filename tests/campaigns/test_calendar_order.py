"""The order of dates, pair by pair: tests/campaigns/test_calendar.py has whole calendars."""

from datetime import UTC, datetime, timedelta

import pytest

from campaigns.calendar import Dates
from campaigns.calendar_settings import OutOfOrder, out_of_order, pairs_in_order

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
LASTING = {
    ("registration_from", "registration_until"),
    ("testing_from", "testing_until"),
    ("review_from", "review_until"),
}


@pytest.mark.parametrize("pair", pairs_in_order(), ids=str)
def test_a_date_comes_after_those_before_it(pair):
    wrong = Dates(**{pair.earlier: NOON, pair.later: NOON - timedelta(seconds=1)})
    assert out_of_order(wrong) == [pair]
    assert out_of_order(Dates(**{pair.earlier: NOON, pair.later: NOON + timedelta(seconds=1)})) == []
    at_once = out_of_order(Dates(**{pair.earlier: NOON, pair.later: NOON}))
    assert bool(at_once) == ((pair.earlier, pair.later) in LASTING)


def test_reviewing_may_begin_while_testing_goes_on():
    assert OutOfOrder("testing_until", "review_from") not in pairs_in_order()
    assert OutOfOrder("testing_from", "review_from") in pairs_in_order()


def test_dates_that_nobody_said_are_in_order():
    assert out_of_order(Dates()) == []
