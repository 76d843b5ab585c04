"""What can be decided about a dialogue, by the names that pages and API use: one rule for both."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.utils.translation import gettext_noop

from accounts.models import Person
from dialogues.actions.deciding import NotPossible, end_for_tester, extend
from dialogues.actions.ledger import Outcome
from dialogues.models import Dialogue
from participants.failures import Fault
from participants.limits import EXTENSION_LIMIT_MIN
from reading.digits import whole_or_none
from reading.kinds import Choice, Whole
from reading.tables import Field
from reviews.actions.deciding import book_fault, restore_dialogue, void_dialogue

NO_TURN = -1
TURN = Field(Whole(0, 2**31 - 1), NO_TURN)
FAULT = Field(Choice([fault.value for fault in Fault]), "")
MINUTES = Field(Whole(0, EXTENSION_LIMIT_MIN), 0)


class Decision(Protocol):
    def __call__(self, *, dialogue: Dialogue, said: "Said", by: Person, because: str, at: datetime) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Said:
    """Beside the reason: the turn and fault of a failure that is rebooked, and the minutes that are given."""

    number: int = NO_TURN
    fault: Fault | None = None
    minutes: int = 0


def fault_of(said: str) -> Fault | None:
    return Fault(said) if said in set(Fault) else None


def turn_of(typed: str) -> int:
    """The number of a turn; one that no turn has where none was typed."""
    number = whole_or_none(typed)
    return NO_TURN if number is None else number


def _end(*, said: Said, **decided: Any) -> Outcome:
    return end_for_tester(**decided)


def _extend(*, said: Said, **decided: Any) -> Outcome:
    return extend(minutes=said.minutes, **decided)


def _void(*, said: Said, **decided: Any) -> Outcome:
    return void_dialogue(**decided)


def _restore(*, said: Said, **decided: Any) -> Outcome:
    return restore_dialogue(**decided)


def _book(*, said: Said, **decided: Any) -> Outcome:
    if said.fault is None:
        raise NotPossible(gettext_noop("Say whose fault it is."))
    return book_fault(number=said.number, fault=said.fault, **decided)


DECISIONS_BY_NAME: Mapping[str, Decision] = {
    "end": _end,
    "extend": _extend,
    "void": _void,
    "restore": _restore,
    "fault": _book,
}
