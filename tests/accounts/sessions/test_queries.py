"""The list of logins."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone, translation

from accounts.sessions.queries import device_in_words, log_ins_of
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
