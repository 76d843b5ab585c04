"""What every action on a dialogue begins and ends with: its lock, and the lines that it writes into the ledger."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from django.db import connection

from dialogues.actions.outcomes import Told
from dialogues.events import DialogueClosed, LedgerLine, TurnFailed
from dialogues.models import Dialogue, LedgerEvent
from dialogues.turn_taking import no_admission
from serving.statements import Statement, insert

_DIALOGUE = Dialogue._meta.db_table

_lock_dialogue = Statement(f"SELECT 1 FROM {_DIALOGUE} WHERE id = %s FOR UPDATE", (Dialogue, "id"))
_insert_line = insert(LedgerEvent, "dialogue", "seq", "kind", "frame", "fault", "at")
_count_lines = Statement(
    f"UPDATE {_DIALOGUE} SET last_seq = %s WHERE id = %s", (Dialogue, "last_seq"), (Dialogue, "id")
)
# One for the line that comes now, one for what comes of a turn.
reserve_two_lines = Statement(f"UPDATE {_DIALOGUE} SET last_seq = last_seq + 2 WHERE id = %s", (Dialogue, "id"))


class Admission(Protocol):
    """What let somebody in; asked again inside the transaction of every change (log-out, role taken back)."""

    @property
    def person_id(self) -> int: ...

    def still_holds(self, assignment_id: int) -> bool: ...


def hold(dialogue_id: UUID) -> None:
    """Holds the dialogue against other writers. SQLite has one writer at a time: its transaction is the lock.

    Comes before anything of the dialogue is read, and before any of its turns is locked: every writer locks in this
    order, or two of them could wait for each other for ever.
    """
    if connection.features.has_select_for_update:
        _lock_dialogue(dialogue_id)


def held(dialogue_id: UUID) -> Dialogue:
    return Dialogue.everything.select_for_update().get(pk=dialogue_id)


def admitted(dialogue_id: UUID, admission: Admission) -> Dialogue:
    """The dialogue, held against other writers, for the tester it belongs to and while their admission holds."""
    dialogue = held(dialogue_id)
    refuse_unless_admitted(admission, dialogue.tester_id, dialogue.assignment_id)
    return dialogue


def refuse_unless_admitted(admission: Admission, tester_id: int, assignment_id: int) -> None:
    if not (tester_id == admission.person_id and admission.still_holds(assignment_id)):
        raise no_admission()


def write(dialogue: Dialogue, lines: Sequence[LedgerLine], at: datetime, *, first_seq: int | None = None) -> Told:
    """Writes the lines into the ledger; gives what the sockets are to hear once it is committed.

    They get the next numbers, or those from `first_seq`, which a turn has reserved for the first of them.
    """
    told = write_reserved(dialogue.pk, lines, at, first_seq=first_seq or dialogue.last_seq + 1)
    dialogue.last_seq, _ = told.lines[-1]
    _count_lines(dialogue.last_seq, dialogue.pk)
    return told


def write_reserved(dialogue_id: UUID, lines: Sequence[LedgerLine], at: datetime, *, first_seq: int) -> Told:
    """The same for numbers that the dialogue has given away: its row is not touched."""
    told = list[tuple[int, str]]()
    for seq, line in enumerate(lines, start=first_seq):
        told.append((seq, line.frame(seq)))
        _insert_line(dialogue_id, seq, line.kind, told[-1][1], _fault_of(line), at).fetchone()
    return Told(dialogue_id, told, is_over=any(isinstance(line, DialogueClosed) for line in lines))


def _fault_of(line: LedgerLine) -> str:
    return str(line.fault) if isinstance(line, TurnFailed) else ""
