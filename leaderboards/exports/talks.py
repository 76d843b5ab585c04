"""What was said: every turn, dialogue, request to a bot, and line of the ledger."""

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import chain, repeat
from operator import attrgetter, itemgetter
from typing import Any
from uuid import UUID

from campaigns.models import Campaign
from leaderboards.column_kinds import FLAG, TEXT, TEXTS, TIME, WHOLE, Columns, ListOf, Table
from leaderboards.export_files import Block, rows_of
from leaderboards.exports.parts import PLACE, Row, Rows, grouped, iso, parts, places_of
from leaderboards.exports.turn_columns import turn_columns
from participants.adapters.hiding import without_secret
from participants.failures import wire_of
from testing_console.events import ReplyDone, TurnAccepted
from testing_console.models import Attempt, DialogueSubtask, LedgerEvent, Turn
from testing_console.queries import all_attempts, lines_of
from testing_console.turn_policy import TurnPolicy, turn_policy_of

TURN: Columns = {
    "turn": WHOLE, "subtask": WHOLE, "key": TEXT, "status": TEXT, "text": TEXT, "reply": TEXTS, "flags": TEXTS,
    "attempts": WHOLE, "latency_ms": WHOLE, "asked_at": TIME, "settled_at": TIME,
}  # fmt: skip


def turns(campaign: Campaign) -> Rows:
    return rows_of(turn_blocks(campaign))


def turn_blocks(campaign: Campaign) -> Iterator[Block]:
    """The turns of each part, column by column."""
    for dialogues in parts(campaign):
        places = places_of(dialogues)
        counts, columns = turn_columns(list(places))
        if columns:
            of_each = chain.from_iterable(map(repeat, places.values(), counts))
            yield [*zip(*of_each, strict=True), *columns]


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
    "ended_at": TIME, "request_id": TEXT, "request_bytes": WHOLE, "response_bytes": WHOLE, "connect_ms": WHOLE,
    "first_byte_ms": WHOLE, "last_byte_ms": WHOLE, "waited_ms": WHOLE,
}  # fmt: skip
BOT = list(PLACE).index("bot")


def attempts(campaign: Campaign) -> Rows:
    """Every request that left for a bot, or could not leave; `reply` is the original, unmasked, in full length.

    But for the bot's secret, which some servers repeat: whoever reads exports need not be who knows it. What testers saw is not changed.
    """
    for part in parts(campaign):
        places = places_of(part)
        # After the places: a bot may be entered and talked to while the file is sent.
        secrets = {entry.key: entry.secret_to_hide for entry in campaign.entries.all()}
        # Turns first: the requests of a turn that is settled by then are stored, too.
        turns = list(_turns(places))
        stored = Attempt.objects.filter(turn__dialogue__in=list(places)).order_by("number", "request", "pk")
        of_turn = grouped(stored, attrgetter("turn_id"))
        for place, turn in turns:
            for attempt in all_attempts(turn, of_turn.get(turn.pk, [])):
                yield (*place, turn.number, *_attempt(attempt, secrets[place[BOT]] if attempt.pk else ""))


def _turns(places: dict[UUID, Row]) -> Iterator[tuple[Row, Turn]]:
    found = Turn.objects.filter(dialogue__in=list(places)).order_by("number")
    of_dialogue = grouped(found, attrgetter("dialogue_id"))
    for pk, place in places.items():
        for turn in of_dialogue.get(pk, ()):
            yield place, turn


def _attempt(attempt: Attempt, secret: str) -> Row:
    sent = (attempt.number, attempt.request, str(attempt.outcome), attempt.has_left, attempt.status, attempt.is_current)
    detail, evidence, *texts = (
        without_secret(said, secret) for said in (attempt.detail, attempt.evidence, *attempt.texts)
    )
    failed = (attempt.kind, attempt.fault, detail, evidence)
    return (*sent, *failed, texts, attempt.latency_ms, iso(attempt.ended_at), *wire_of(attempt.wire))


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
            for number, (_, seq, *line, frame) in enumerate(sorted(lines.get(pk, ()), key=itemgetter(1)), start=1):
                if seq != number:
                    # Said while this was read: the record ends where it was whole.
                    break
                yield (*place, seq, *line, json.loads(frame))


def _lines(places: dict[UUID, Row]) -> Rows:
    """Dialogue, number, kind, fault, time and frame of each line.

    Failures and closings are read first: the turns that they are about are stored by then, and are read after them.
    """
    noted = LedgerEvent.objects.filter(dialogue__in=list(places))
    for pk, seq, kind, fault, at, frame in noted.values_list("dialogue_id", "seq", "kind", "fault", "at", "frame"):
        yield pk, seq, kind, fault, iso(at), frame
    for _, turn in _turns(places):
        for (seq, frame), (kind, told_at) in zip(lines_of(turn), _derived(turn), strict=False):
            yield turn.dialogue_id, seq, kind, "", iso(told_at), frame


def _derived(turn: Turn) -> tuple[tuple[str, datetime | None], ...]:
    return (TurnAccepted.kind, turn.asked_at), (ReplyDone.kind, turn.settled_at)
