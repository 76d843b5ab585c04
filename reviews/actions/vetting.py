"""Experts accept or return collected dialogues; what is returned is done again, and both stay."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.access import roles_of
from campaigns.calendar import Doing, check_open
from campaigns.interests import may_judge
from campaigns.models import Campaign, Role
from dialogues.actions.deciding import return_dialogue
from dialogues.models import Dialogue
from dialogues.trail_acts import of_dialogue
from dialogues.turn_taking import REVIEWABLE, DialogueStatus
from reviews.actions.checking import BadReview, NotReviewable, NotYours, check_comment
from reviews.actions.contents import locked
from reviews.actions.counting import acceptances, is_accepted, recount
from reviews.actions.submitting import check_reason
from reviews.models import Vetting
from reviews.trail_acts import DIALOGUE_RETURNED, DIALOGUE_VETTED

# An expert reads what is collected, and what was: not what is still talked, nor what came to nothing.
READ_TO_VET = (*REVIEWABLE, DialogueStatus.RETURNED)


@transaction.atomic
def vet_dialogue(*, dialogue: Dialogue, expert: Person, faults: Collection[str], reason: str, at: datetime) -> Vetting:
    """Stores an expert's answers; `faults` are the questions (`Vetting.Question`) answered with no, and any fault is a return.

    Answers can be changed until all experts of the dialogue have answered; then the majority decides. An accepted dialogue is
    scored; a returned one counts nowhere, and its tester does it again.
    Errors: `NotYours`, `NotReviewable`, `NotNow`, `BadReview` (a return says why).
    """
    dialogue = locked(dialogue)
    check_may_vet(dialogue, expert)
    check_open(dialogue.assignment.campaign, Doing.REVIEW, at)
    _check(faults, reason)
    vetting, _created = Vetting.objects.update_or_create(
        dialogue=dialogue,
        expert=expert,
        defaults={
            "is_accepted": not faults,
            "faults": sorted(faults, key=Vetting.Question.values.index),
            "reason": reason,
            "at": at,
        },
    )
    decision = is_accepted(dialogue)
    if decision is False:
        _return(dialogue, at)
    if decision is not None:
        recount(dialogue)
    record(
        DIALOGUE_VETTED,
        by=expert,
        at=at,
        because=reason if faults else "",
        **of_dialogue(dialogue, is_accepted=not faults),
    )
    if decision is False:
        note_return(dialogue, at)
    return vetting


def may_read_to_vet(dialogue: Dialogue, person: Person) -> bool:
    """Whether the person may vet it, and the dialogue was collected."""
    return dialogue.status in READ_TO_VET and is_its_expert(dialogue, person)


def is_its_expert(dialogue: Dialogue, person: Person) -> bool:
    """Whether the person is an expert who did not talk in it and has no interest in its bot."""
    is_expert = Role.EXPERT in roles_of(person, dialogue.assignment.campaign)
    return is_expert and dialogue.talker_id != person.pk and may_judge(person, dialogue.assignment.entry_id)


def check_may_vet(dialogue: Dialogue, expert: Person) -> None:
    campaign = dialogue.assignment.campaign
    if not is_its_expert(dialogue, expert):
        raise NotYours
    if not campaign.experts_per_dialogue:
        raise NotReviewable(gettext_noop("In this campaign no experts vet the dialogues."))
    if dialogue.status not in REVIEWABLE or is_accepted(dialogue) is not None:
        raise NotReviewable(gettext_noop("The experts have decided on this dialogue, or it is not collected."))


def _check(faults: Collection[str], reason: str) -> None:
    wrong = {name: _("This is not asked.") for name in faults if name not in Vetting.Question.values}
    check_comment(reason, wrong, "reason")
    if wrong:
        raise BadReview(wrong)
    if faults:
        check_reason(reason)


def return_decided(campaign: Campaign, dialogues: Collection[Any], at: datetime) -> list[Dialogue]:
    """Of those dialogues, held by the caller, returns what its experts have decided to by the settings of now.

    Gives the returned ones: the caller ends its transaction with `note_return` of each.
    """
    accepted = acceptances(campaign, dialogues)
    decided = [pk for pk in dialogues if accepted[pk] is False]
    returned = list(Dialogue.objects.reviewable().with_names().filter(pk__in=decided).order_by("pk"))
    for dialogue in returned:
        _return(dialogue, at)
    return returned


def note_return(dialogue: Dialogue, at: datetime) -> None:
    """The line in the trail, which comes last in the transaction."""
    record(DIALOGUE_RETURNED, by=None, at=at, **of_dialogue(dialogue))


def _return(dialogue: Dialogue, at: datetime) -> None:
    returned = dialogue.vettings.filter(is_accepted=False).order_by("at", "pk")
    return_dialogue(dialogue=dialogue, because="\n".join(returned.values_list("reason", flat=True)), at=at)
