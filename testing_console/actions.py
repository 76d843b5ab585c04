"""Everything that changes a dialogue: open, take a turn, settle it, retry it, close a subtask, end.

Each action is one transaction with the constraints of models.py as arbiter, and tells its events on commit. The hot
ones (take_turn, record_reply) run inside the group commit of a server process (group_commit.py); they are as correct
on their own.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from campaigns.models import Assignment, Campaign, Entry, Scenario
from participants.adapters import Reply
from participants.failures import BotFailure, FailureKind, Fault, Try
from participants.models import Person
from scoring.storable import as_logged
from serving.statements import Insert, Select, Update
from testing_console.events import (
    DialogueClosed,
    LedgerLine,
    ReplyDone,
    SubtaskClosed,
    TurnAccepted,
    TurnFailed,
    TurnRetried,
)
from testing_console.live.switchboard import announce
from testing_console.models import Attempt, Dialogue, DialogueSubtask, LedgerEvent, Turn
from testing_console.turn_taking import (
    EndReason,
    Refusal,
    RefusalCode,
    ShownReply,
    SubtaskStatus,
    TurnStatus,
    check_may_speak,
    closed_by_tester,
    is_retryable,
    next_subtask,
    no_admission,
    outcome,
    statuses_at_end,
    subtask_after_reply,
)

_lock_dialogue = Select(
    Dialogue,
    "{id} = %s",
    "id",
    only=(
        "id", "assignment", "tester", "status", "turns_used", "turn_cap", "subtask_index", "subtask_turns",
        "subtask_cap", "last_seq",
    ),
    locks=True,
)  # fmt: skip
_turn_by_id = Select(Turn, "{id} = %s", "id")
_same_key_or_last = Select(
    Turn,
    "{dialogue} = %s AND ({key} = %s OR {number} = %s)",
    "dialogue",
    "key",
    "number",
    only=("id", "dialogue", "number", "key", "text", "status", "seq"),
)
_insert_turn, _insert_attempt, _insert_event = Insert(Turn), Insert(Attempt), Insert(LedgerEvent)
_save_counts = Update(Dialogue, "last_seq", "turns_used", "subtask_turns")
_save_last_seq = Update(Dialogue, "last_seq")
_settle = Update(Turn, "status", "texts", "flags", "latency_ms", "settled_at", only_if=("status", "attempt_number"))

# What the team's log keeps of a failure's words and of the answer.
EVIDENCE_LIMIT = 2000

MESSAGE_OF_FAULT = {
    Fault.BOT: "The bot gave no usable answer.",
    Fault.PLATFORM: "Our side was interrupted before the bot's answer was stored.",
    Fault.TESTER: "The turn was cancelled.",
    Fault.NOBODY: "The turn was not answered.",
}

# These actions raise `Refusal` before they write anything, so inside a shared transaction they need no savepoint.
_joining = transaction.atomic(savepoint=False)


class Admission(Protocol):
    """What let somebody in; asked again inside the transaction of every change (log-out, role taken back)."""

    @property
    def person_id(self) -> int: ...

    def still_holds(self, assignment_id: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class TakenTurn:
    """A turn that is committed. `is_new` is False where the same key came before: nothing is to be asked again."""

    turn: Turn
    is_new: bool


# -- opening ------------------------------------------------------------------------------------------------------


@transaction.atomic
def open_dialogue(*, assignment: Assignment, at: datetime) -> Dialogue:
    """The open or closed dialogue that the assignment has, or a new one.

    Errors: `Refusal` (`forbidden`) when the tester has as many open dialogues as the campaign allows.
    """
    _hold_openings_of(assignment.tester_id)
    counted = Dialogue.objects.filter(assignment=assignment).exclude(status="void").first()
    if counted is not None:
        return counted
    campaign = assignment.campaign
    n_open = Dialogue.objects.of_campaign(campaign).of_tester(assignment.tester).open().count()
    if n_open >= campaign.open_dialogues_per_tester:
        raise Refusal(
            RefusalCode.FORBIDDEN,
            f"{n_open} dialogues are open already, {campaign.open_dialogues_per_tester} may be: end one first.",
        )
    subtasks = list(assignment.scenario.subtasks.all())
    dialogue = Dialogue.objects.create(
        assignment=assignment,
        tester=assignment.tester,
        turn_cap=campaign.turn_cap,
        subtask_cap=subtasks[0].turn_cap,
        opened_at=at,
    )
    DialogueSubtask.objects.bulk_create(
        DialogueSubtask(
            dialogue=dialogue,
            index=subtask.position,
            kind=subtask.kind,
            turn_cap=subtask.turn_cap,
            status=SubtaskStatus.OPEN if subtask.position == 1 else SubtaskStatus.PENDING,
        )
        for subtask in subtasks
    )
    if assignment.started_at is None:
        assignment.started_at = at
        assignment.save(update_fields=["started_at"])
    return dialogue


@transaction.atomic
def open_chosen_dialogue(
    *, campaign: Campaign, tester: Person, entry: Entry, scenario: Scenario, at: datetime
) -> Dialogue:
    """A new dialogue with a bot of the tester's own choice, where the campaign allows it; each is a repetition."""
    if not campaign.free_choice:
        raise Refusal(RefusalCode.FORBIDDEN, "This campaign works by assignment: open one of your assignments.")
    _hold_openings_of(tester.pk)
    own = Assignment.objects.filter(campaign=campaign, tester=tester)
    latest = own.filter(entry=entry, scenario=scenario).aggregate(latest=Max("repetition"))["latest"] or 0
    position = own.aggregate(latest=Max("position"))["latest"] or 0
    assignment = Assignment.objects.create(
        campaign=campaign,
        tester=tester,
        entry=entry,
        scenario=scenario,
        repetition=latest + 1,
        position=position + 1,
        is_drawn=False,
    )
    return open_dialogue(assignment=assignment, at=at)


