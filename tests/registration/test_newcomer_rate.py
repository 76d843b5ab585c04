"""Somebody who tries names is stopped for the day, a room full of teams is not stopped for long."""

import pytest
from django.core.cache import cache
from django.test import RequestFactory
from django.utils import translation

from registration import newcomer_form as newcomer_rate
from registration.newcomer_form import DAY_S, TooManyNewcomers, check_rate


def why_refused():
    with pytest.raises(TooManyNewcomers) as refused:
        check_rate(RequestFactory().post("/"))
    return refused.value


def test_a_day_has_its_own_budget_of_which_refused_tries_take_nothing(monkeypatch, settings):
    monkeypatch.setattr(newcomer_rate, "TRIES_PER_DAY", 2)
    monkeypatch.setattr(newcomer_rate, "TRIES_PER_WINDOW", 1)
    taken = []
    count = newcomer_rate.take
    monkeypatch.setattr(
        newcomer_rate, "take", lambda kind, *rest, **named: taken.append(kind) or count(kind, *rest, **named)
    )
    cache.clear()
    check_rate(RequestFactory().post("/"))
    assert why_refused().after_s <= 300
    assert taken == ["newcomers", "newcomers-a-day", "newcomers"]
    monkeypatch.setattr(newcomer_rate, "TRIES_PER_WINDOW", 100)
    check_rate(RequestFactory().post("/"))
    assert 0 < why_refused().after_s <= DAY_S


def test_the_wait_is_told_in_minutes_or_hours():
    with translation.override("en"):
        assert str(TooManyNewcomers(61)) == "Too many tries from this address. Try again in 2 minutes."
        assert str(TooManyNewcomers(DAY_S)) == "Too many tries from this address. Try again in 24 hours."
