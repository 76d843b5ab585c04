"""What was said: every turn, dialogue, and line of the ledger."""

from collections.abc import Iterable, Iterator
from itertools import chain
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from dialogues.events import ReplyDone, TurnAccepted
from dialogues.models import DialogueQuerySet
from dialogues.turn_policy import TurnPolicy, turn_policy_of
from dialogues.turn_taking import TurnStatus
from leaderboards.exports.parts import PLACE, Export, Row, Rows, parts, parts_of_programs, placed, places_of
from leaderboards.records import PERSON
from leaderboards.stored_columns import Stored, columns_of, rows_of
from leaderboards.table_files.column_kinds import FLAG, TEXT, TEXTS, TIME, WHOLE, Columns, ListOf, Table
from leaderboards.table_files.text_files import Block

TURN: Columns = {
    "turn": WHOLE, "subtask": WHOLE, "key": TEXT, "status": TEXT, "text": TEXT, "reply": TEXTS, "flags": TEXTS,
    "attempts": WHOLE, "latency_ms": WHOLE, "asked_at": TIME, "settled_at": TIME,
}  # fmt: skip
STORED_TURNS = Stored(
    "dialogues_turn turn",
    dialogue="turn.dialogue_id",
    in_order_of="turn.number",
    columns={
        "turn.number": "plain", "turn.subtask": "plain", "turn.key": "plain", "turn.status": "plain",
        "turn.text": "plain", "turn.texts": "json", "turn.flags": "json", "turn.attempt_number": "plain",
        "turn.latency_ms": "plain", "turn.asked_at": "time", "turn.settled_at": "time",
    },
)  # fmt: skip


def turn_blocks(of_campaign: Iterable[DialogueQuerySet]) -> Iterator[Block]:
    """The turns of each part, column by column."""
    for dialogues in of_campaign:
        places = places_of(dialogues)
        yield from placed(places, *columns_of(STORED_TURNS, list(places)))


TURNS = Export("turns", _("Every turn"), {**PLACE, **TURN}, blocks=lambda campaign: turn_blocks(parts(campaign)))
PROGRAM_TURNS = Export(
    "program-turns",
    _("Every turn of programs"),
    {**PLACE, **TURN},
    blocks=lambda campaign: turn_blocks(parts_of_programs(campaign)),
)


SUBTASK = Table({"kind": TEXT, "status": TEXT, "turns": WHOLE, "cap": WHOLE})
DIALOGUE: Columns = {
    "status": TEXT, "reason": TEXT, "turns_used": WHOLE, "subtasks": ListOf(SUBTASK), "opened_at": TIME, "closed_at": TIME,
    "origin": TEXT, "external_id": TEXT, "turn_cap": WHOLE, "tester_kind": TEXT,
}  # fmt: skip
STORED_DIALOGUES = Stored(
    f"dialogues_dialogue dialogue JOIN {PERSON} person ON person.id = dialogue.tester_id",
    dialogue="dialogue.id",
    in_order_of="dialogue.id",
    columns={
        "dialogue.status": "plain", "dialogue.reason": "plain", "dialogue.turns_used": "plain",
        "dialogue.opened_at": "time", "dialogue.closed_at": "time", "dialogue.origin": "plain",
        "dialogue.external_id": "plain", "dialogue.turn_cap": "plain", "person.kind": "plain",
    },
)  # fmt: skip
STORED_SUBTASKS = Stored(
    "dialogues_dialoguesubtask subtask",
    dialogue="subtask.dialogue_id",
    in_order_of='subtask."index"',
    columns={
        'subtask."index"': "plain", "subtask.kind": "plain", "subtask.status": "plain", "subtask.turns_used": "plain",
        "subtask.turn_cap": "plain",
    },
)  # fmt: skip


def dialogues(campaign: Campaign, of_campaign: Iterable[DialogueQuerySet]) -> Rows:
    """Turns and caps are counted as the campaign does."""
    policy = turn_policy_of(campaign)
    for part in of_campaign:
        places = places_of(part)
        read = zip(rows_of(STORED_DIALOGUES, list(places)), rows_of(STORED_SUBTASKS, list(places)), strict=True)
        for place, (rows, subtasks) in zip(places.values(), read, strict=True):
            for status, reason, turns_used, *when_and_where, turn_cap, kind in rows:
                cap = None if turn_cap is None else policy.turns(turn_cap)
                told = [_subtask(policy, *subtask) for subtask in subtasks]
                opened_at, closed_at, origin, external_id = when_and_where
                yield (
                    *place, status, reason, policy.turns(turns_used), told, opened_at, closed_at, origin, external_id, cap, kind,
                )  # fmt: skip


