"""Failures and requests as the ledger keeps them, and whether a turn may be asked again."""

from collections.abc import Sequence
from datetime import datetime

from participants.adapters import Reply
from participants.adapters.states import written
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind, Fault, Try
from scoring.storable import as_logged
from serving.statements import insert
from testing_console.actions.outcomes import WaitingTurn
from testing_console.events import LedgerLine, TurnFailed
from testing_console.models import Attempt, BotState, Turn
from testing_console.turn_taking import TurnStatus, retries_left

_insert_state = insert(BotState, "turn", "written")
MESSAGE_OF_FAULT = {
    Fault.BOT: "The bot gave no usable answer.",
    Fault.PLATFORM: "Our side was interrupted before the bot's answer was stored.",
    Fault.TESTER: "The turn was cancelled.",
    Fault.NOBODY: "The turn was not answered.",
}


def fail(turn: WaitingTurn, failure: BotFailure, at: datetime) -> list[LedgerLine]:
    """Settles the waiting turn with that failure; nothing where it no longer waits for this attempt.

    The condition holds whatever was read before: a reply that is stored is never overwritten by a failure.
    """
    waiting = Turn.objects.filter(pk=turn.id, status=TurnStatus.WAITING, attempt_number=turn.attempt_number)
    if not waiting.update(status=TurnStatus.FAILED, settled_at=at):
        return []
    insert_failed(turn, failure, at, Attempt.Outcome.FAILURE)
    n_left = 0 if failure.kind is FailureKind.CANCELLED else retries_left_of(turn)
    return [TurnFailed(turn.number, failure.kind, failure.fault, n_left, MESSAGE_OF_FAULT[failure.fault])]


def insert_failed(turn: WaitingTurn, failure: BotFailure, at: datetime, outcome: Attempt.Outcome) -> None:
    is_late = outcome is Attempt.Outcome.LATE
    insert_earlier(turn, failure.tries[:-1], outcome if is_late else Attempt.Outcome.RESENT)
    Attempt.objects.create(
        turn_id=turn.id,
        number=turn.attempt_number,
        request=max(1, len(failure.tries)),
        outcome=outcome,
        is_current=outcome is Attempt.Outcome.FAILURE,
        has_left=failure.reached_bot,
        status=failure.status,
        kind=failure.kind,
        fault=failure.fault,
        detail=as_logged(failure.detail, EVIDENCE_LIMIT),
        evidence=as_logged(failure.evidence, EVIDENCE_LIMIT),
        latency_ms=failure.latency_ms,
        wire=failure.tries[-1].wire.stored if failure.tries else {},
        ended_at=at,
    )


def insert_reply(turn: WaitingTurn, reply: Reply, at: datetime, outcome: Attempt.Outcome) -> None:
    """The request that was answered by this reply, with the original texts."""
    Attempt.objects.create(
        turn_id=turn.id,
        number=turn.attempt_number,
        request=max(1, len(reply.tries)),
        outcome=outcome,
        is_current=outcome is Attempt.Outcome.REPLY,
        status=200,
        texts=list(reply.texts),
        latency_ms=reply.latency_ms,
        wire=reply.tries[-1].wire.stored if reply.tries else {},
        ended_at=at,
    )


def insert_state(turn: WaitingTurn, reply: Reply) -> None:
    """What the bot wants to have back; protocols without a state pay nothing for it."""
    if reply.state is not None:
        _insert_state(turn.id, written(reply.state)).fetchone()


def insert_earlier(turn: WaitingTurn, tries: Sequence[Try], outcome: Attempt.Outcome) -> None:
    """Requests that were followed by another one of the same call; they cost nobody anything."""
    for superseded in tries:
        Attempt.objects.create(
            turn_id=turn.id,
            number=turn.attempt_number,
            request=superseded.number,
            outcome=outcome,
            is_current=False,
            has_left=superseded.has_left,
            status=superseded.status,
            kind=superseded.kind or "",
            fault=Fault.NOBODY,
            detail=as_logged(superseded.detail, EVIDENCE_LIMIT),
            evidence=as_logged(superseded.evidence, EVIDENCE_LIMIT),
            latency_ms=superseded.latency_ms,
            wire=superseded.wire.stored,
            ended_at=superseded.ended_at,
        )


def costs_nobody(turn: Turn) -> bool:
    """Whether the failed turn stopped at something that is not the bot's fault and within the limit of such failures."""
    stopped_at = turn.attempts.filter(is_current=True)
    if stopped_at.filter(fault=Fault.NOBODY).exists():
        return may_be_asked_again(turn)
    return stopped_at.filter(fault=Fault.PLATFORM).exists()


def may_be_asked_again(turn: Turn | WaitingTurn) -> bool:
    return retries_left_of(turn) > 0


def retries_left_of(turn: Turn | WaitingTurn) -> int:
    failed = Attempt.objects.filter(turn_id=turn.id, outcome=Attempt.Outcome.FAILURE)
    return retries_left(failed.filter(fault=Fault.BOT).count(), failed.filter(fault=Fault.NOBODY).count())
