"""Logins are listed, used and ended."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.actions import issue_token
from accounts.models import ApiToken, LogIn
from accounts.sessions.actions import Ended, end_session, end_sessions, note_log_in, note_use
from audit.models import TrailLine


def keys(person):
    return set(person.log_ins.values_list("session_id", flat=True))


def test_ending_one_login_leaves_the_others_and_one_line(ann, browser):
    first, second = browser(), browser()
    end_session(log_in=LogIn.objects.get(session_id=first.session.session_key), by=ann, at=timezone.now())
    assert keys(ann) == {second.session.session_key}
    assert first.get("/account/sessions/").status_code == 302
    assert [line.act for line in TrailLine.objects.filter(act__startswith="session")] == ["session.ended"]


def test_ending_all_others_ends_nobody_elses(ann, browser, campaign, tester):
    own, other, strange = browser(), browser(), browser(tester)
    assert end_sessions(person=ann, but=own.session.session_key, by=ann, at=timezone.now()) == Ended(1, 0)
    assert keys(ann) == {own.session.session_key}
    assert other.get("/account/sessions/").status_code == 302
    assert strange.get("/account/sessions/").status_code == 200
    line = TrailLine.objects.get(act="sessions.ended")
    assert (line.person, line.details) == ("ann", {"n": 1, "tokens": 0})


def test_tokens_end_with_the_logins_where_that_is_asked_for_in_one_line(ann, browser, tester):
    browser()
    issue_token(person=ann)
    expired = ApiToken.objects.get(user=ann)
    ApiToken.objects.filter(pk=expired.pk).update(expiry=timezone.now() - timedelta(hours=1))
    issue_token(person=ann)
    issue_token(person=tester)
    at, n_lines = timezone.now(), TrailLine.objects.count()
    assert end_sessions(person=ann, but="", by=ann, at=at, tokens=ann.valid_tokens(at)) == Ended(1, 1)
    assert [token.user.username for token in ApiToken.objects.exclude(pk=expired.pk)] == ["tester"]
    (line,) = TrailLine.objects.order_by("number")[n_lines:]
    assert (line.act, line.details) == ("sessions.ended", {"n": 1, "tokens": 1})


def test_beyond_the_limit_the_login_unused_for_longest_ends(ann, browser):
    first, _ = browser(), browser()
    now = timezone.now()
    note_use(session_key=first.session.session_key, address="192.0.2.9", at=now)
    third = browser()
    note_log_in(person=ann, session_key=third.session.session_key, agent="", address="", since=now, at=now, n_at_most=2)
    assert keys(ann) == {first.session.session_key, third.session.session_key}
    assert LogIn.objects.get(session_id=first.session.session_key).address == "192.0.2.9"


def test_what_expired_is_deleted_with_the_next_login(ann, browser):
    browser()
    Session.objects.update(expire_date=timezone.now())
    fresh = browser()
    assert list(Session.objects.values_list("pk", flat=True)) == [fresh.session.session_key]
