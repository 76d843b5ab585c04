"""How long a login lasts."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.sessions.limits import Limits, is_due, seconds_left

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
