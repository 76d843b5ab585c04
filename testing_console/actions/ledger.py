"""What every action on a dialogue begins and ends with: its lock, and the lines that it writes into the ledger."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from django.db import connection

from serving.statements import Statement
from testing_console.actions.outcomes import Told
from testing_console.events import DialogueClosed, LedgerLine, TurnFailed
from testing_console.models import Dialogue, LedgerEvent
from testing_console.turn_taking import no_admission

_lock_dialogue = Statement(f"SELECT 1 FROM {Dialogue._meta.db_table} WHERE id = %s FOR UPDATE", (Dialogue, "id"))


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
    seqs = range(first_seq or dialogue.last_seq + 1, (first_seq or dialogue.last_seq + 1) + len(lines))
    told = [(seq, line.frame(seq)) for seq, line in zip(seqs, lines, strict=True)]
    LedgerEvent.objects.bulk_create(
        LedgerEvent(dialogue=dialogue, seq=seq, kind=line.kind, frame=frame, fault=_fault_of(line), at=at)
        for (seq, frame), line in zip(told, lines, strict=True)
    )
    dialogue.last_seq = seqs[-1]
    dialogue.save(update_fields=["last_seq"])
    return Told(dialogue.pk, told, is_over=any(isinstance(line, DialogueClosed) for line in lines))


def _fault_of(line: LedgerLine) -> str:
    return line.fault if isinstance(line, TurnFailed) else ""
