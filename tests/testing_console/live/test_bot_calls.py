"""What a standstill of ours excuses, and what it does not."""

import pytest

from participants.failures import BotFailure, FailureKind, Fault
from testing_console.live.bot_calls import excuse

DEADLINE_S = 5.0


def fault_after_excuse(kind: FailureKind, *, latency_ms: int = 5000, **named) -> Fault:
    failure = BotFailure(kind, "it failed.", **named)
    failure.latency_ms = latency_ms
    excuse(failure, DEADLINE_S)
    return failure.fault


@pytest.mark.parametrize("kind", [FailureKind.TIMEOUT_FIRST_BYTE, FailureKind.TIMEOUT_TOTAL, FailureKind.CONNECT])
def test_deadlines_that_passed_and_connections_that_broke_meanwhile_are_the_platforms(kind):
    assert fault_after_excuse(kind) is Fault.PLATFORM


def test_a_look_up_that_ran_into_the_deadline_is_the_platforms_and_an_unknown_name_is_not():
    assert fault_after_excuse(FailureKind.DNS, reached_bot=False) is Fault.PLATFORM
    assert fault_after_excuse(FailureKind.DNS, reached_bot=False, latency_ms=40) is Fault.BOT


def test_a_refused_connection_is_the_bots():
    assert fault_after_excuse(FailureKind.CONNECT, reached_bot=False) is Fault.BOT


@pytest.mark.parametrize("kind", [FailureKind.HTTP_5XX, FailureKind.BAD_JSON, FailureKind.TLS, FailureKind.TOO_LONG])
def test_what_the_bot_said_is_the_bots(kind):
    assert fault_after_excuse(kind) is Fault.BOT


def test_what_is_nobodys_fault_stays_nobodys():
    assert fault_after_excuse(FailureKind.CONNECT, fault=Fault.NOBODY) is Fault.NOBODY