@transaction.atomic
def resume_or_open_chosen_dialogue(
    *, campaign: Campaign, tester: Person, entry: Entry, scenario: Scenario, at: datetime
) -> Dialogue:
    """The tester's open dialogue of this choice in which nothing was said yet, or a new one: a double click opens one.

    Errors: `Refusal` (`forbidden`), as for `open_chosen_dialogue`.
    """
    _hold_openings_of(tester.pk)
    own = Dialogue.objects.of_campaign(campaign).of_tester(tester).open()
    chosen = own.filter(assignment__entry=entry, assignment__scenario=scenario, assignment__is_drawn=False)
    untouched = chosen.filter(turns_used=0).order_by("opened_at").first()
    return untouched or open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=at)


def _hold_openings_of(tester_id: int) -> None:
    """Lets one opening of a tester come after the other: what is counted after this holds until the commit.

    Comes before anything is read; what was read before may be older than what the opening ahead committed.
    """
    Person.objects.select_for_update(no_key=True).values_list("pk").get(pk=tester_id)


# -- turns --------------------------------------------------------------------------------------------------------


@_joining
def take_turn(*, dialogue_id: UUID, admission: Admission, key: str, text: str, at: datetime, owner: str) -> TakenTurn:
    """Stores the tester's utterance as the next turn, or gives the turn that the same key made before.

    Cap check and insert are one step: the insert carries the number, the constraints arbitrate.
    Errors: `Refusal` (`closed`, `turn_in_flight`, `cap_reached`, `key_conflict`, `forbidden`).
    """
    dialogue = _locked(dialogue_id, admission)
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
    _tell(dialogue, [accepted], at, save=_save_counts)
    return TakenTurn(turn, is_new=True)


def _same_turn_again(turn: Turn, text: str) -> TakenTurn:
    if turn.text != text:
        raise Refusal(RefusalCode.KEY_CONFLICT, "This key was used for another text: make a new key for a new turn.")
    return TakenTurn(turn, is_new=False)


