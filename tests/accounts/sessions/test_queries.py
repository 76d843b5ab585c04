"""The list of logins."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone, translation

from accounts.sessions.limits import Limits, is_due, seconds_left
from accounts.sessions.queries import browser_of, device_in_words, log_ins_of, system_of
from tests.accounts.sessions.conftest import FIREFOX


def test_ones_own_comes_first_then_the_last_used(ann, browser):
    own, older, newer = browser(), browser(agent="older/1"), browser(agent="newer/1")
    rows = log_ins_of(ann, own.session.session_key, timezone.now())
    assert [row.is_this_one for row in rows] == [True, False, False]
    assert [row.device for row in rows][1:] == ["newer", "older"]
    assert {older.session.session_key, newer.session.session_key}


def test_what_is_over_is_not_listed(ann, browser):
    browser()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert log_ins_of(ann, "", timezone.now()) == []


def test_a_device_is_named_as_far_as_it_says_something():
    with translation.override("en"):
        assert device_in_words(FIREFOX) == "Firefox on Linux"
        assert device_in_words("curl/8.5") == "curl"
        assert device_in_words("") == "unknown device"


LIMITS = Limits(idle=timedelta(hours=24), longest=timedelta(days=14), n_per_person=3)
MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "left"),
    [
        (timedelta(), 24 * 3600),
        (timedelta(days=12), 24 * 3600),
        (timedelta(days=13, hours=20), 4 * 3600),
        (timedelta(days=14), 0),
        (timedelta(days=30), 0),
    ],
)
def test_a_login_lasts_a_day_unused_and_never_longer_than_two_weeks(age, left):
    assert seconds_left(LIMITS, since=MONDAY, at=MONDAY + age) == left


def test_last_seen_is_written_every_five_minutes_at_most():
    assert not is_due(MONDAY, MONDAY + timedelta(minutes=4, seconds=59))
    assert is_due(MONDAY, MONDAY + timedelta(minutes=5))


WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "browser", "system"),
    [
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36", "Chrome", "Windows"),
        (
            f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
            "Edge",
            "Windows",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox", "Linux"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
            "Safari",
            "macOS",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49",
            "WeChat",
            "iPhone",
        ),
        (
            f"Mozilla/5.0 (Linux; Android 14; SM-S918B) {WEBKIT} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
            "Samsung Internet",
            "Android",
        ),
        ("python-requests/2.32", "python-requests", ""),
        ("", "", ""),
    ],
)
def test_browser_and_system_are_named(agent, browser, system):
    assert (browser_of(agent), system_of(agent)) == (browser, system)
