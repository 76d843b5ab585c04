"""Between the password and the code."""

from datetime import timedelta

from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from accounts.second_factor.pending import TIME, half_way_in, note_half_way


def test_half_way_lasts_ten_minutes_and_ends_with_the_password(ann):
    session, now = SessionStore(), timezone.now()
    assert half_way_in(session, now) is None
    note_half_way(session, ann, "backend", now)
    assert half_way_in(session, now + TIME - timedelta(seconds=1)) == (ann, "backend")
    assert half_way_in(session, now + TIME) is None
    ann.set_password("another long one")
    ann.save()
    assert half_way_in(session, now) is None


def test_who_was_deactivated_meanwhile_gets_no_further(ann):
    session, now = SessionStore(), timezone.now()
    note_half_way(session, ann, "backend", now)
    ann.is_active = False
    ann.save()
    assert half_way_in(session, now) is None
