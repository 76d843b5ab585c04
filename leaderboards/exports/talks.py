"""What was said: every turn, dialogue, request to a bot, and line of the ledger."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any
from uuid import UUID

from django.db.models import TextField
from django.db.models.functions import Cast

from campaigns.models import Campaign
from leaderboards.column_kinds import FLAG, TEXT, TEXTS, TIME, WHOLE, Columns, ListOf, Table
from leaderboards.exports.parts import Row, Rows, grouped, iso, parts, places_of
from testing_console.events import ReplyDone, TurnAccepted
from testing_console.models import Attempt, DialogueSubtask, LedgerEvent, Turn
from testing_console.queries import all_attempts, lines_of
from testing_console.turn_policy import TurnPolicy, turn_policy_of

TURN: Columns = {
    "turn": WHOLE, "subtask": WHOLE, "key": TEXT, "status": TEXT, "text": TEXT, "reply": TEXTS, "flags": TEXTS,
    "attempts": WHOLE, "latency_ms": WHOLE, "asked_at": TIME, "settled_at": TIME,
}  # fmt: skip
# Texts as the database has them: to make Django's values of a million rows takes longer than to read them.
STORED_TURN = (
    Cast("dialogue_id", TextField()), "number", "subtask", "key", "status", "text", Cast("texts", TextField()),
    Cast("flags", TextField()), "attempt_number", "latency_ms", Cast("asked_at", TextField()),
    Cast("settled_at", TextField()),
)  # fmt: skip


def turns(campaign: Campaign) -> Rows:
    for dialogues in parts(campaign):
        places = places_of(dialogues)
        wanted = Turn.objects.filter(dialogue__in=list(places)).order_by("dialogue_id", "number")
        of_dialogue = {
            UUID(dialogue): list(rows) for dialogue, rows in groupby(wanted.values_list(*STORED_TURN), itemgetter(0))
        }
        for pk, place in places.items():
            for row in of_dialogue.get(pk, ()):
                yield place + _turn(*row)


def _turn(
    dialogue: str, number: int, subtask: int, key: str, status: str, text: str, texts: str, flags: str,
    attempts: int, latency_ms: int | None, asked_at: str, settled_at: str | None,
) -> Row:  # fmt: skip
    noticed = [] if flags == "[]" else _list(flags)
    when = _time(asked_at), None if settled_at is None else _time(settled_at)
    return (number, subtask, key, status, text, _list(texts), noticed, attempts, latency_ms, *when)


SUBTASK = Table({"kind": TEXT, "status": TEXT, "turns": WHOLE, "cap": WHOLE})
DIALOGUE: Columns = {
    "status": TEXT, "reason": TEXT, "turns_used": WHOLE, "subtasks": ListOf(SUBTASK), "opened_at": TIME, "closed_at": TIME,
    "origin": TEXT, "external_id": TEXT, "turn_cap": WHOLE,
}  # fmt: skip


def dialogues(campaign: Campaign) -> Rows:
    """Turns and caps are counted as the campaign does."""
    policy = turn_policy_of(campaign)
    for part in parts(campaign):
        places = places_of(part)
        for dialogue in part.prefetch_related("subtasks"):
            subtasks = [_subtask(row, policy) for row in dialogue.subtasks.all()]
            state = (dialogue.status, dialogue.reason, policy.turns(dialogue.turns_used), subtasks)
            # A dialogue that was opened since its part was begun is left out.
            if dialogue.pk in places:
                when = (iso(dialogue.opened_at), iso(dialogue.closed_at))
                cap = None if dialogue.turn_cap is None else policy.turns(dialogue.turn_cap)
                yield (*places[dialogue.pk], *state, *when, dialogue.origin, dialogue.external_id, cap)


def _subtask(row: DialogueSubtask, policy: TurnPolicy) -> dict[str, Any]:
    used, cap = policy.turns_of_part(row.index, row.turns_used, row.turn_cap)
    return {"kind": row.kind, "status": row.status, "turns": used, "cap": cap}


ATTEMPT: Columns = {
    "turn": WHOLE, "attempt": WHOLE, "request": WHOLE, "outcome": TEXT, "has_left": FLAG, "status": WHOLE,
    "is_current": FLAG, "kind": TEXT, "fault": TEXT, "detail": TEXT, "evidence": TEXT, "reply": TEXTS, "latency_ms": WHOLE,
    "ended_at": TIME,
}  # fmt: skip


def attempts(campaign: Campaign) -> Rows:
    """Every request that left for a bot, or could not leave; `reply` is the original, unmasked, in full length."""
    for part in parts(campaign):
        places = places_of(part)
        stored = Attempt.objects.filter(turn__dialogue__in=list(places)).order_by("number", "request", "pk")
        of_turn = grouped(stored, attrgetter("turn_id"))
        for place, turn in _turns(places):
            for attempt in all_attempts(turn, of_turn.get(turn.pk, [])):
                yield (*place, turn.number, *_attempt(attempt))


def _turns(places: dict[UUID, Row]) -> Iterator[tuple[Row, Turn]]:
    found = Turn.objects.filter(dialogue__in=list(places)).order_by("number")
    of_dialogue = grouped(found, attrgetter("dialogue_id"))
    for pk, place in places.items():
        for turn in of_dialogue.get(pk, ()):
            yield place, turn


def _attempt(attempt: Attempt) -> Row:
    sent = (attempt.number, attempt.request, str(attempt.outcome), attempt.has_left, attempt.status, attempt.is_current)
    failed = (attempt.kind, attempt.fault, attempt.detail, attempt.evidence)
    return (*sent, *failed, attempt.texts, attempt.latency_ms, iso(attempt.ended_at))


# Every field of every line (`testing_console/events.py`).
FRAME = Table(
    {
        "type": TEXT, "seq": WHOLE, "turn": WHOLE, "key": TEXT, "text": TEXT, "subtask": WHOLE, "turns_used": WHOLE,
        "texts": TEXTS, "latency_ms": WHOLE, "flags": TEXTS, "kind": TEXT, "fault": TEXT, "retryable": FLAG,
        "retries_left": WHOLE, "message": TEXT, "status": TEXT, "reason": TEXT, "because": TEXT,
    }
)  # fmt: skip
LEDGER: Columns = {"seq": WHOLE, "kind": TEXT, "fault": TEXT, "at": TIME, "frame": FRAME}


def ledger(campaign: Campaign) -> Rows:
    """Every line of each dialogue's record; `frame` is what its sockets were sent."""
    for part in parts(campaign):
        places = places_of(part)
        lines = grouped(_lines(places), itemgetter(0))
        for pk, place in places.items():
            for _, *line, frame in sorted(lines.get(pk, ()), key=itemgetter(1)):
                yield (*place, *line, json.loads(frame))