@_joining
def retry_turn(*, dialogue_id: UUID, admission: Admission, number: int, at: datetime, owner: str) -> Turn:
    """Puts the last, failed turn back to waiting for one more attempt under the same number and key.

    Errors: `Refusal` (`closed`, `turn_in_flight`, `not_retryable`, `forbidden`).
    """
    dialogue = _locked(dialogue_id, admission)
    turn = dialogue.turns.filter(number=number).first()
    if not dialogue.is_open:
        raise Refusal(RefusalCode.CLOSED, "The dialogue is closed.")
    if turn is None or number != dialogue.turns_used or turn.status == TurnStatus.ANSWERED:
        raise Refusal(RefusalCode.NOT_RETRYABLE, "Only the last turn can be asked again, and only if it failed.")
    if turn.status == TurnStatus.WAITING:
        raise Refusal(RefusalCode.TURN_IN_FLIGHT, "The bot is being asked already.")
    if not _may_be_asked_again(turn):
        raise Refusal(RefusalCode.NOT_RETRYABLE, "The retries of this turn are used up.")
    turn.attempts.filter(is_current=True).update(is_current=False)
    turn.status = TurnStatus.WAITING
    turn.attempt_number += 1
    turn.owner = owner
    turn.save(update_fields=["status", "attempt_number", "owner"])
    _tell(dialogue, [TurnRetried(number)], at)
    return turn


