"""A team objects to a fault, a void or the scores of a dialogue with its system; an organizer answers, in the trail."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.reasons import reason_of
from dialogues.models import Attempt, Dialogue, Objection, Turn
from dialogues.trail_acts import OBJECTION_MADE, OBJECTION_REJECTED, OBJECTION_UPHELD, of_dialogue
from dialogues.turn_taking import REVIEWABLE, DialogueStatus
from serving.refused import Refused

OBJECTIONS_PER_DIALOGUE = 20
Against = Objection.Against


class NothingToObjectTo(Refused):
    """What is objected to does not stand, or waits for its answer already; the message says which."""

    code = "nothing_to_object_to"


class Answered(Refused):
    code = "answered"

    def __str__(self) -> str:
        return _("This objection was answered.")


@transaction.atomic
def object_to(
    *, dialogue: Dialogue, against: str, text: str, by: Person, at: datetime, turn: Turn | None = None
) -> Objection:
    """Stores the objection for the organizers; `dialogue` is `with_names`, of the system of the person's team.

    Errors: `NotNow`; `ReasonNeeded` where the text cannot be stored; `NothingToObjectTo`.
    """
    campaign = dialogue.assignment.campaign
    check_open(campaign, Doing.ORGANIZE, at)
    said = reason_of(text)
    if why := _why_not(dialogue, against, turn):
        raise NothingToObjectTo(why)
    # Of two at once the second waits here, and then finds the first.
    Dialogue.objects.select_for_update(of=("self",)).get(pk=dialogue.pk)
    if dialogue.objections.filter(against=against, turn=turn, is_upheld=None).exists():
        raise NothingToObjectTo(gettext_noop("Your objection to this waits for its answer already."))
    if dialogue.objections.count() >= OBJECTIONS_PER_DIALOGUE:
        raise NothingToObjectTo(gettext_noop("This dialogue has %(n)d objections already."), n=OBJECTIONS_PER_DIALOGUE)
    made = Objection.objects.create(dialogue=dialogue, turn=turn, against=against, text=said, made_by=by, made_at=at)
    record(OBJECTION_MADE, by=by, at=at, because=said, **_of(made, dialogue))
    return made


def _why_not(dialogue: Dialogue, against: str, turn: Turn | None) -> str:
    """Why there is nothing that such an objection could be about; empty where there is."""
    if against == Against.FAULT:
        failed = Attempt.objects.filter(turn=turn, outcome=Attempt.Outcome.FAILURE)
        return "" if turn is not None and failed.exists() else _("No call of this turn has failed.")
    if against == Against.VOID:
        return "" if dialogue.status == DialogueStatus.VOID else _("This dialogue is not void.")
    if against == Against.SCORES:
        has_scores = dialogue.assignment.campaign.board_is_public and dialogue.status in REVIEWABLE
        return "" if has_scores else _("The scores of this dialogue are not published.")
    return _("Say what you object to.")


@transaction.atomic
def answer_objection(*, objection: Objection, is_upheld: bool, because: str, by: Person, at: datetime) -> Objection:
    """Stores the answer, which the team reads. Errors: `NotNow`, `ReasonNeeded`, `Answered`."""
    dialogue = Dialogue.objects.with_names().get(pk=objection.dialogue_id)
    check_open(dialogue.assignment.campaign, Doing.ORGANIZE, at)
    said = reason_of(because)
    answer = {"is_upheld": is_upheld, "answer": said, "answered_by": by, "answered_at": at}
    if not Objection.objects.filter(pk=objection.pk, is_upheld=None).update(**answer):
        raise Answered
    objection.refresh_from_db()
    act = OBJECTION_UPHELD if is_upheld else OBJECTION_REJECTED
    record(act, by=by, at=at, because=said, **_of(objection, dialogue))
    return objection


def _of(objection: Objection, dialogue: Dialogue) -> dict[str, Any]:
    turn = objection.turn.number if objection.turn else None
    return of_dialogue(dialogue, objection=objection.pk, against=str(objection.against), turn=turn)
