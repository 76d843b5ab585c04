from datetime import UTC, datetime, timedelta

import pytest

from campaigns.calendar import DATES, Dates
from campaigns.calendar_settings import CLOSING, DateChange, changed_dates, needs_reason

AT = datetime(2026, 3, 10, 12, tzinfo=UTC)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


def test_only_dates_that_differ_are_changes():
    before, after = Dates(testing_from=AT, ends_at=AT), Dates(testing_from=AT, ends_at=AT + DAY, review_until=AT)
    assert changed_dates(before, after) == [
        DateChange("review_until", None, AT),
        DateChange("ends_at", AT, AT + DAY),
    ]


@pytest.mark.parametrize("name", DATES)
def test_a_date_that_something_ends_by_closes_at_once_where_it_is_past_and_was_not(name):
    assert DateChange(name, None, AT - SECOND).closes_at_once(AT) == (name in CLOSING)
    assert DateChange(name, AT + DAY, AT - SECOND).closes_at_once(AT) == (name in CLOSING)
    assert not DateChange(name, None, AT).closes_at_once(AT)
    assert not DateChange(name, AT - DAY, AT - SECOND).closes_at_once(AT)
    assert not DateChange(name, AT + DAY, None).closes_at_once(AT)


def test_a_date_that_was_said_is_moved_with_a_reason_and_a_first_one_is_not():
    assert needs_reason([DateChange("testing_until", AT + DAY, AT + 2 * DAY)], AT)
    assert needs_reason([DateChange("testing_until", AT + DAY, None)], AT)
    assert needs_reason([DateChange("ends_at", None, AT - DAY)], AT)
    assert not needs_reason([DateChange("testing_until", None, AT + DAY)], AT)
    assert not needs_reason([], AT)
