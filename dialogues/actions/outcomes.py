"""What an action leaves to be done once it is committed, as values. Whoever commits it hands them on; nothing here calls anybody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from dialogues.models import Turn
from participants.adapters import History

# Lines of one dialogue's ledger: number and frame.
Lines = Sequence[tuple[int, str]]


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