@_joining
def record_reply(*, asked: Turn, reply: Reply, shown: ShownReply, at: datetime) -> bool:
    """Stores the bot's reply and closes the subtask at its cap; False if the attempt is no longer the current one.

    `asked` is the turn as it was when the bot was called. A late reply is kept as such, never shown (robustness §2).
    """
    (dialogue,) = _lock_dialogue(asked.dialogue_id)
    turn = copy(asked)
    turn.status = TurnStatus.ANSWERED
    turn.texts, turn.flags = list(shown.texts), list(shown.flags)
    turn.latency_ms, turn.settled_at = reply.latency_ms, at
    is_current = _settle(turn, status=TurnStatus.WAITING, attempt_number=asked.attempt_number)
    _insert_earlier(turn, reply.tries[:-1], Attempt.Outcome.RESENT if is_current else Attempt.Outcome.LATE)
    _insert_attempt(
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
        lines += _close_at_cap(dialogue, at)
    _tell(dialogue, lines, at)
    return True


@_joining
def record_failure(*, asked: Turn, failure: BotFailure, at: datetime) -> bool:
    """Stores a failed attempt with its fault; when the retries are used up, the subtask closes as failed.

    False if the attempt is no longer the current one; it is kept as late then, and changes nothing.
    """
    (dialogue,) = _lock_dialogue(asked.dialogue_id)
    (turn,) = _turn_by_id(asked.pk)
    if turn.status != TurnStatus.WAITING or turn.attempt_number != asked.attempt_number:
        _insert_failed(asked, failure, at, Attempt.Outcome.LATE)
        return False
    lines = _fail(turn, failure, at)
    if failure.fault is not Fault.PLATFORM and not _may_be_asked_again(turn):
        lines += _close_current(dialogue, SubtaskStatus.FAILED, "bot_failed", at)
    _tell(dialogue, lines, at)
    return True


def _fail(turn: Turn, failure: BotFailure, at: datetime) -> list[LedgerLine]:
    turn.status, turn.settled_at = TurnStatus.FAILED, at
    turn.save(update_fields=["status", "settled_at"])
    _insert_failed(turn, failure, at, Attempt.Outcome.FAILURE)
    may_retry = failure.kind is not FailureKind.CANCELLED and _may_be_asked_again(turn)
    return [TurnFailed(turn.number, failure.kind, failure.fault, may_retry, MESSAGE_OF_FAULT[failure.fault])]


@_joining
def record_requests(*, asked: Turn, tries: Sequence[Try]) -> None:
    """Keeps, as late, the requests of a call that was cancelled while the bot was asked again."""
    _lock_dialogue(asked.dialogue_id)
    _insert_earlier(asked, tries, Attempt.Outcome.LATE)


def _insert_failed(turn: Turn, failure: BotFailure, at: datetime, outcome: Attempt.Outcome) -> None:
    is_late = outcome is Attempt.Outcome.LATE
    _insert_earlier(turn, failure.tries[:-1], outcome if is_late else Attempt.Outcome.RESENT)
    _insert_attempt(
        turn_id=turn.pk,
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
        ended_at=at,
    )


def _insert_earlier(turn: Turn, tries: Sequence[Try], outcome: Attempt.Outcome) -> None:
    """Requests that were followed by another one of the same call; they cost nobody anything."""
    for superseded in tries:
        _insert_attempt(
            turn_id=turn.pk,
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
            ended_at=superseded.ended_at,
        )


def _costs_nobody(turn: Turn) -> bool:
    """Whether the failed turn stopped at something that is not the bot's fault and within the limit of such failures."""
    stopped_at = turn.attempts.filter(is_current=True)
    if stopped_at.filter(fault=Fault.NOBODY).exists():
        return _may_be_asked_again(turn)
    return stopped_at.filter(fault=Fault.PLATFORM).exists()


def _may_be_asked_again(turn: Turn) -> bool:
    failed = turn.attempts.filter(outcome=Attempt.Outcome.FAILURE)
    return is_retryable(failed.filter(fault=Fault.BOT).count(), failed.filter(fault=Fault.NOBODY).count())


# -- closing ------------------------------------------------------------------------------------------------------


@_joining
def close_subtask(*, dialogue_id: UUID, admission: Admission, index: int, is_finished: bool, at: datetime) -> Dialogue:
    """Closes the current subtask as the tester says; the next begins, or the dialogue ends.

    Errors: `Refusal` (`closed`, `turn_in_flight`, `not_current`, `forbidden`).
    """
    dialogue = _locked(dialogue_id, admission)
    if not dialogue.is_open:
        raise Refusal(RefusalCode.CLOSED, "The dialogue is closed.")
    if index != dialogue.subtask_index:
        raise Refusal(RefusalCode.NOT_CURRENT, f"Subtask {dialogue.subtask_index} is the current one.")
    if dialogue.turns.filter(status=TurnStatus.WAITING).exists():
        raise Refusal(RefusalCode.TURN_IN_FLIGHT, "Wait for the bot's answer, or end the dialogue.")
    reason = EndReason.DONE if is_finished else EndReason.GAVE_UP
    _tell(dialogue, _close_current(dialogue, closed_by_tester(is_finished), reason, at), at)
    return dialogue


@_joining
def end_dialogue(*, dialogue_id: UUID, admission: Admission, reason: EndReason, at: datetime) -> Dialogue:
    """Ends the dialogue at once; a turn in flight is cancelled. Errors: `Refusal` (`closed`, `forbidden`)."""
    dialogue = _locked(dialogue_id, admission)
    if not dialogue.is_open:
        raise Refusal(RefusalCode.CLOSED, "The dialogue is closed.")
    lines: list[LedgerLine] = []
    waiting = dialogue.turns.filter(status=TurnStatus.WAITING).first()
    if waiting is not None:
        lines += _fail(waiting, BotFailure(FailureKind.CANCELLED, "The tester ended the dialogue."), at)
    subtasks = list(dialogue.subtasks.all())
    has_reply = dialogue.turns.filter(subtask=dialogue.subtask_index, status=TurnStatus.ANSWERED).exists()
    ended = statuses_at_end([subtask.status for subtask in subtasks], reason, has_reply)
    for subtask, status in zip(subtasks, ended, strict=True):
        if subtask.status != status:
            lines.append(_close_row(dialogue, subtask, status))
    lines.append(_close_dialogue(dialogue, ended, reason, at))
    _tell(dialogue, lines, at)
    return dialogue


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
            _tell(dialogue, _fail(turn, failure, at), at)
            n_recovered += 1
    return n_recovered


def _close_at_cap(dialogue: Dialogue, at: datetime) -> list[LedgerLine]:
    """At a subtask's cap that subtask closes; at the dialogue's cap everything that is open does."""
    if dialogue.turn_cap is None:
        return _close_current(dialogue, SubtaskStatus.CAP_REACHED, "cap_reached", at)
    lines: list[LedgerLine] = []
    statuses: list[str] = []
    for subtask in dialogue.subtasks.all():
        if subtask.status in {SubtaskStatus.OPEN, SubtaskStatus.PENDING}:
            lines.append(_close_row(dialogue, subtask, SubtaskStatus.CAP_REACHED))
        statuses.append(subtask.status)
    return [*lines, _close_dialogue(dialogue, statuses, "cap_reached", at)]


def _close_current(dialogue: Dialogue, status: SubtaskStatus, reason: str, at: datetime) -> list[LedgerLine]:
    """Closes the current subtask and moves to the next, or closes the dialogue when none is left."""
    subtasks = list(dialogue.subtasks.all())
    current = subtasks[dialogue.subtask_index - 1]
    lines: list[LedgerLine] = [_close_row(dialogue, current, status)]
    statuses = [subtask.status for subtask in subtasks]
    following = next_subtask(statuses)
    if following is None:
        return [*lines, _close_dialogue(dialogue, statuses, reason, at)]
    upcoming = subtasks[following - 1]
    upcoming.status = SubtaskStatus.OPEN
    upcoming.save(update_fields=["status"])
    dialogue.subtask_index, dialogue.subtask_turns, dialogue.subtask_cap = following, 0, upcoming.turn_cap
    dialogue.save(update_fields=["subtask_index", "subtask_turns", "subtask_cap"])
    return lines


def _close_row(dialogue: Dialogue, subtask: DialogueSubtask, status: SubtaskStatus) -> SubtaskClosed:
    subtask.status = status
    if subtask.index == dialogue.subtask_index:
        subtask.turns_used = dialogue.subtask_turns
    subtask.save(update_fields=["status", "turns_used"])
    return SubtaskClosed(subtask.index, status)


def _close_dialogue(dialogue: Dialogue, statuses: Sequence[str], reason: str, at: datetime) -> DialogueClosed:
    last = dialogue.turns.filter(number=dialogue.turns_used).first()
    is_broken = last is not None and last.status == TurnStatus.FAILED and _costs_nobody(last)
    dialogue.status = outcome(statuses, is_broken_by_platform=is_broken)
    dialogue.reason, dialogue.closed_at = reason, at
    dialogue.save(update_fields=["status", "reason", "closed_at"])
    return DialogueClosed(dialogue.status, reason)


# -- shared steps -------------------------------------------------------------------------------------------------


def _locked(dialogue_id: UUID, admission: Admission) -> Dialogue:
    """The dialogue, held against other writers, for the tester it belongs to and while their admission holds."""
    found = _lock_dialogue(dialogue_id)
    if not found:
        raise Dialogue.DoesNotExist
    (dialogue,) = found
    if not (dialogue.tester_id == admission.person_id and admission.still_holds(dialogue.assignment_id)):
        raise no_admission()
    return dialogue


def _tell(
    dialogue: Dialogue, lines: Sequence[LedgerLine], at: datetime, save: Update[Dialogue] = _save_last_seq
) -> None:
    """Writes the lines into the ledger under the next numbers, and tells the sockets once they are committed."""
    told: list[tuple[int, str]] = []
    for line in lines:
        dialogue.last_seq += 1
        frame = line.frame(dialogue.last_seq)
        fault = line.fault if isinstance(line, TurnFailed) else ""
        _insert_event(dialogue_id=dialogue.pk, seq=dialogue.last_seq, kind=line.kind, frame=frame, fault=fault, at=at)
        told.append((dialogue.last_seq, frame))
    save(dialogue)
    dialogue_id = dialogue.pk
    transaction.on_commit(lambda: announce(dialogue_id, told), robust=True)
