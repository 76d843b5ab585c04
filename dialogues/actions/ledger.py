"""What every action on a dialogue begins and ends with: its lock, the calendar, the ledger's lines, and its `Outcome`.

An outcome is what is left to do after the commit, as values: its followers do it, nothing here calls anybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from django.db import connection

from campaigns.calendar import Calendar, Doing, NotNow, check_open
from campaigns.models import Campaign
from dialogues.events import DialogueClosed, LedgerLine, TurnFailed
from dialogues.models import Dialogue, LedgerEvent, Turn
from dialogues.turn_taking import Refusal, RefusalCode, is_gone, no_admission
from participants.adapters import History
from serving.commits.shared_transaction import is_held
from serving.commits.statements import Statement, insert
from serving.commits.steps import Ask, Steps, alone

# Lines of one dialogue's ledger: number and frame.
Lines = Sequence[tuple[int, str]]
# Whether no tester may talk to the `entry` of an `assignment`: it is a draft, with which its team alone may practise.
IS_DRAFT_TO_TESTERS = "entry.draft_since IS NOT NULL AND NOT assignment.is_practice"
_DIALOGUE = Dialogue._meta.db_table
_lock_dialogue = Statement(f"SELECT 1 FROM {_DIALOGUE} WHERE id = %s FOR UPDATE", (Dialogue, "id"))
_lock_free_ones = Statement(f"SELECT id FROM {_DIALOGUE} WHERE id = ANY(%s) ORDER BY id FOR UPDATE SKIP LOCKED")
_that_exist = Statement(f"SELECT id FROM {_DIALOGUE} WHERE id = ANY(%s)")
_insert_line = insert(LedgerEvent, "dialogue", "seq", "kind", "frame", "fault", "at")
_count_lines = Statement(
    f"UPDATE {_DIALOGUE} SET last_seq = %s WHERE id = %s", (Dialogue, "last_seq"), (Dialogue, "id")
)
# One for the line that comes now, one for what comes of a turn.
reserve_two_lines = Statement(
    f"UPDATE {_DIALOGUE} SET last_seq = last_seq + 2 WHERE id = %s RETURNING id", (Dialogue, "id")
)


@dataclass(frozen=True, slots=True)
class Told:
    """Lines that the sockets of a dialogue are to hear. `is_over` says that the dialogue closes with them."""

    dialogue_id: UUID
    lines: Lines
    is_over: bool = False


class WaitingTurn(NamedTuple):
    """A turn as it was when it was put to waiting. `is_last` says that it is the last one of the cap in force."""

    id: int
    dialogue_id: UUID
    number: int
    text: str
    attempt_number: int
    outcome_seq: int
    is_last: bool

    @classmethod
    def of(cls, turn: Turn) -> "WaitingTurn":
        return cls(
            id=turn.pk,
            dialogue_id=turn.dialogue_id,
            number=turn.number,
            text=turn.text,
            attempt_number=turn.attempt_number,
            outcome_seq=turn.outcome_seq,
            is_last=turn.spent >= turn.turn_cap,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A waiting turn whose bot is to be asked, and what was said before it."""

    turn: WaitingTurn
    history: History


@dataclass(frozen=True, slots=True)
class Remembered:
    """What was said in a dialogue up to its ledger line `seq`; worthless once another line follows that one."""

    dialogue_id: UUID
    seq: int
    history: History


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`stopped` is a dialogue whose bot need not be asked any more."""

    told: Sequence[Told] = ()
    asked: Asked | None = None
    remembered: Remembered | None = None
    stopped: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Outcome):
    """A turn that is committed, and the frame that says so. `is_new` is False where the same key came before."""

    accepted: str
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Outcome):
    """`is_current` is False where the attempt was no longer the one that the turn waits for."""

    is_current: bool


class NotTestingNow(Refusal):
    """The campaign's dates do not allow it; `closed` says which of them."""

    def __init__(self, closed: NotNow) -> None:
        super().__init__(RefusalCode.NOT_NOW, closed.text)
        self.closed = closed

    @property
    def message(self) -> str:
        return self.closed.message


def refuse_unless_open(calendar: Calendar, doing: Doing, at: datetime) -> None:
    """Errors: `NotTestingNow`."""
    try:
        check_open(calendar, doing, at)
    except NotNow as closed:
        raise NotTestingNow(closed) from closed


def refuse_after_testing(assignment_id: int, at: datetime) -> None:
    """Errors: `NotTestingNow` once open dialogues may no longer go on."""
    refuse_unless_open(Campaign.objects.get(assignments=assignment_id), Doing.FINISH, at)


class Admission(Protocol):
    """A person's credential; checked again inside the transaction of every change (log-out, role taken back)."""

    @property
    def person_id(self) -> int: ...

    def proof(self, assignment_id: int) -> Ask | bool:
        """What finds a row while the credential holds; plain where the database need not be asked."""


def hold(dialogue_id: UUID) -> None:
    """Holds the dialogue against other writers, unless its batch does.

    Comes before anything of the dialogue is read, and before any of its turns is locked: every writer locks in this
    order, or two of them could wait for each other for ever.
    """
    if connection.features.has_select_for_update and not is_held(dialogue_id):
        _lock_dialogue(dialogue_id)


def hold_free(dialogue_ids: list[UUID]) -> set[UUID]:
    """Holds those dialogues that are free; gives those that another writer holds.

    SQLite has one writer at a time: its transaction is the lock.
    """
    if not connection.features.has_select_for_update:
        return set()
    free = {dialogue_id for (dialogue_id,) in _lock_free_ones(dialogue_ids).fetchall()}
    others = [dialogue_id for dialogue_id in dialogue_ids if dialogue_id not in free]
    return {dialogue_id for (dialogue_id,) in _that_exist(others).fetchall()} if others else set()


def held(dialogue_id: UUID) -> Dialogue:
    """Errors: `Refusal` (`closed`) where it was deleted."""
    dialogue = Dialogue.everything.select_for_update().filter(pk=dialogue_id).first()
    if dialogue is None:
        raise is_gone()
    return dialogue


def admitted(dialogue_id: UUID, admission: Admission) -> Dialogue:
    """The dialogue, held against other writers, for the tester it belongs to and while their admission holds."""
    dialogue = held(dialogue_id)
    alone(refuse_unless_admitted(admission, dialogue.tester_id, dialogue.assignment_id))
    return dialogue


def refuse_unless_admitted(admission: Admission, tester_id: int, assignment_id: int) -> Steps[None]:
    if tester_id != admission.person_id:
        raise no_admission()
    proof = admission.proof(assignment_id)
    if not (proof if isinstance(proof, bool) else (yield proof)):
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
        fault = str(line.fault) if isinstance(line, TurnFailed) else ""
        _insert_line(dialogue_id, seq, line.kind, told[-1][1], fault, at).fetchone()
    return Told(dialogue_id, told, is_over=any(isinstance(line, DialogueClosed) for line in lines))
