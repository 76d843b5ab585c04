"""An organizer voids a dialogue, restores it, or rebooks a failure, as the platform does too; reviews and places follow."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.interests import check_interest
from campaigns.reasons import reason_of
from dialogues.actions.deciding import (
    NotPossible,
    failure_of,
    last_failure,
    make_count_again,
    make_void,
    rebook,
    refuse_after_the_end,
)
from dialogues.actions.ledger import Outcome, WaitingTurn
from dialogues.models import Attempt, Dialogue
from dialogues.trail_acts import DIALOGUE_RESTORED, DIALOGUE_VOIDED, FAULT_BOOKED, of_dialogue
from dialogues.turn_taking import REVIEWABLE
from participants.failures import Fault
from reviews.actions.contents import locked
from reviews.actions.counting import recount, tend_dispute
from reviews.models import GoldReview, ReviewPlace


@transaction.atomic
def void_dialogue(*, dialogue: Dialogue, by: Person | None, because: str, at: datetime) -> Outcome:
    """Voids the dialogue: its assignment is open again, its reviews stay and no longer count.

    Reviewers need not score it any more. Errors: `ReasonNeeded`, `NotPossible`, `Interested`.
    """
    because, dialogue = reason_of(because), _held(dialogue, by, at)
    before = dialogue.status
    outcome = make_void(dialogue, because, at)
    _follow(dialogue, at)
    record(DIALOGUE_VOIDED, by=by, at=at, because=because, **of_dialogue(dialogue, was=before))
    return outcome


@transaction.atomic
def restore_dialogue(*, dialogue: Dialogue, by: Person | None, because: str, at: datetime) -> Outcome:
    """Takes a declaration back: the dialogue counts again with its reviews, and its panel is drawn for again.

    Errors: `ReasonNeeded`, `Interested`; `NotPossible` where the assignment was done again or given to somebody else meanwhile.
    """
    because, dialogue = reason_of(because), _held(dialogue, by, at)
    outcome = make_count_again(dialogue, because, at)
    _follow(dialogue, at)
    record(DIALOGUE_RESTORED, by=by, at=at, because=because, **of_dialogue(dialogue, now=str(dialogue.status)))
    return outcome


@transaction.atomic
def book_fault(
    *, dialogue: Dialogue, number: int, fault: Fault, by: Person | None, because: str, at: datetime
) -> Outcome:
    """Books the failure of a turn to somebody else; what was measured stays. A dialogue broken by the platform is void.

    Errors: `ReasonNeeded`, `NotPossible`, `Interested`.
    """
    because, dialogue = reason_of(because), _held(dialogue, by, at)
    return _book(dialogue, last_failure(dialogue, number), fault, by, because, at)


@transaction.atomic
def book_to_platform(*, asked: WaitingTurn, at: datetime) -> Outcome:
    """Books the failure of that attempt at a turn to the platform, which found out that it is its own (decision 0006).

    Errors: `InFlight`, where it has to wait; `NotPossible`, where it stays as it is.
    """
    dialogue = _held(Dialogue(pk=asked.dialogue_id), None, at)
    return _book(dialogue, failure_of(dialogue, asked), Fault.PLATFORM, None, "", at)


def _book(dialogue: Dialogue, failed: Attempt, fault: Fault, by: Person | None, because: str, at: datetime) -> Outcome:
    outcome, before = rebook(dialogue, failed, fault, because, at)
    _follow(dialogue, at)
    said = {"turn": failed.turn.number, "was": before, "fault": fault.value, "dialogue_is": str(dialogue.status)}
    record(FAULT_BOOKED, by=by, at=at, because=because, **of_dialogue(dialogue, **said))
    return outcome


def _held(dialogue: Dialogue, by: Person | None, at: datetime) -> Dialogue:
    dialogue = locked(dialogue)
    check_interest(by, dialogue.assignment.entry_id)
    refuse_after_the_end(dialogue.assignment.campaign, at)
    return dialogue


def _follow(dialogue: Dialogue, at: datetime) -> None:
    """Places and the dispute first; the campaign's row is held from `recount` on, and nothing after it but the trail."""
    if dialogue.status not in REVIEWABLE:
        # Void gold could not be scored any more, and without training gold no queue would ever open.
        if GoldReview.objects.filter(dialogue=dialogue).exists():
            raise NotPossible(
                gettext_noop("Reviewers are measured against this dialogue: it is gold, and stays as it is.")
            )
        places = ReviewPlace.objects.filter(dialogue=dialogue, is_gold=False)
        places.not_begun().delete()
        places.to_do().update(released_at=at, released_because=ReviewPlace.Released.NOT_REVIEWED)
    else:
        tend_dispute(dialogue, at)
    recount(dialogue)