def _lines(places: dict[UUID, Row]) -> Rows:
    """Dialogue, number, kind, fault, time and frame of each line, the derived ones first."""
    for _, turn in _turns(places):
        for (seq, frame), (kind, at) in zip(lines_of(turn), _derived(turn), strict=False):
            yield turn.dialogue_id, seq, kind, "", iso(at), frame
    noted = LedgerEvent.objects.filter(dialogue__in=list(places))
    for pk, seq, kind, fault, at, frame in noted.values_list("dialogue_id", "seq", "kind", "fault", "at", "frame"):
        yield pk, seq, kind, fault, iso(at), frame


def _derived(turn: Turn) -> tuple[tuple[str, datetime | None], ...]:
    return (TurnAccepted.kind, turn.asked_at), (ReplyDone.kind, turn.settled_at)


# What the database stores is JSON without spaces around it, so the looks for those are left out.
_decode = json.JSONDecoder().raw_decode


def _list(stored: str) -> Any:
    return _decode(stored)[0]


def _time(stored: str) -> str:
    """A time that the database gave as text, in UTC; SQLite stores it so, without the zone."""
    if "+" not in stored:
        return f"{stored.replace(' ', 'T')}+00:00"
    return datetime.fromisoformat(stored).astimezone(UTC).isoformat()
