"""Every login is listed and ends in time."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import LogIn
from accounts.sessions import middleware

PAGE = "/account/sessions/"


@pytest.fixture
def clock(monkeypatch):
    """The middleware's clock; sessions are looked up by the machine's."""

    class Clock:
        at = timezone.now()

        def now(self):
            return self.at

    made = Clock()
    monkeypatch.setattr(middleware, "timezone", made)
    return made


def test_a_login_is_listed_with_its_device_and_address(ann, browser):
    client = browser(address="192.0.2.44")
    log_in = ann.log_ins.get()
    assert (log_in.session_id, log_in.address) == (client.session.session_key, "192.0.2.44")
    assert "Firefox" in log_in.agent


def test_a_page_within_five_minutes_writes_nothing(browser, clock):
    client = browser()
    clock.at += timedelta(minutes=4)
    with CaptureQueriesContext(connection) as seen:
        client.get("/about/")
    assert not [query for query in seen if query["sql"].startswith(("INSERT", "UPDATE", "DELETE", "SAVEPOINT"))]


def test_last_seen_follows_after_five_minutes_and_the_login_lasts_longer(ann, browser, clock):
    client = browser()
    before = Session.objects.get().expire_date
    clock.at += timedelta(minutes=6)
    client.get("/about/")
    assert ann.log_ins.get().seen_at == clock.at
    assert Session.objects.get().expire_date >= before


def test_the_absolute_limit_holds_however_often_the_login_is_used(browser, clock):
    client = browser()
    clock.at += timedelta(days=13, hours=23)
    client.get("/about/")
    left = Session.objects.get().expire_date - timezone.now()
    assert timedelta(minutes=59) < left <= timedelta(hours=1)
    assert int(client.cookies["sessionid"]["max-age"]) <= 3600


def test_an_unused_login_ends_after_a_day(browser):
    client = browser()
    assert timedelta(hours=23) < Session.objects.get().expire_date - timezone.now() <= timedelta(hours=24)
    Session.objects.update(expire_date=timezone.now())
    assert client.get(PAGE).status_code == 302


def test_a_login_that_changes_its_password_goes_on_and_does_not_begin_anew(ann, browser, clock):
    client = browser()
    since = ann.log_ins.get().since
    clock.at += timedelta(hours=1)
    fields = {
        "old_password": "a long enough one",
        "new_password1": "another long one",
        "new_password2": "another long one",
    }
    client.post("/account/password/", fields)
    log_in = ann.log_ins.get()
    assert log_in.session_id == client.session.session_key
    assert abs(log_in.since - since) < timedelta(seconds=1)


def test_nobody_and_a_token_are_no_logins(client, db, ann):
    from accounts.actions import issue_token

    client.get("/")
    client.get("/api/v1/assignments/", headers={"Authorization": f"Token {issue_token(person=ann)}"})
    assert not LogIn.objects.exists()


def test_after_the_log_out_nothing_is_listed(ann, browser):
    browser().post("/logout/")
    assert not ann.log_ins.exists()
