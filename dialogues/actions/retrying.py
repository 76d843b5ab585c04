"""Has failed turns asked again, as cheaply as new ones are taken (a failing bot makes every turn a retry),
and settles turns whose server process ended before their answer was stored."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop

from dialogues.actions.attempts import fail, may_be_asked_again
from dialogues.actions.ledger import Admission, refuse_unless_admitted, reserve_two_lines, write, write_reserved
from dialogues.actions.outcomes import Asked, Outcome, Remembered, WaitingTurn
from dialogues.actions.season import refuse_after_testing
from dialogues.actions.turns import Standing, history_of, standing_of
from dialogues.events import TurnRetried
from dialogues.models import Attempt, Dialogue, Turn
from dialogues.turn_taking import DialogueStatus, Refusal, RefusalCode, TurnStatus, is_closed, not_admitted
from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence
from serving.committing import joining
from serving.statements import Statement

_TURN, _ATTEMPT = Turn._meta.db_table, Attempt._meta.db_table

_failed_turn = Statement(
    f"SELECT id, subtask, text, attempt_number, spent >= turn_cap FROM {_TURN} WHERE dialogue_id = %s AND number = %s",
    (Dialogue, "id"),
    (Turn, "number"),
)
_set_attempt_aside = Statement(
    f"UPDATE {_ATTEMPT} SET is_current = FALSE WHERE turn_id = %s AND is_current", (Turn, "id")
)
_wait_again = Statement(
    f"UPDATE {_TURN} SET status = '{TurnStatus.WAITING}', attempt_number = %s, outcome_seq = %s, owner = %s WHERE id = %s",
    (Turn, "attempt_number"),
    (Turn, "outcome_seq"),
    (Turn, "owner"),
    (Turn, "id"),
)


class _FailedTurn(NamedTuple):
    id: int
    subtask: int
    text: str
    attempt_number: int
    is_last: bool


@joining
def retry_turn(
    *,
    dialogue_id: UUID,
    admission: Admission,
    number: int,
    at: datetime,
    owner: str,
    remembered: Remembered | None = None,
) -> Outcome:
    """Puts the last, failed turn back to waiting for one more attempt under the same number and key.

    Errors: `Refusal` (`closed`, `turn_in_flight`, `not_retryable`, `forbidden`, `not_now`, `not_admitted`).
    """
    standing = standing_of(dialogue_id, None, at)
    refuse_unless_admitted(admission, standing.tester_id, standing.assignment_id)
    if standing.is_over:
        refuse_after_testing(standing.assignment_id, at)
    _check_may_be_retried(standing, number)
    failed = _FailedTurn._make(_failed_turn(dialogue_id, number).fetchone())
    if failed.subtask != standing.subtask_index:
        raise _not_retryable(gettext_noop("The subtask of this turn is closed."))
    if not may_be_asked_again(failed.id):
        raise _not_retryable(gettext_noop("The retries of this turn are used up."))
    # One line says that the turn is asked again; the next number is for what comes of it.
    seq = standing.last_seq + 1
    turn = WaitingTurn(
        failed.id, dialogue_id, number, failed.text, failed.attempt_number + 1, seq + 1, bool(failed.is_last)
    )
    # What is remembered reaches to the failure, which is the last line so far.
    history = history_of(turn, remembered, standing.last_seq)
    _set_attempt_aside(turn.id)
    told = write_reserved(dialogue_id, [TurnRetried(number)], at, first_seq=seq)
    reserve_two_lines(dialogue_id)
    _wait_again(turn.attempt_number, turn.outcome_seq, owner, turn.id)
    return Outcome(told=[told], asked=Asked(turn, history))


def _check_may_be_retried(standing: Standing, number: int) -> None:
    if standing.is_draft:
        raise not_admitted()
    if standing.status != DialogueStatus.OPEN:
        raise is_closed()
    if number != standing.turns_used or standing.last_status in (None, TurnStatus.ANSWERED):
        raise _not_retryable(gettext_noop("Only the last turn can be asked again, and only if it failed."))
    if standing.last_status == TurnStatus.WAITING:
        raise Refusal(RefusalCode.TURN_IN_FLIGHT, gettext_noop("The system is being asked already."))


def _not_retryable(text: str) -> Refusal:
    return Refusal(RefusalCode.NOT_RETRYABLE, text)


@transaction.atomic
def recover_interrupted(*, at: datetime, is_lost: Callable[[Turn], bool]) -> Outcome:
    """Fails, as interrupted, every waiting turn that is lost."""
    waiting = Turn.objects.filter(status=TurnStatus.WAITING).select_related("dialogue__assignment__campaign")
    silent = {turn.dialogue_id for turn in waiting if is_lost(turn)}
    told = []
    # The dialogue is locked before its turn, as everywhere, or two writers would wait for each other. One that another
    # writer holds is left to the next sweep: this one waits for nobody, so it may lock in any order.
    for dialogue in Dialogue.everything.select_for_update(skip_locked=True).filter(pk__in=silent):
        for turn in filter(is_lost, waiting.filter(dialogue=dialogue)):
            failure = BotFailure(FailureKind.INTERRUPTED, sentence(sentences.PROCESS_GONE))
            if failed := fail(WaitingTurn.of(turn), failure, at):
                told.append(write(dialogue, [failed], at, first_seq=turn.outcome_seq))
    return Outcome(told=told)
