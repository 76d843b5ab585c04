"""Takes turns, settles them with what the bot answered or how it failed, and has failed ones asked again.

A retry is as cheap as a new turn: a failing bot makes every turn one. Turns whose server process ended fail as interrupted.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop

from campaigns.calendar import finished_before
from campaigns.models import Assignment, Campaign, Entry
from dialogues.actions.attempts import (
    fail,
    insert_earlier,
    insert_failed,
    insert_reply,
    insert_state,
    may_be_asked_again,
)
from dialogues.actions.closing import close_at_cap, close_current, close_for_bot
from dialogues.actions.ledger import (
    IS_DRAFT_TO_TESTERS,
    Admission,
    Asked,
    Outcome,
    Remembered,
    Settled,
    Taken,
    Told,
    WaitingTurn,
    held,
    hold,
    refuse_after_testing,
    refuse_unless_admitted,
    reserve_two_lines,
    write,
    write_reserved,
)
from dialogues.events import LedgerLine, TurnRetried, accepted_frame, reply_frame
from dialogues.models import Attempt, Dialogue, Turn
from dialogues.queries import events_after, lines_of, said_before, utterances
from dialogues.turn_taking import (
    OPENING,
    OPENING_KEY,
    Budget,
    DialogueStatus,
    Refusal,
    RefusalCode,
    ShownReply,
    SubtaskStatus,
    TurnStatus,
    budget_of,
    check_may_speak,
    check_opening_has_begun,
    check_opening_is_over,
    is_closed,
    is_gone,
    not_admitted,
    subtask_after_reply,
)
from participants import failure_sentences as sentences
from participants.adapters import History, Reply
from participants.failures import BotFailure, FailureKind, Fault, Try
from reading.findings import sentence
from serving.commits.shared_transaction import joining
from serving.commits.statements import Statement, insert
from serving.commits.steps import Steps, asking, in_steps

_TURN, _DIALOGUE = Turn._meta.db_table, Dialogue._meta.db_table

# The dialogue as far as its next turn depends on it, how its last turn stands, the turn that the same key made,
# whether the campaign's time is over, the bot is a draft, which no tester talks to, and who speaks first: three more
# rows found by their keys, so that no turn asks for itself.
_standing = Statement(
    f"""
SELECT dialogue.assignment_id, dialogue.tester_id, dialogue.status, dialogue.turns_used, dialogue.turn_cap,
       dialogue.subtask_index, dialogue.subtask_turns, dialogue.subtask_cap, dialogue.last_seq,
       last.status, same.id, campaign.ends_at < %s
       OR campaign.testing_until < %s AND (dialogue.extended_until IS NULL OR dialogue.extended_until < %s),
       {IS_DRAFT_TO_TESTERS}, campaign.opened_by = 'bot'
FROM {_DIALOGUE} dialogue
JOIN {Assignment._meta.db_table} assignment ON assignment.id = dialogue.assignment_id
JOIN {Campaign._meta.db_table} campaign ON campaign.id = assignment.campaign_id
JOIN {Entry._meta.db_table} entry ON entry.id = assignment.entry_id
LEFT JOIN {_TURN} last ON last.dialogue_id = dialogue.id AND last.number = dialogue.turns_used
LEFT JOIN {_TURN} same ON same.dialogue_id = dialogue.id AND same.key = %s
WHERE dialogue.id = %s""",
    (Campaign, "ends_at"),
    (Campaign, "testing_until"),
    (Dialogue, "extended_until"),
    (Turn, "key"),
    (Dialogue, "id"),
)
_insert_turn = insert(
    Turn, "dialogue", "number", "subtask", "spent", "turn_cap", "key", "text", "status", "attempt_number", "texts",
    "flags", "seq", "outcome_seq", "asked_at", "owner",
)  # fmt: skip
# Two numbers of the ledger are given away at once: that of `turn.accepted`, and that of the outcome.
_count_turn = Statement(
    f"""
UPDATE {_DIALOGUE} SET turns_used = turns_used + 1, subtask_turns = subtask_turns + 1, last_seq = last_seq + 2
WHERE id = %s RETURNING id""",
    (Dialogue, "id"),
)
# Only a turn that still waits for this very attempt is settled. The dialogue is locked before its turn, as everywhere.
_settle = Statement(
    f"""
