"""Hours say when something is open, on the clocks of one zone; worked out by hand on a calendar of December 2026."""

from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from campaigns.hours import HOURS, hours_of
from participants.limits import HOURS_LIMIT
from reading.kinds import Wrong
from tests.linear_time import assert_linear

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=SHANGHAI)


# 1 December 2026 is a Tuesday.
@pytest.mark.parametrize(
    ("said", "moment", "is_open"),
    [
        ("", "2026-12-01 03:00", True),
        ("mon-fri 09:00-18:00", "2026-12-01 09:00", True),
        ("mon-fri 09:00-18:00", "2026-12-01 08:59", False),
        ("mon-fri 09:00-18:00", "2026-12-01 17:59", True),
        ("mon-fri 09:00-18:00", "2026-12-01 18:00", False),
        ("mon-fri 09:00-18:00", "2026-12-05 12:00", False),
        ("Mon–Fri 9:00–12:00, 14:00-18:00", "2026-12-01 13:00", False),
        ("Mon–Fri 9:00–12:00, 14:00-18:00", "2026-12-01 14:30", True),
        ("周一至周五 09:00-18:00；周六 10:00-12:00", "2026-12-05 11:00", True),
        ("星期日 10:00-24:00", "2026-12-06 23:59", True),
        ("sat-mon 10:00-12:00", "2026-12-07 11:00", True),
        ("sat-mon 10:00-12:00", "2026-12-08 11:00", False),
        ("2026-12-05 10:00-12:00", "2026-12-05 11:00", True),
        ("2026-12-05 10:00-12:00", "2026-12-12 11:00", False),
        ("每天 08:00-20:00\n2026-12-05 20:00-22:00", "2026-12-05 21:00", True),
    ],
)
def test_a_moment_is_within_the_hours_or_not(said, moment, is_open):
    assert hours_of(said).is_open(at(moment), SHANGHAI) is is_open


def test_the_zone_decides_which_day_it_is():
    # Tuesday 01:00 in Shanghai is Monday 18:00 in Berlin.
    assert hours_of("tue 00:00-02:00").is_open(at("2026-12-01 01:00"), SHANGHAI)
    assert not hours_of("tue 00:00-02:00").is_open(at("2026-12-01 01:00"), BERLIN)


@pytest.mark.parametrize(
    ("said", "moment", "opens"),
    [
        ("mon-fri 09:00-18:00", "2026-12-01 08:00", "2026-12-01 09:00"),
        ("mon-fri 09:00-12:00,14:00-18:00", "2026-12-01 12:30", "2026-12-01 14:00"),
        ("mon-fri 09:00-18:00", "2026-12-04 18:00", "2026-12-07 09:00"),
        ("2026-12-05 10:00-12:00", "2026-12-01 08:00", "2026-12-05 10:00"),
        ("2026-12-05 10:00-12:00", "2026-12-05 12:00", None),
    ],
)
def test_when_it_opens_next(said, moment, opens):
    assert hours_of(said).next_opening(at(moment), SHANGHAI) == (at(opens) if opens else None)


def test_it_opens_by_the_clocks_of_summer_too():
    opening = hours_of("daily 09:00-18:00").next_opening(datetime(2026, 7, 1, 4, tzinfo=UTC), BERLIN)
    assert opening.astimezone(UTC) == datetime(2026, 7, 1, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    "said",
    ["mon", "09:00-18:00", "mon 18:00-09:00", "mon 9-18", "mon 09:60-10:00", "mon 09:00-24:01", "funday 09:00-10:00",
     "2026-13-01 09:00-10:00", "mon 09:00-09:00", "x" * (HOURS_LIMIT + 1)],
)  # fmt: skip
def test_what_says_no_hours_is_refused(said):
    with pytest.raises(Wrong):
        HOURS.value_of(said)


@pytest.mark.parametrize("piece", ["mon 09:00-10:00;", "mon,", "mon 09:00-10:00,", " - ", "; "])
def test_its_cost_grows_with_the_text(piece):
    def read(text):
        with suppress(Wrong):
            hours_of.__wrapped__(text)

    assert_linear(read, lambda size: (piece * size)[:size], sizes=(20_000, 40_000, 80_000))
