"""Kinds of failures and whose fault they are."""

from pathlib import Path

import pytest

from participants import failures
from participants.failures import FAULT_OF, BotFailure, FailureKind, Fault
from reading.findings import Finding, sentence

WIRE_PROTOCOL_KINDS = (
    "dns connect tls timeout_first_byte timeout_total http_4xx http_5xx bad_json bad_shape empty too_long "
    "blocked_address other_dialogue cancelled interrupted"
)


def test_the_kinds_are_those_that_programs_are_told():
    assert {str(kind) for kind in FailureKind} == set(WIRE_PROTOCOL_KINDS.split())
    page = (Path(__file__).resolve().parents[2] / "docs" / "protocols.md").read_text()
    assert all(kind in page for kind in FailureKind if kind is not FailureKind.CANCELLED)
    page = (Path(__file__).resolve().parents[2] / "docs" / "wire-protocol.md").read_text()
    assert all(f"`{kind}`" in page for kind in FailureKind)


def test_the_head_of_the_module_names_every_kind():
    assert all(kind in failures.__doc__ for kind in FailureKind)


@pytest.mark.parametrize("kind", FailureKind)
def test_a_failure_is_the_bots_unless_the_tester_or_the_platform_ended_the_call(kind):
    fault = {"cancelled": Fault.TESTER, "interrupted": Fault.PLATFORM}.get(kind, Fault.BOT)
    assert FAULT_OF[kind] == BotFailure(kind, sentence("x")).fault == fault


def test_a_failure_says_its_kind_and_what_happened():
    assert str(BotFailure(FailureKind.EMPTY, sentence("The body is empty."))) == "empty: The body is empty."


def test_where_nothing_else_is_known_the_bot_was_reached_and_no_try_is_listed():
    failure = BotFailure(FailureKind.BAD_JSON, sentence("x"))
    assert (failure.reached_bot, failure.status, failure.retry_after_s) == (True, None, None)
    assert (failure.tries, failure.latency_ms) == ((), 0)


def test_a_failure_keeps_the_sentence_and_its_values():
    finding = Finding("text", "must be a text, not %(kind)s", {"kind": "a number"})
    failure = BotFailure(FailureKind.BAD_SHAPE, finding)
    assert failure.detail == finding
    assert str(failure) == "bad_shape: text: must be a text, not a number"
