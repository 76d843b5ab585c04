"""Dates of a file: with time and offset, to the second, or none."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from campaigns.calendar import DATES, Dates
from campaigns.campaign_file.calendar_settings import (
    CALENDAR,
    CLOSING,
    NO_DATE,
    TIME_ZONE,
    DateChange,
    MomentOr,
    changed_dates,
    needs_reason,
)
from reading.kinds import Wrong

KIND = MomentOr(NO_DATE)
SHANGHAI = timezone(timedelta(hours=8))


def test_every_date_has_its_setting():
    assert [one.name for one in CALENDAR] == ["time_zone", *DATES]


@pytest.mark.parametrize(
    "said", [datetime(2026, 3, 1, 9, tzinfo=SHANGHAI), "2026-03-01T09:00:00+08:00", "2026-03-01T01:00:00Z"]
)
def test_a_date_is_stored_in_utc(said):
    read = KIND.value_of(said)
    assert (read, read.tzinfo) == (datetime(2026, 3, 1, 1, tzinfo=UTC), UTC)


def test_a_word_takes_a_date_back():
    assert KIND.value_of("none") == "none"
    assert CALENDAR[1].columns("none") == {"registration_from": None}


@pytest.mark.parametrize(
    "said",
    [
        datetime(2026, 3, 1, 9),
        date(2026, 3, 1),
        "2026-03-01",
        "2026-03-01T09:00:00",
        "soon",
        "",
        20260301,
        None,
        True,
        [],
        datetime(2026, 3, 1, 9, 0, 0, 1, tzinfo=SHANGHAI),
        datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC),
        datetime(2100, 1, 1, tzinfo=UTC),
    ],
)
def test_what_is_no_whole_second_with_an_offset_is_refused(said):
    with pytest.raises(Wrong):
        KIND.value_of(said)


def test_a_time_zone_is_an_iana_name():
    assert TIME_ZONE.value_of("Europe/Berlin") == "Europe/Berlin"
    for wrong in ("CST+8", "", "asia", 8):
        with pytest.raises(Wrong):
            TIME_ZONE.value_of(wrong)


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
