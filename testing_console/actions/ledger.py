"""What every action on a dialogue begins and ends with: its lock, and the lines that it writes into the ledger."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from django.db import transaction

from serving.statements import Insert, Select, Update
from testing_console.events import LedgerLine, TurnFailed
from testing_console.live.switchboard import announce
from testing_console.models import Dialogue, LedgerEvent
from testing_console.turn_taking import no_admission

lock_dialogue = Select(
    Dialogue,
    "{id} = %s",
    "id",
    only=(
        "id", "assignment", "tester", "status", "turns_used", "turn_cap", "subtask_index", "subtask_turns",
        "subtask_cap", "last_seq",
    ),
    locks=True,
)  # fmt: skip
_insert_event = Insert(LedgerEvent)
save_counts = Update(Dialogue, "last_seq", "turns_used", "subtask_turns")
_save_last_seq = Update(Dialogue, "last_seq")

# These actions raise `Refusal` before they write anything, so inside a shared transaction they need no savepoint.
joining = transaction.atomic(savepoint=False)


class Admission(Protocol):
    """What let somebody in; asked again inside the transaction of every change (log-out, role taken back)."""

    @property
    def person_id(self) -> int: ...

    def still_holds(self, assignment_id: int) -> bool: ...


def locked(dialogue_id: UUID, admission: Admission) -> Dialogue:
    """The dialogue, held against other writers, for the tester it belongs to and while their admission holds."""
    found = lock_dialogue(dialogue_id)
    if not found:
        raise Dialogue.DoesNotExist
    (dialogue,) = found
    if not (dialogue.tester_id == admission.person_id and admission.still_holds(dialogue.assignment_id)):
        raise no_admission()
    return dialogue


def tell(
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
