"""Whom an open dialogue waits for, since when and until when."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

from organizing.dialogues.listing import BOT, TESTER, Wait, wait_of

NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)
LIMITS = SimpleNamespace(reply_deadline_s=30, silence_limit_min=20)


@dataclass
class Turn:
    status: str
    asked_at: datetime = NOON
    settled_at: datetime | None = None


def test_a_turn_in_flight_waits_for_the_bot_until_its_deadline():
    wait = wait_of(NOON - timedelta(hours=1), Turn("waiting"), LIMITS)
    assert wait == Wait(BOT, NOON, NOON + timedelta(seconds=30))
    assert wait.seconds(NOON + timedelta(seconds=12)) == 12


def test_a_turn_that_is_asked_again_waits_since_its_failure():
    failed_at = NOON + timedelta(minutes=3)
    assert wait_of(NOON, Turn("waiting", NOON, failed_at), LIMITS).since == failed_at


def test_an_answer_waits_for_the_tester_until_the_silence_is_too_long():
    wait = wait_of(NOON, Turn("answered", NOON, NOON + timedelta(minutes=1)), LIMITS)
    assert wait == Wait(TESTER, NOON + timedelta(minutes=1), NOON + timedelta(minutes=21))


def test_nothing_said_waits_for_the_tester_since_the_opening():
    assert wait_of(NOON, None, LIMITS) == Wait(TESTER, NOON, NOON + timedelta(minutes=20))


def test_nobody_waits_for_less_than_no_time():
    assert wait_of(NOON, None, LIMITS).seconds(NOON - timedelta(seconds=5)) == 0


def test_nobody_is_waited_for_after_open_dialogues_are_closed():
    closes_at = NOON + timedelta(minutes=5)
    assert wait_of(NOON, None, LIMITS, closes_at).until == closes_at
    assert wait_of(NOON, None, LIMITS, NOON + timedelta(hours=1)).until == NOON + timedelta(minutes=20)
    assert wait_of(NOON, None, LIMITS, closes_at, NOON + timedelta(minutes=40)).until == NOON + timedelta(minutes=40)
    assert wait_of(NOON, Turn("waiting"), LIMITS, NOON).until == NOON + timedelta(seconds=30)
