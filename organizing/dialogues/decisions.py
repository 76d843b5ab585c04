"""What can be decided about a dialogue, by the names that pages and API use: one rule for both."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from django.utils.translation import gettext_noop

from accounts.models import Person
from dialogues.actions.deciding import NotPossible, end_for_tester
from dialogues.actions.ledger import Outcome
from dialogues.models import Dialogue
from participants.failures import Fault
from reviews.actions.deciding import book_fault, restore_dialogue, void_dialogue


class Decision(Protocol):
    """`number` and `fault` are asked for only when a failure is rebooked."""

    def __call__(
        self, *, dialogue: Dialogue, number: int, fault: Fault | None, by: Person, because: str, at: datetime
    ) -> Outcome: ...


def fault_of(said: str) -> Fault | None:
    return Fault(said) if said in set(Fault) else None


def _end(*, number: int, fault: Fault | None, **said: Any) -> Outcome:
    return end_for_tester(**said)


def _void(*, number: int, fault: Fault | None, **said: Any) -> Outcome:
    return void_dialogue(**said)


def _restore(*, number: int, fault: Fault | None, **said: Any) -> Outcome:
    return restore_dialogue(**said)


def _book(*, number: int, fault: Fault | None, **said: Any) -> Outcome:
    if fault is None:
        raise NotPossible(gettext_noop("Say whose fault it is."))
    return book_fault(number=number, fault=fault, **said)


DECISIONS_BY_NAME: Mapping[str, Decision] = {"end": _end, "void": _void, "restore": _restore, "fault": _book}