def _subtask(
    policy: TurnPolicy, index: int, kind: str, status: str, turns_used: int, turn_cap: int | None
) -> dict[str, Any]:
    used, cap = policy.turns_of_part(index, turns_used, turn_cap)
    return {"kind": kind, "status": status, "turns": used, "cap": cap}


DIALOGUES = Export(
    "dialogues", _("Dialogues"), {**PLACE, **DIALOGUE}, rows=lambda campaign: dialogues(campaign, parts(campaign))
)
PROGRAM_DIALOGUES = Export(
    "program-dialogues",
    _("Dialogues of programs"),
    {**PLACE, **DIALOGUE},
    rows=lambda campaign: dialogues(campaign, parts_of_programs(campaign)),
)


# Every field of every line (`dialogues/events.py`).
FRAME = Table(
    {
        "type": TEXT, "seq": WHOLE, "turn": WHOLE, "key": TEXT, "text": TEXT, "subtask": WHOLE, "turns_used": WHOLE,
        "texts": TEXTS, "latency_ms": WHOLE, "flags": TEXTS, "kind": TEXT, "fault": TEXT, "retryable": FLAG,
        "retries_left": WHOLE, "message": TEXT, "status": TEXT, "reason": TEXT, "because": TEXT,
    }
)  # fmt: skip
LINE: Columns = {"seq": WHOLE, "kind": TEXT, "fault": TEXT, "at": TIME, "frame": FRAME}
STORED_EVENTS = Stored(
    "dialogues_ledgerevent event",
    dialogue="event.dialogue_id",
    in_order_of="event.seq",
    columns={
        "event.seq": "plain", "event.kind": "plain", "event.fault": "plain", "event.at": "time",
        "event.frame": "json text",
    },
)  # fmt: skip
STORED_LINES = Stored(
    "dialogues_turn turn",
    dialogue="turn.dialogue_id",
    in_order_of="turn.number",
    columns={
        "turn.number": "plain", "turn.subtask": "plain", "turn.key": "plain", "turn.status": "plain",
        "turn.text": "plain", "turn.texts": "json", "turn.flags": "json", "turn.latency_ms": "plain",
        "turn.seq": "plain", "turn.outcome_seq": "plain", "turn.asked_at": "time", "turn.settled_at": "time",
    },
)  # fmt: skip


def ledger(campaign: Campaign) -> Rows:
    """Every line of each dialogue's record; `frame` is what its sockets were sent."""
    for part in parts(campaign):
        places = places_of(part)
        # Failures and closings are read first: the turns that they are about are stored by then, and are read after them.
        noted = rows_of(STORED_EVENTS, list(places))
        said = rows_of(STORED_LINES, list(places))
        for place, events, turns in zip(places.values(), noted, said, strict=True):
            lines = sorted(chain(events, chain.from_iterable(map(_lines_of, turns))), key=itemgetter(0))
            for number, line in enumerate(lines, start=1):
                if line[0] != number:
                    # Said while this was read: the record ends where it was whole.
                    break
                yield (*place, *line)


def _lines_of(turn: Row) -> Iterator[Row]:
    """The lines that a turn's row stands for, as `queries.lines_of` has them: accepted, and the reply if there is one."""
    number, subtask, key, status, text, texts, flags, latency_ms, seq, outcome_seq, asked_at, settled_at = turn
    accepted = TurnAccepted.kind
    frame = {"type": accepted, "seq": seq, "turn": number, "key": key, "text": text, "subtask": subtask}
    yield seq, accepted, "", asked_at, frame | {"turns_used": number}
    if status == TurnStatus.ANSWERED:
        done = ReplyDone.kind
        reply = {"type": done, "seq": outcome_seq, "turn": number, "texts": texts, "latency_ms": latency_ms or 0}
        yield outcome_seq, done, "", settled_at, reply | {"flags": flags} if flags else reply


LEDGER = Export("ledger", _("Ledger"), {**PLACE, **LINE}, rows=ledger)
