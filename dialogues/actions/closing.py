"""Closes subtasks and dialogues: by the tester, at a cap, or because the bot failed; ticks the scenario's items."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_noop

from dialogues.actions.attempts import costs_nobody, fail
from dialogues.actions.ledger import (
    Admission,
    Outcome,
    WaitingTurn,
    admitted,
    held,
    refuse_unless_open,
    write,
)
from dialogues.events import DialogueClosed, LedgerLine, SubtaskClosed
from dialogues.models import Dialogue, DialogueSubtask, Turn
from dialogues.turn_taking import (
    ALL_USED,
    ENDED_EARLY,
    OPENING,
    REVIEWABLE,
    TIME_OVER,
    DialogueStatus,
    EndReason,
    Refusal,
    RefusalCode,
    SubtaskStatus,
    TurnStatus,
    check_may_finish,
    closed_by_tester,
    is_closed,
    is_too_early,
    next_subtask,
    outcome,
    statuses_at_end,
)
from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind
from reading.checking import BadForm
from reading.findings import Finding, sentence
from serving.commits.shared_transaction import joining


@joining
def close_subtask(*, dialogue_id: UUID, admission: Admission, index: int, is_finished: bool, at: datetime) -> Outcome:
    """Closes the current subtask as the tester says; the next begins, or the dialogue ends.

    Errors: `Refusal` (`closed`, `turn_in_flight`, `not_current`, `forbidden`, `not_now`, `not_all_used`).
    """
    dialogue = admitted(dialogue_id, admission)
    refuse_unless_open(dialogue.assignment.campaign, dialogue.going_on(at), at)
    if not dialogue.is_open:
        raise is_closed()
    if index != dialogue.subtask_index:
        text = gettext_noop("Subtask %(n)d is the current one.")
        raise Refusal(RefusalCode.NOT_CURRENT, text, n=dialogue.subtask_index)
    if dialogue.turns.filter(status=TurnStatus.WAITING).exists():
        text = gettext_noop("Wait for the system's answer, or end the dialogue.")
        raise Refusal(RefusalCode.TURN_IN_FLIGHT, text)
    if is_finished and not dialogue.subtasks.filter(status=SubtaskStatus.PENDING).exists():
        _check_may_finish(dialogue)
    reason = EndReason.DONE if is_finished else EndReason.GAVE_UP
    lines = close_current(dialogue, closed_by_tester(is_finished), reason, at)
    return Outcome(told=[write(dialogue, lines, at)])


@joining
def end_dialogue(*, dialogue_id: UUID, admission: Admission, reason: EndReason, at: datetime) -> Outcome:
    """Ends the dialogue at once; a turn in flight is cancelled.

    Errors: `Refusal` (`closed`, `forbidden`, `not_now`, `not_all_used`).
    """
    dialogue = admitted(dialogue_id, admission)
    refuse_unless_open(dialogue.assignment.campaign, dialogue.going_on(at), at)
    if not dialogue.is_open:
        raise is_closed()
    if reason is EndReason.DONE:
        _check_may_finish(dialogue)
    lines, first_seq = cancel_waiting(dialogue, sentences.ENDED_BY_TESTER, at)
    lines += close_what_is_open(dialogue, reason)
    lines.append(close_dialogue(dialogue, outcome_of(dialogue), reason, at))
    return Outcome(told=[write(dialogue, lines, at, first_seq=first_seq)], stopped=dialogue.pk)


def _check_may_finish(dialogue: Dialogue) -> None:
    check_may_finish(is_early=_is_too_early(dialogue), n_items=len(dialogue.assignment.scenario.items))


def is_given_up_early(dialogue: Dialogue, reason: str) -> bool:
    """Whether a dialogue that ends for this reason was given up too early to count."""
    return reason == EndReason.GAVE_UP and _is_too_early(dialogue)


def _is_too_early(dialogue: Dialogue) -> bool:
    tester_may_end = dialogue.assignment.campaign.tester_may_end
    return is_too_early(tester_may_end, has_used_all=dialogue.has_used_all_items(), budget=dialogue.budget())


@joining
def abandon_dialogue(*, dialogue_id: UUID, at: datetime) -> Outcome:
    """Closes the dialogue if nothing was said in it for as long as its campaign waits; else nothing happens.

    A turn in flight is not silence: it is answered, or failed within its deadline, and silence counts from then on.
    """
    dialogue = held(dialogue_id)
    limit = timedelta(minutes=dialogue.assignment.campaign.silence_limit_min)
    # Checked again under the lock: a turn may have come since the dialogue was found silent.
    if not Dialogue.everything.silent(limit, at).filter(pk=dialogue_id).exists():
        return Outcome()
    lines = close_what_is_open(dialogue, EndReason.GAVE_UP)
    lines.append(close_dialogue(dialogue, DialogueStatus.ABANDONED, "silence", at))
    return Outcome(told=[write(dialogue, lines, at)])


@joining
def close_overdue_dialogue(*, dialogue_id: UUID, at: datetime) -> Outcome:
    """Closes the dialogue as abandoned once its campaign's time to finish is over; else nothing happens.

    It counts nowhere: a tester who came too late costs no bot. A turn in flight is waited for.
    """
    dialogue = held(dialogue_id)
    # Checked again under the lock: the calendar may have been extended since the dialogue was found overdue.
    if not Dialogue.everything.overdue(at).filter(pk=dialogue_id).exists():
        return Outcome()
    lines = close_what_is_open(dialogue, EndReason.GAVE_UP)
    lines.append(close_dialogue(dialogue, DialogueStatus.ABANDONED, TIME_OVER, at))
    return Outcome(told=[write(dialogue, lines, at)])


def cancel_waiting(dialogue: Dialogue, why: str, at: datetime) -> tuple[list[LedgerLine], int | None]:
    """Fails the turn in flight as cancelled, if there is one; its line, and the number that it has reserved for it."""
    waiting = dialogue.turns.filter(status=TurnStatus.WAITING).first()
    if waiting is None:
        return [], None
    failed = fail(WaitingTurn.of(waiting), BotFailure(FailureKind.CANCELLED, sentence(why)), at)
    return ([failed], waiting.outcome_seq) if failed else ([], None)


def close_at_cap(dialogue: Dialogue, at: datetime) -> list[LedgerLine]:
    """At a subtask's cap that subtask closes; at the dialogue's cap everything that is open does."""
    if dialogue.turn_cap is None:
        return close_current(dialogue, SubtaskStatus.CAP_REACHED, "cap_reached", at)
    lines: list[LedgerLine] = [
        _close_row(dialogue, subtask, SubtaskStatus.CAP_REACHED)
        for subtask in dialogue.subtasks.all()
        if subtask.status in {SubtaskStatus.OPEN, SubtaskStatus.PENDING}
    ]
    return [*lines, close_dialogue(dialogue, outcome_of(dialogue), "cap_reached", at)]


def close_for_bot(dialogue: Dialogue, at: datetime) -> list[LedgerLine]:
    """Ends the dialogue because its bot says so: to the ledger what was being done is done, what comes after it is not."""
    lines = close_what_is_open(dialogue, EndReason.DONE)
    return [*lines, close_dialogue(dialogue, outcome_of(dialogue), "bot_ended", at)]


def close_current(dialogue: Dialogue, status: SubtaskStatus, reason: str, at: datetime) -> list[LedgerLine]:
    """Closes the current subtask and moves to the next, or closes the dialogue when none is left."""
    subtasks = list(dialogue.subtasks.all())
    current = subtasks[dialogue.subtask_index - 1]
    lines: list[LedgerLine] = [_close_row(dialogue, current, status)]
    statuses = [subtask.status for subtask in subtasks]
    following = next_subtask(statuses)
    if following is None:
        return [*lines, close_dialogue(dialogue, outcome_of(dialogue), reason, at)]
    upcoming = subtasks[following - 1]
    upcoming.status = SubtaskStatus.OPEN
    upcoming.save(update_fields=["status"])
    dialogue.subtask_index, dialogue.subtask_turns, dialogue.subtask_cap = following, 0, upcoming.turn_cap
    dialogue.save(update_fields=["subtask_index", "subtask_turns", "subtask_cap"])
    return lines


def close_what_is_open(dialogue: Dialogue, reason: EndReason) -> list[LedgerLine]:
    """Closes every subtask that is not closed yet, as the reason says."""
    subtasks = list(dialogue.subtasks.all())
    answered = dialogue.turns.filter(subtask=dialogue.subtask_index, status=TurnStatus.ANSWERED)
    has_reply = answered.exclude(number=OPENING).exists()
    ended = statuses_at_end([subtask.status for subtask in subtasks], reason, has_reply)
    return [
        _close_row(dialogue, subtask, status)
        for subtask, status in zip(subtasks, ended, strict=True)
        if subtask.status != status
    ]


def _close_row(dialogue: Dialogue, subtask: DialogueSubtask, status: SubtaskStatus) -> SubtaskClosed:
    subtask.status = status
    if subtask.index == dialogue.subtask_index:
        subtask.turns_used = dialogue.subtask_turns
    subtask.save(update_fields=["status", "turns_used"])
    return SubtaskClosed(subtask.index, status)


def outcome_of(dialogue: Dialogue) -> DialogueStatus:
    """What the dialogue comes to, now that its subtasks are closed."""
    statuses = dict(dialogue.subtasks.values_list("index", "status"))
    failed = [index for index, status in statuses.items() if status == SubtaskStatus.FAILED]
    is_broken = any(turn.status == TurnStatus.FAILED and costs_nobody(turn) for turn in _ended_on(dialogue, failed))
    return outcome(statuses.values(), is_broken_by_platform=is_broken)


def _ended_on(dialogue: Dialogue, failed_subtasks: Sequence[int]) -> QuerySet[Turn]:
    """The turns that the dialogue, and its subtasks that closed as failed, ended on.

    Such a subtask can have been broken by the platform, too: an organizer may have rebooked its last failure.
    """
    last = Q(number=dialogue.turns_used)
    if failed_subtasks:
        of_each = dialogue.turns.filter(subtask__in=failed_subtasks).order_by().values("subtask")
        last |= Q(number__in=of_each.annotate(last=Max("number")).values("last"))
    return dialogue.turns.filter(last)


def close_dialogue(
    dialogue: Dialogue, status: DialogueStatus, reason: str, at: datetime, because: str | None = None
) -> DialogueClosed:
    if reason == EndReason.DONE and dialogue.has_used_all_items():
        # The second way to be done: everything that the tester was given is used.
        reason = ALL_USED
    elif status in REVIEWABLE and is_given_up_early(dialogue, reason):
        status, reason = DialogueStatus.ABANDONED, ENDED_EARLY
    dialogue.status, dialogue.reason, dialogue.closed_at = status, reason, at
    dialogue.save(update_fields=["status", "reason", "closed_at"])
    _store_answered_turns(dialogue)
    return DialogueClosed(dialogue.status, reason, because)


def _store_answered_turns(dialogue: Dialogue) -> None:
    """Stores how many turns of each subtask were answered, so that leaderboards need not count them again.

    Comes last: while the dialogue is open, a failed turn of a closed subtask may still be asked again and answered.
    """
    of_subtask = Turn.objects.filter(dialogue=OuterRef("dialogue"), subtask=OuterRef("index"), number__gt=OPENING)
    answered = of_subtask.filter(status=TurnStatus.ANSWERED).order_by().values("subtask")
    n_answered = Subquery(answered.annotate(n=Count("pk")).values("n"))
    dialogue.subtasks.update(answered_turns=Coalesce(n_answered, 0))


@transaction.atomic
def tick_items(*, dialogue: Dialogue, ticked: Collection[int], at: datetime) -> Dialogue:
    """Stores which items are used, as a whole; places count from 0.

    Errors: `Refusal` (`closed`, `not_now`), `BadForm` for a place where the scenario has no item.
    """
    # The reasons of endings depend on the ticks: none may be set while the dialogue is being closed.
    now = held(dialogue.pk)
    if not now.is_open:
        raise is_closed()
    refuse_unless_open(now.assignment.campaign, now.going_on(at), at)
    n_items = len(now.assignment.scenario.items)
    for place in ticked:
        if place >= n_items:
            raise BadForm([Finding("ticked", gettext_noop("The scenario has no item %(n)d."), {"n": place})])
    now.ticked = sorted(set(ticked))
    now.save(update_fields=["ticked"])
    return now
