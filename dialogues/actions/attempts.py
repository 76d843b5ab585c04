"""Failures and requests as the ledger keeps them, and whether a turn may be asked again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from dialogues.actions.ledger import WaitingTurn
from dialogues.events import TurnFailed
from dialogues.models import Attempt, BotState, Turn
from dialogues.turn_taking import TurnStatus, retries_left
from participants.adapters import Reply
from participants.adapters.calls import written
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind, Fault, Try
from reading.findings import Finding
from reading.storable import as_logged, finding_as_logged
from serving.commits.statements import Statement, insert
from serving.commits.steps import Steps, asking

_ATTEMPT, _TURN = Attempt._meta.db_table, Turn._meta.db_table

# A failed turn is as frequent as its bot likes, and everybody else's turns wait for the same writer: through the ORM it
# cost forty times what an answered one does.
_insert_state = insert(BotState, "turn", "written")
_insert_attempt = insert(
    Attempt, "turn", "number", "request", "outcome", "has_left", "status", "is_current", "kind", "fault",
    "measured_fault", "detail", "evidence", "texts", "latency_ms", "wire", "ended_at",
)  # fmt: skip
_fail_turn = Statement(
    f"""
UPDATE {_TURN} SET status = '{TurnStatus.FAILED}', settled_at = %s
WHERE id = %s AND attempt_number = %s AND status = '{TurnStatus.WAITING}'""",
    (Turn, "settled_at"),
    (Turn, "id"),
    (Turn, "attempt_number"),
)
# How many failures of the turn are its bot's, and how many are nobody's.
_n_failures = Statement(
    f"""
SELECT COUNT(CASE WHEN fault = '{Fault.BOT}' THEN 1 END), COUNT(CASE WHEN fault = '{Fault.NOBODY}' THEN 1 END)
FROM {_ATTEMPT} WHERE turn_id = %s AND outcome = '{Attempt.Outcome.FAILURE.value}'""",
    (Turn, "id"),
)
MESSAGE_OF_FAULT = {
    Fault.BOT: "The bot gave no usable answer.",
    Fault.PLATFORM: "Our side was interrupted before the bot's answer was stored.",
    Fault.TESTER: "The turn was cancelled.",
    Fault.NOBODY: "The turn was not answered.",
}


def fail(turn: WaitingTurn, failure: BotFailure, at: datetime) -> TurnFailed | None:
    """Settles the waiting turn with that failure; None where it no longer waits for this attempt.

    The condition holds whatever was read before: a reply that is stored is never overwritten by a failure. The caller
    holds the dialogue: it is locked before its turn, as everywhere.
    """
    if not _fail_turn(at, turn.id, turn.attempt_number).rowcount:
        return None
    insert_failed(turn, failure, at, Attempt.Outcome.FAILURE)
    n_left = 0 if failure.kind is FailureKind.CANCELLED else retries_left_of(turn.id)
    return TurnFailed(turn.number, failure.kind, failure.fault, n_left, MESSAGE_OF_FAULT[failure.fault])


def insert_failed(turn: WaitingTurn, failure: BotFailure, at: datetime, outcome: Attempt.Outcome) -> None:
    is_late = outcome is Attempt.Outcome.LATE
    insert_earlier(turn, failure.tries[:-1], outcome if is_late else Attempt.Outcome.RESENT)
    _insert_attempt(
        turn.id, turn.attempt_number, max(1, len(failure.tries)), outcome.value, failure.reached_bot, failure.status,
        outcome is Attempt.Outcome.FAILURE, failure.kind.value, failure.fault.value, "",
        _stored(failure.detail), as_logged(failure.evidence, EVIDENCE_LIMIT), [], failure.latency_ms,
        _stored_wire(failure.tries), at,
    ).fetchone()  # fmt: skip


def insert_reply(turn: WaitingTurn, reply: Reply, at: datetime, outcome: Attempt.Outcome) -> None:
    """The request that was answered by this reply, with the original texts."""
    _insert_attempt(
        turn.id, turn.attempt_number, max(1, len(reply.tries)), outcome.value, True, 200,
        outcome is Attempt.Outcome.REPLY, "", "", "", [], "", list(reply.texts), reply.latency_ms,
        _stored_wire(reply.tries), at,
    ).fetchone()  # fmt: skip


def insert_state(turn: WaitingTurn, reply: Reply) -> Steps[None]:
    """What the bot wants to have back; protocols without a state pay nothing for it."""
    if reply.state is not None:
        yield asking(_insert_state, turn.id, written(reply.state))


def insert_earlier(turn: WaitingTurn, tries: Sequence[Try], outcome: Attempt.Outcome) -> None:
    """Requests that another one of the same call superseded; they are free."""
    for superseded in tries:
        _insert_attempt(
            turn.id, turn.attempt_number, superseded.number, outcome.value, superseded.has_left, superseded.status,
            False, superseded.kind.value if superseded.kind else "", Fault.NOBODY.value, "",
            _stored(superseded.detail), as_logged(superseded.evidence, EVIDENCE_LIMIT), [],
            superseded.latency_ms, superseded.wire.stored, superseded.ended_at,
        ).fetchone()  # fmt: skip


def _stored(detail: Finding | None) -> list[Any]:
    return finding_as_logged(detail, EVIDENCE_LIMIT).to_json() if detail else []


def _stored_wire(tries: Sequence[Try]) -> dict[str, Any]:
    return tries[-1].wire.stored if tries else {}


def costs_nobody(turn: Turn) -> bool:
    """Whether the failed turn stopped at something that is not the bot's fault and within the limit of such failures."""
    stopped_at = turn.attempts.filter(is_current=True)
    if stopped_at.filter(fault=Fault.NOBODY).exists():
        return may_be_asked_again(turn.pk)
    return stopped_at.filter(fault=Fault.PLATFORM).exists()


def may_be_asked_again(turn_id: int) -> bool:
    return retries_left_of(turn_id) > 0


def retries_left_of(turn_id: int) -> int:
    return retries_left(*_n_failures(turn_id).fetchone())
