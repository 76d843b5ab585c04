"""Takes turns, has them asked again, and settles them with what the bot answered or how it failed."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from participants.adapters import Reply
from participants.failures import BotFailure, FailureKind, Fault, Try
from serving.statements import Insert, Select, Update
from testing_console.actions.attempts import fail, insert_attempt, insert_earlier, insert_failed, may_be_asked_again
from testing_console.actions.closing import close_at_cap, close_current
from testing_console.actions.ledger import Admission, joining, lock_dialogue, locked, save_counts, tell
from testing_console.events import LedgerLine, ReplyDone, TurnAccepted, TurnRetried
from testing_console.models import Attempt, Dialogue, Turn
from testing_console.turn_taking import (
    Refusal,
    RefusalCode,
    ShownReply,
    SubtaskStatus,
    TurnStatus,
    check_may_speak,
    subtask_after_reply,
)

_turn_by_id = Select(Turn, "{id} = %s", "id")
_same_key_or_last = Select(
    Turn,
    "{dialogue} = %s AND ({key} = %s OR {number} = %s)",
    "dialogue",
    "key",
    "number",
    only=("id", "dialogue", "number", "key", "text", "status", "seq"),
)
_insert_turn = Insert(Turn)
_settle = Update(Turn, "status", "texts", "flags", "latency_ms", "settled_at", only_if=("status", "attempt_number"))


@dataclass(frozen=True, slots=True)
class TakenTurn:
    """A turn that is committed. `is_new` is False where the same key came before: nothing is to be asked again."""

    turn: Turn
    is_new: bool


@joining
def take_turn(*, dialogue_id: UUID, admission: Admission, key: str, text: str, at: datetime, owner: str) -> TakenTurn:
    """Stores the tester's utterance as the next turn, or gives the turn that the same key made before.

    Cap check and insert are one step: the insert carries the number, the constraints arbitrate.
    Errors: `Refusal` (`closed`, `turn_in_flight`, `cap_reached`, `key_conflict`, `forbidden`).
    """
    dialogue = locked(dialogue_id, admission)
    last: Turn | None = None
    for turn in _same_key_or_last(dialogue.pk, key, dialogue.turns_used):
        if turn.key == key:
            return _same_turn_again(turn, text)
        last = turn
    budget = dialogue.budget()
    check_may_speak(dialogue.status, last.status if last else None, budget)
    turn = Turn(
        dialogue_id=dialogue.pk,
        number=dialogue.turns_used + 1,
        subtask=dialogue.subtask_index,
        spent=budget.spent + 1,
        turn_cap=budget.cap,
        key=key,
        text=text,
        seq=dialogue.last_seq + 1,
        asked_at=at,
        owner=owner,
    )
    _insert_turn.row(turn)
    dialogue.turns_used += 1
    dialogue.subtask_turns += 1
    accepted = TurnAccepted(turn.number, key, text, turn.subtask, dialogue.turns_used)
    tell(dialogue, [accepted], at, save=save_counts)
    return TakenTurn(turn, is_new=True)


def _same_turn_again(turn: Turn, text: str) -> TakenTurn:
    if turn.text != text:
        raise Refusal(RefusalCode.KEY_CONFLICT, "This key was used for another text: make a new key for a new turn.")
    return TakenTurn(turn, is_new=False)


@joining
def retry_turn(*, dialogue_id: UUID, admission: Admission, number: int, at: datetime, owner: str) -> Turn:
    """Puts the last, failed turn back to waiting for one more attempt under the same number and key.

    Errors: `Refusal` (`closed`, `turn_in_flight`, `not_retryable`, `forbidden`).
    """
    dialogue = locked(dialogue_id, admission)
    turn = dialogue.turns.filter(number=number).first()
    if not dialogue.is_open:
        raise Refusal(RefusalCode.CLOSED, "The dialogue is closed.")
    if turn is None or number != dialogue.turns_used or turn.status == TurnStatus.ANSWERED:
        raise Refusal(RefusalCode.NOT_RETRYABLE, "Only the last turn can be asked again, and only if it failed.")
    if turn.status == TurnStatus.WAITING:
        raise Refusal(RefusalCode.TURN_IN_FLIGHT, "The bot is being asked already.")
    if not may_be_asked_again(turn):
        raise Refusal(RefusalCode.NOT_RETRYABLE, "The retries of this turn are used up.")
    turn.attempts.filter(is_current=True).update(is_current=False)
    turn.status = TurnStatus.WAITING
    turn.attempt_number += 1
    turn.owner = owner
    turn.save(update_fields=["status", "attempt_number", "owner"])
    tell(dialogue, [TurnRetried(number)], at)
    return turn


@joining
def record_reply(*, asked: Turn, reply: Reply, shown: ShownReply, at: datetime) -> bool:
    """Stores the bot's reply and closes the subtask at its cap; False if the attempt is no longer the current one.

    `asked` is the turn as it was when the bot was called. A late reply is kept as such, never shown (robustness §2).
    """
    (dialogue,) = lock_dialogue(asked.dialogue_id)
    turn = copy(asked)
    turn.status = TurnStatus.ANSWERED
    turn.texts, turn.flags = list(shown.texts), list(shown.flags)
    turn.latency_ms, turn.settled_at = reply.latency_ms, at
    is_current = _settle(turn, status=TurnStatus.WAITING, attempt_number=asked.attempt_number)
    insert_earlier(turn, reply.tries[:-1], Attempt.Outcome.RESENT if is_current else Attempt.Outcome.LATE)
    insert_attempt(
        turn_id=turn.pk,
        number=asked.attempt_number,
        request=max(1, len(reply.tries)),
        outcome=Attempt.Outcome.REPLY if is_current else Attempt.Outcome.LATE,
        is_current=is_current,
        status=200,
        texts=list(reply.texts),
        latency_ms=reply.latency_ms,
        ended_at=at,
    )
    if not is_current:
        return False
    lines: list[LedgerLine] = [ReplyDone(turn.number, turn.texts, reply.latency_ms, turn.flags or None)]
    if subtask_after_reply(dialogue.budget()) is SubtaskStatus.CAP_REACHED:
        lines += close_at_cap(dialogue, at)
    tell(dialogue, lines, at)
    return True


@joining
def record_failure(*, asked: Turn, failure: BotFailure, at: datetime) -> bool:
    """Stores a failed attempt with its fault; when the retries are used up, the subtask closes as failed.

    False if the attempt is no longer the current one; it is kept as late then, and changes nothing.
    """
    (dialogue,) = lock_dialogue(asked.dialogue_id)
    (turn,) = _turn_by_id(asked.pk)
    if turn.status != TurnStatus.WAITING or turn.attempt_number != asked.attempt_number:
        insert_failed(asked, failure, at, Attempt.Outcome.LATE)
        return False
    lines = fail(turn, failure, at)
    if failure.fault is not Fault.PLATFORM and not may_be_asked_again(turn):
        lines += close_current(dialogue, SubtaskStatus.FAILED, "bot_failed", at)
    tell(dialogue, lines, at)
    return True


@joining
def record_requests(*, asked: Turn, tries: Sequence[Try]) -> None:
    """Keeps, as late, the requests of a call that was cancelled while the bot was asked again."""
    lock_dialogue(asked.dialogue_id)
    insert_earlier(asked, tries, Attempt.Outcome.LATE)


@transaction.atomic
def recover_interrupted(*, at: datetime, is_lost: Callable[[Turn], bool]) -> int:
    """Fails, as interrupted, every waiting turn that is lost. Gives how many."""
    waiting = Turn.objects.filter(status=TurnStatus.WAITING).select_related("dialogue__assignment__campaign")
    silent = {turn.dialogue_id for turn in waiting if is_lost(turn)}
    n_recovered = 0
    # The dialogue is locked before its turn, as everywhere, or two writers would wait for each other. One that another
    # writer holds is left to the next sweep: this one waits for nobody, so it may lock in any order.
    for dialogue in Dialogue.objects.select_for_update(skip_locked=True).filter(pk__in=silent):
        for turn in filter(is_lost, waiting.filter(dialogue=dialogue)):
            failure = BotFailure(FailureKind.INTERRUPTED, "The server process that asked the bot went away.")
            tell(dialogue, fail(turn, failure, at), at)
            n_recovered += 1
    return n_recovered