UPDATE {_TURN} SET status = '{TurnStatus.ANSWERED}', texts = %s, flags = %s, choices = %s, latency_ms = %s, wire = %s, settled_at = %s
WHERE {_TURN}.id = %s AND attempt_number = %s AND {_TURN}.status = '{TurnStatus.WAITING}' RETURNING {_TURN}.id""",
    *(
        (Turn, name)
        for name in ("texts", "flags", "choices", "latency_ms", "wire", "settled_at", "id", "attempt_number")
    ),
)
_ATTEMPT = Attempt._meta.db_table
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


class Standing(NamedTuple):
    """What a row of `_standing` holds; `last_status` and `same_id` are empty where there is no such turn.

    `is_over` is empty or false while open dialogues may go on.
    """

    assignment_id: int
    tester_id: int
    status: str
    turns_used: int
    turn_cap: int | None
    subtask_index: int
    subtask_turns: int
    subtask_cap: int | None
    last_seq: int
    last_status: str | None
    same_id: int | None
    is_over: bool | None
    is_draft: bool
    is_opened_by_bot: bool

    @property
    def is_opening_due(self) -> bool:
        """Whether the bot speaks first and has not begun; a dialogue with any line in its ledger has been opened."""
        return bool(self.is_opened_by_bot) and self.last_seq == 0


def standing_of(dialogue_id: UUID, key: str | None, at: datetime) -> Steps[Standing]:
    """Holds the dialogue. Without a key `same_id` is empty. Errors: `Refusal` (`closed`) where it was deleted."""
    hold(dialogue_id)
    testing, now = finished_before(at)
    row = yield asking(_standing, now, testing, now, key, dialogue_id)
    if row is None:
        raise is_gone()
    return Standing._make(row)


def history_of(turn: WaitingTurn, remembered: Remembered | None, last_seq: int) -> History:
    """What is remembered, if nothing came after it: neither another turn nor a reply that another process stored."""
    is_latest = remembered is not None and remembered.seq == last_seq
    return remembered.history if remembered is not None and is_latest else said_before(turn.dialogue_id, turn.number)


@in_steps
def take_turn(
    *,
    dialogue_id: UUID,
    admission: Admission,
    key: str,
    text: str,
    at: datetime,
    owner: str,
    remembered: Remembered | None = None,
) -> Steps[Taken]:
    """Stores the tester's utterance as the next turn, or gives the turn that the same key made before.

    Cap check and insert are one step: the insert carries the number, the constraints arbitrate. `remembered` is what
    was said so far, if the caller happens to know; if stale, it is read from the database.
    Errors: `Refusal` (`closed`, `turn_in_flight`, `cap_reached`, `key_conflict`, `forbidden`, `not_now`, `not_admitted`,
    `opening_first`).
    """
    standing = yield from standing_of(dialogue_id, key, at)
    # All refusals come before the first write: the transaction is shared, and the others in it go on.
    yield from refuse_unless_admitted(admission, standing.tester_id, standing.assignment_id)
    if standing.same_id is not None:
        return _same_turn_again(standing.same_id, text, owner)
    if standing.is_over:
        refuse_after_testing(standing.assignment_id, at)
    budget = budget_of(standing)
    check_may_speak(standing.status, standing.last_status, budget)
    if standing.is_draft:
        raise not_admitted()
    check_opening_has_begun(standing.is_opening_due)
    if standing.turns_used == OPENING and standing.last_status == TurnStatus.FAILED:
        opening = Turn.objects.get(dialogue=dialogue_id, number=OPENING)
        # With its part closed it takes no retry, as no turn does.
        check_opening_is_over(opening.subtask == standing.subtask_index and may_be_asked_again(opening.pk))
    turn, accepted = yield from _stored(dialogue_id, standing, budget, standing.turns_used + 1, key, text, at, owner)
    return Taken(
        told=[Told(dialogue_id, [accepted])],
        asked=Asked(turn, history_of(turn, remembered, standing.last_seq)),
        accepted=accepted[1],
        is_new=True,
    )


@in_steps
def take_opening(*, dialogue_id: UUID, admission: Admission, at: datetime, owner: str) -> Steps[Outcome]:
    """Asks the bot to open the dialogue, as turn 0, which is free; does nothing if that has begun or the bot is a draft.

    Errors: `Refusal` (`forbidden`).
    """
    standing = yield from standing_of(dialogue_id, OPENING_KEY, at)
    yield from refuse_unless_admitted(admission, standing.tester_id, standing.assignment_id)
    # A dialogue with any line in its ledger has been opened, or has ended before it could be. A draft opens none until it
    # is admitted: the next socket or turn has it asked.
    if standing.last_seq or standing.status != DialogueStatus.OPEN or standing.is_draft:
        return Outcome()
    turn, accepted = yield from _stored(dialogue_id, standing, budget_of(standing), OPENING, OPENING_KEY, "", at, owner)
    return Outcome(told=[Told(dialogue_id, [accepted])], asked=Asked(turn, History()))


def _stored(
    dialogue_id: UUID, standing: Standing, budget: Budget, number: int, key: str, text: str, at: datetime, owner: str
) -> Steps[tuple[WaitingTurn, tuple[int, str]]]:
    """The turn as it waits for its bot, counted unless it opens the dialogue, and the line that says so."""
    spent, seq = budget.spent + (number != OPENING), standing.last_seq + 1
    yield asking(reserve_two_lines if number == OPENING else _count_turn, dialogue_id)
    (turn_id,) = yield asking(
        _insert_turn, dialogue_id, number, standing.subtask_index, spent, budget.cap, key, text,
        TurnStatus.WAITING.value, 1, [], [], seq, seq + 1, at, owner,
    )  # fmt: skip
    turn = WaitingTurn(turn_id, dialogue_id, number, text, 1, seq + 1, is_last=spent >= budget.cap)
    return turn, (seq, accepted_frame(seq, number, key, text, standing.subtask_index))


def _same_turn_again(turn_id: int, text: str, owner: str) -> Taken:
    turn = Turn.objects.get(pk=turn_id)
    if turn.text != text:
        why = gettext_noop("This key was used for another text: make a new key for a new turn.")
        raise Refusal(RefusalCode.KEY_CONFLICT, why)
    # This very process may have stored it without learning of it: the commit succeeded, its answer was lost.
    may_be_unasked = turn.status == TurnStatus.WAITING and turn.owner == owner
    asked = Asked(WaitingTurn.of(turn), said_before(turn.dialogue_id, turn.number)) if may_be_unasked else None
    ((_, accepted), *_) = lines_of(turn)
    return Taken(asked=asked, accepted=accepted, is_new=False)


@in_steps
def record_reply(*, asked: Asked, reply: Reply, shown: ShownReply, at: datetime) -> Steps[Settled]:
    """Stores the bot's reply; closes the subtask at its cap, and the dialogue where the bot ends it.

    A reply to an attempt that is no longer the current one is kept as late, never shown (robustness §2).
    Errors: `Refusal` (`closed`) where the dialogue was deleted.
    """
    turn, latency_ms = asked.turn, reply.latency_ms
    # Before its turn, as everywhere: two writers could wait for each other for ever.
    hold(turn.dialogue_id)
    wire = reply.tries[-1].wire.stored if reply.tries else {}
    values = (shown.texts, shown.flags, reply.choices or None, latency_ms, wire, at, turn.id, turn.attempt_number)
    if (yield asking(_settle, *values)) is None:
        if (again := _stored_before(turn, at)) is not None:
            return again
        insert_earlier(turn, reply.tries[:-1], Attempt.Outcome.LATE)
        insert_reply(turn, reply, at, Attempt.Outcome.LATE)
        return Settled(is_current=False)
    yield from insert_state(turn, reply)
    insert_earlier(turn, reply.tries[:-1], Attempt.Outcome.RESENT)
    if shown.texts != reply.texts:
        insert_reply(turn, reply, at, Attempt.Outcome.REPLY)
    frame = reply_frame(turn.outcome_seq, turn.number, shown.texts, latency_ms, shown.flags, reply.choices)
    # For other turns the dialogue is not even read. An opening ends nothing: the dialogue has not begun.
    is_ended = reply.end and turn.number != OPENING
    if is_ended:
        is_ended = Dialogue.everything.filter(pk=turn.dialogue_id, assignment__campaign__bot_may_end=True).exists()
    closing = _closing(turn, is_ended, at) if turn.is_last or is_ended else Told(turn.dialogue_id, [])
    said = asked.history.and_then(*utterances(turn.number, turn.text, shown.texts), state=reply.state)
    return _settled(replace(closing, lines=[(turn.outcome_seq, frame), *closing.lines]), said)


def _stored_before(turn: WaitingTurn, at: datetime) -> Settled | None:
    """What this very outcome said, if it was committed before and only the answer to that commit was lost.

    Nothing else settles an attempt at the same microsecond. Sockets may not have heard of it: they are told (again).
    Errors: `Refusal` (`closed`) where the turn was deleted.
    """
    stored = Turn.objects.filter(pk=turn.id).values_list("attempt_number", "settled_at").first()
    if stored is None:
        raise is_gone()
    if stored != (turn.attempt_number, at):
        return None
    lines = events_after(turn.dialogue_id, turn.outcome_seq - 1)
    return Settled(told=[Told(turn.dialogue_id, lines)], is_current=True)


def _closing(turn: WaitingTurn, is_ended_by_bot: bool, at: datetime) -> Told:
    """What the answer closes: to the last turn of a cap what the cap spans, where the bot ends the dialogue all that is open."""
    dialogue = held(turn.dialogue_id)
    lines: list[LedgerLine] = []
    if turn.is_last and subtask_after_reply(dialogue.budget()) is SubtaskStatus.CAP_REACHED:
        lines += close_at_cap(dialogue, at)
    if is_ended_by_bot and dialogue.is_open:
        lines += close_for_bot(dialogue, at)
    return write(dialogue, lines, at) if lines else Told(turn.dialogue_id, [])


def _settled(told: Told, said: History) -> Settled:
    last_seq, _ = told.lines[-1]
    return Settled(told=[told], remembered=Remembered(told.dialogue_id, last_seq, said), is_current=True)


@joining
def record_failure(*, asked: Asked, failure: BotFailure, at: datetime) -> Settled:
    """Stores a failed attempt with its fault; when the retries are used up, the subtask closes as failed.

    If the attempt is no longer the current one, it is kept as late and changes nothing. Errors: `Refusal` (`closed`) where the dialogue was deleted.
    """
    turn = asked.turn
    # Before its turn is settled, as everywhere: two writers could wait for each other for ever.
    hold(turn.dialogue_id)
    failed = fail(turn, failure, at)
    if failed is None:
        if (again := _stored_before(turn, at)) is not None:
            return again
        insert_failed(turn, failure, at, Attempt.Outcome.LATE)
        return Settled(is_current=False)
    # Without an opening the tester begins: it closes nothing.
    if failed.retries_left or turn.number == OPENING or failure.fault is Fault.PLATFORM:
        # The line's number is reserved, so of most failures the dialogue is not even read.
        told = write_reserved(turn.dialogue_id, [failed], at, first_seq=turn.outcome_seq)
    else:
        dialogue = held(turn.dialogue_id)
        lines = [failed, *close_current(dialogue, SubtaskStatus.FAILED, "bot_failed", at)]
        told = write(dialogue, lines, at, first_seq=turn.outcome_seq)
    return _settled(told, asked.history)


@joining
def record_requests(*, asked: Asked, tries: Sequence[Try]) -> None:
    """Keeps, as late, the requests of a call that was cancelled while the bot was asked again.

    Errors: `Refusal` (`closed`) where the dialogue was deleted.
    """
    hold(asked.turn.dialogue_id)
    if not Turn.objects.filter(pk=asked.turn.id).exists():
        raise is_gone()
    insert_earlier(asked.turn, tries, Attempt.Outcome.LATE)


class _FailedTurn(NamedTuple):
    id: int
    subtask: int
    text: str
    attempt_number: int
    is_last: bool


@in_steps
def retry_turn(
    *,
    dialogue_id: UUID,
    admission: Admission,
    number: int,
    at: datetime,
    owner: str,
    remembered: Remembered | None = None,
) -> Steps[Outcome]:
    """Puts the last, failed turn back to waiting for one more attempt under the same number and key.

    Errors: `Refusal` (`closed`, `turn_in_flight`, `not_retryable`, `forbidden`, `not_now`, `not_admitted`).
    """
    standing = yield from standing_of(dialogue_id, None, at)
    yield from refuse_unless_admitted(admission, standing.tester_id, standing.assignment_id)
    if standing.is_over:
        refuse_after_testing(standing.assignment_id, at)
    _check_may_be_retried(standing, number)
    failed = _FailedTurn(*(yield asking(_failed_turn, dialogue_id, number)))
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
    yield asking(reserve_two_lines, dialogue_id)
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
    # writer holds is left to the next sweep: this one never waits, so it may lock in any order.
    for dialogue in Dialogue.everything.select_for_update(skip_locked=True).filter(pk__in=silent):
        for turn in filter(is_lost, waiting.filter(dialogue=dialogue)):
            failure = BotFailure(FailureKind.INTERRUPTED, sentence(sentences.PROCESS_GONE))
            if failed := fail(WaitingTurn.of(turn), failure, at):
                told.append(write(dialogue, [failed], at, first_seq=turn.outcome_seq))
    return Outcome(told=told)
