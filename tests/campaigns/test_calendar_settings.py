"""Dates of a file: with time and offset, to the second, or none."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from campaigns.calendar import DATES
from campaigns.calendar_settings import CALENDAR, NO_DATE, TIME_ZONE, MomentOr
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
