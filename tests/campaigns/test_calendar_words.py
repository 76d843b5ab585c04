from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from campaigns.calendar import Dates, Phase
from campaigns.templatetags.calendar import PHASES, ShownCalendar, ShownPhase, shown_calendar, time_left

AT = datetime(2026, 3, 10, 4, tzinfo=UTC)


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=9, hours=23), "9 days"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=2) - timedelta(seconds=1), "47 hours"),
        (timedelta(hours=2), "2 hours"),
        (timedelta(hours=2) - timedelta(seconds=1), "119 minutes"),
        (timedelta(seconds=60), "1 minute"),
        (timedelta(seconds=59), "0 minutes"),
        (timedelta(seconds=-1), "0 minutes"),
    ],
)
def test_what_is_left_is_never_said_to_be_more(left, words):
    assert time_left(left) == words


def test_a_campaign_without_dates_shows_nothing():
    assert shown_calendar(Dates(), AT) is None


LAST_OF_TESTING = '<time class="moment" datetime="2026-03-13T04:00:00+00:00">2026-03-13 12:00 (UTC+08:00)</time>'
END = '<time class="moment" datetime="2026-03-19T04:00:00+00:00">2026-03-19 12:00 (UTC+08:00)</time>'


def test_now_and_next_are_said_with_their_moment_and_zone():
    dates = Dates(testing_from=AT, testing_until=AT + timedelta(days=3), ends_at=AT + timedelta(days=9))
    assert shown_calendar(dates, AT) == ShownCalendar(
        (ShownPhase("Testing", LAST_OF_TESTING, "3 days"),),
        f"The campaign ends on {END}",
        "9 days",
    )
    assert shown_calendar(dates, AT + timedelta(days=4)) == ShownCalendar((), f"The campaign ends on {END}", "5 days")
    assert shown_calendar(dates, AT + timedelta(days=10)) == ShownCalendar((ShownPhase("Ended, read-only"),), "", "")


def test_every_phase_has_its_words():
    assert PHASES.keys() == set(Phase)
