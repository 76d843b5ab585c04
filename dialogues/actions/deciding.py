"""What an organizer decides: a dialogue ends, has more time, counts nowhere, counts again, a failure is rebooked, an assignment changes hands.

The ledger only grows: each of these except more time adds its line, and what was said and measured before stays as it is. The caller
commits in a transaction and then passes the `Outcome` to the sockets (`live/floor.py`).
"""

import json
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, NotNow, check_open, is_after, moment_in_zone
from campaigns.interests import check_interest, may_judge
from campaigns.models import Assignment, Campaign
from campaigns.reasons import reason_of
from dialogues.actions.closing import (
    cancel_waiting,
    close_dialogue,
    close_what_is_open,
    is_given_up_early,
    outcome_of,
)
from dialogues.actions.ledger import Outcome, WaitingTurn, held, write
from dialogues.events import DialogueClosed, DialogueRestored, DialogueReturned, DialogueVoided, FaultBooked, LedgerLine
from dialogues.masking import masker_of
from dialogues.models import Attempt, Dialogue, LedgerEvent, Turn
from dialogues.queries import masked_words
from dialogues.trail_acts import ASSIGNMENT_REASSIGNED, DIALOGUE_ENDED, DIALOGUE_EXTENDED, of_dialogue
from dialogues.turn_taking import ENDED_BY_ORGANIZER, VOIDED, DialogueStatus, EndReason, TurnStatus
from participants import failure_sentences as sentences
from participants.failures import Fault
from participants.limits import EXTENSION_LIMIT_MIN
from serving.refused import Refused

CLOSED_AND_COUNTED = (DialogueStatus.COMPLETED, DialogueStatus.UNFINISHED)


@transaction.atomic
def return_dialogue(*, dialogue: Dialogue, because: str, at: datetime) -> Dialogue:
    """Returns a closed dialogue: it is done again, and stays with its scores. One that is open or counts nowhere is left alone."""
    dialogue = held(dialogue.pk)
    if dialogue.status in CLOSED_AND_COUNTED:
        dialogue.status, dialogue.reason = DialogueStatus.RETURNED, DialogueStatus.RETURNED
        dialogue.save(update_fields=["status", "reason"])
        # The tester's sockets get the line as it is stored.
        masker = masker_of(masked_words(dialogue.assignment.campaign))
        write(dialogue, [DialogueReturned(masker.mask(because))], at)
    return dialogue


class NotPossible(Refused):
    """The dialogue is not in a state for it; the message says why."""

    code = "not_possible"


class InFlight(NotPossible):
    """A turn of the dialogue waits for its bot: it has reserved the next number of the ledger for what comes of it."""

    def __init__(self) -> None:
        super().__init__(gettext_noop("The system is being asked at this moment: wait for its answer."))


def refuse_after_the_end(campaign: Campaign, at: datetime) -> None:
    """Errors: `NotPossible` once the campaign is over, which is read-only then."""
    try:
        check_open(campaign, Doing.ORGANIZE, at)
    except NotNow as over:
        raise NotPossible(str(over)) from over


@transaction.atomic
def end_for_tester(*, dialogue: Dialogue, by: Person | None, because: str, at: datetime) -> Outcome:
    """Ends an open dialogue at once, as if its tester gave up: it is scored as it stands; the tester reads why.

    Errors: `ReasonNeeded`, `Interested`; `NotPossible` where it is closed, or the campaign is over.
    """
    because, dialogue = reason_of(because), held(dialogue.pk)
    check_interest(by, dialogue.assignment.entry_id)
    refuse_after_the_end(dialogue.assignment.campaign, at)
    if not dialogue.is_open:
        raise NotPossible(gettext_noop("The dialogue is closed."))
    lines, first_seq = cancel_waiting(dialogue, sentences.ENDED_BY_ORGANIZER, at)
    lines += close_what_is_open(dialogue, EndReason.GAVE_UP)
    lines.append(close_dialogue(dialogue, outcome_of(dialogue), ENDED_BY_ORGANIZER, at, _masked(dialogue, because)))
    told = write(dialogue, lines, at, first_seq=first_seq)
    record(DIALOGUE_ENDED, by=by, at=at, because=because, **of_dialogue(dialogue))
    return Outcome(told=[told], stopped=dialogue.pk)


@transaction.atomic
def extend(*, dialogue: Dialogue, minutes: int, by: Person | None, because: str, at: datetime) -> Outcome:
    """Keeps an open dialogue open for `minutes` from now, despite silence or the end of testing; its caps stay.

    Errors: `ReasonNeeded`, `Interested`; `NotPossible` for no minutes or more than a day, where it is closed or has that
    time already, or where scoring or the campaign is over by then.
    """
    because, dialogue = reason_of(because), held(dialogue.pk)
    campaign = dialogue.assignment.campaign
    check_interest(by, dialogue.assignment.entry_id)
    refuse_after_the_end(campaign, at)
    if not 1 <= minutes <= EXTENSION_LIMIT_MIN:
        raise NotPossible(gettext_noop("Say how many minutes, from 1 to %(most)d."), most=EXTENSION_LIMIT_MIN)
    if not dialogue.is_open:
        raise NotPossible(gettext_noop("The dialogue is closed."))
    until = (at + timedelta(minutes=minutes)).replace(microsecond=0)
    if dialogue.extended_until is not None and dialogue.extended_until >= until:
        when = moment_in_zone(dialogue.extended_until, campaign.time_zone)
        raise NotPossible(gettext_noop("The dialogue has time until %(when)s already."), when=when)
    if campaign.ends_at is not None and is_after(until, campaign.ends_at):
        when = moment_in_zone(campaign.ends_at, campaign.time_zone)
        raise NotPossible(
            gettext_noop("The campaign ends on %(when)s: choose less time, or move that date."), when=when
        )
    if campaign.review_until is not None and is_after(until, campaign.review_until):
        when = moment_in_zone(campaign.review_until, campaign.time_zone)
        raise NotPossible(gettext_noop("Scoring ends on %(when)s: choose less time, or move that date."), when=when)
    dialogue.extended_until = until
    dialogue.save(update_fields=["extended_until"])
    record(DIALOGUE_EXTENDED, by=by, at=at, because=because, **of_dialogue(dialogue, until=until.isoformat()))
    return Outcome()


def make_void(dialogue: Dialogue, because: str, at: datetime) -> Outcome:
    """Voids the dialogue (`held`); an open one ends. That alone opens its assignment again.

    Errors: `NotPossible` where it counts nowhere already.
    """
    if dialogue.is_open:
        lines, first_seq = cancel_waiting(dialogue, sentences.VOIDED_BY_ORGANIZER, at)
        lines += close_what_is_open(dialogue, EndReason.GAVE_UP)
        lines.append(close_dialogue(dialogue, DialogueStatus.VOID, VOIDED, at, _masked(dialogue, because)))
        return Outcome(told=[write(dialogue, lines, at, first_seq=first_seq)], stopped=dialogue.pk)
    if dialogue.status not in CLOSED_AND_COUNTED:
        raise NotPossible(gettext_noop("The dialogue counts nowhere already."))
    return Outcome(told=[write(dialogue, [_voided(dialogue, VOIDED, because)], at)])


def make_count_again(dialogue: Dialogue, because: str, at: datetime) -> Outcome:
    """Takes back that a closed dialogue (`held`) was declared void. Errors: `NotPossible` where something followed."""
    if dialogue.status != DialogueStatus.VOID or dialogue.reason != VOIDED:
        raise NotPossible(gettext_noop("Nobody has declared this dialogue void."))
    reason, status = _reason_before(dialogue), outcome_of(dialogue)
    if reason == VOIDED:
        raise NotPossible(gettext_noop("The dialogue was open when it was declared void: its tester does it again."))
    if status == DialogueStatus.VOID:
        raise NotPossible(
            gettext_noop("The dialogue ended on a failure that is not the system's: reassign that fault first.")
        )
    _check_place_is_free(dialogue)
    return Outcome(told=[write(dialogue, [_restored(dialogue, status, reason, because)], at)])


def last_failure(dialogue: Dialogue, number: int) -> Attempt:
    """The failure that a turn of the dialogue (`held`) stopped at. Errors: `NotPossible` where the turn did not fail, `InFlight`."""
    if _waiting(dialogue).exists():
        raise InFlight
    stopped_at = Attempt.objects.filter(turn__dialogue=dialogue, turn__number=number, turn__status=TurnStatus.FAILED)
    attempt = stopped_at.filter(is_current=True, outcome=Attempt.Outcome.FAILURE).select_related("turn").first()
    if attempt is None:
        raise NotPossible(gettext_noop("This turn has not failed."))
    return attempt


def failure_of(dialogue: Dialogue, asked: WaitingTurn) -> Attempt:
    """The failure of that very attempt at a turn of the dialogue (`held`). Errors: `NotPossible` where it did not fail, `InFlight`."""
    attempts = Attempt.objects.filter(turn=asked.id, number=asked.attempt_number, outcome=Attempt.Outcome.FAILURE)
    attempt = attempts.select_related("turn").first()
    # Before it is stored the attempt itself is what waits.
    if (attempt is None or attempt.is_current) and _waiting(dialogue).exists():
        raise InFlight
    if attempt is None:
        raise NotPossible(gettext_noop("This turn has not failed."))
    return attempt


def rebook(dialogue: Dialogue, failed: Attempt, fault: Fault, because: str, at: datetime) -> tuple[Outcome, str]:
    """Rebooks a failure in the dialogue (`held`); whether the dialogue is void follows. Gives the previous fault.

    A turn that was asked again since has told of another outcome: its earlier failure counts for the retries alone, and no
    line follows. Errors: `NotPossible` where the fault is booked so, or another dialogue has its place by now.
    """
    before = failed.fault
    if before == fault:
        raise NotPossible(gettext_noop("The failure is already recorded that way."))
    failed.fault, failed.measured_fault = fault, failed.measured_fault or before
    failed.save(update_fields=["fault", "measured_fault"])
    if not failed.is_current:
        return Outcome(), before
    lines: list[LedgerLine] = [FaultBooked(failed.turn.number, fault, _masked(dialogue, because))]
    lines += what_follows(dialogue, because)
    return Outcome(told=[write(dialogue, lines, at)]), before


def _waiting(dialogue: Dialogue) -> QuerySet[Turn]:
    return dialogue.turns.filter(status=TurnStatus.WAITING)


def what_follows(dialogue: Dialogue, because: str) -> list[LedgerLine]:
    """A closed dialogue becomes void, or is so no longer, as if the failure had been booked so from the beginning."""
    is_void_by_fault = dialogue.status == DialogueStatus.VOID and dialogue.reason != VOIDED
    if dialogue.status not in CLOSED_AND_COUNTED and not is_void_by_fault:
        return []
    status = outcome_of(dialogue)
    if status == dialogue.status or (is_void_by_fault and is_given_up_early(dialogue, dialogue.reason)):
        return []
    if status == DialogueStatus.VOID:
        return [_voided(dialogue, dialogue.reason, because)]
    _check_place_is_free(dialogue)
    return [_restored(dialogue, status, dialogue.reason, because)]


def _check_place_is_free(dialogue: Dialogue) -> None:
    # Openings hold the campaign while they make a dialogue: after this none of the assignment comes before the commit.
    Campaign.objects.held(dialogue.assignment.campaign_id)
    dialogue.assignment.refresh_from_db(fields=["tester"])
    if Dialogue.with_programs.filter(assignment=dialogue.assignment_id).counted().exists():
        raise NotPossible(gettext_noop("The assignment was done again meanwhile: declare that dialogue void first."))
    if dialogue.talker_id not in (None, dialogue.assignment.tester_id):
        raise NotPossible(gettext_noop("The assignment belongs to another tester by now: take it back first."))


def _voided(dialogue: Dialogue, reason: str, because: str) -> DialogueVoided:
    dialogue.status, dialogue.reason = DialogueStatus.VOID, reason
    dialogue.save(update_fields=["status", "reason"])
    return DialogueVoided(_masked(dialogue, because))


def _restored(dialogue: Dialogue, status: DialogueStatus, reason: str, because: str) -> DialogueRestored:
    dialogue.status, dialogue.reason = status, reason
    dialogue.save(update_fields=["status", "reason"])
    return DialogueRestored(status, reason, _masked(dialogue, because))


def _reason_before(dialogue: Dialogue) -> str:
    """Why the dialogue closed, by its ledger; one that was imported has no line about it."""
    closed = LedgerEvent.objects.filter(dialogue=dialogue, kind=DialogueClosed.kind).order_by("seq").last()
    return str(json.loads(closed.frame)["reason"]) if closed else ""


def _masked(dialogue: Dialogue, because: str) -> str:
    """The reason as sent to sockets, with names of makers masked."""
    return masker_of(masked_words(dialogue.assignment.campaign)).mask(because)


@transaction.atomic
def reassign(*, assignment: Assignment, to: Person, by: Person | None, because: str, at: datetime) -> Assignment:
    """The assignment comes last in the list of its new tester; what its old one said in it stays theirs.

    Nobody gets the same bot and scenario twice, as no drawing gives them. Errors: `ReasonNeeded`; `NotPossible` where
    there is a dialogue that counts, or the person is no tester, has an interest in the bot or had the pair before.
    """
    because = reason_of(because)
    # Openings hold this row, too: what has no dialogue now gets none before the commit.
    campaign = Campaign.objects.held(assignment.campaign_id)
    refuse_after_the_end(campaign, at)
    now = Assignment.objects.select_related("tester", "entry", "scenario").filter(pk=assignment.pk).first()
    if now is None:
        raise NotPossible(gettext_noop("The plan was drawn again without this assignment."))
    _check_may_have(now, campaign, to)
    before = now.tester.username
    last = Assignment.objects.filter(campaign=campaign, tester=to).aggregate(last=Max("position"))["last"]
    now.tester, now.position = to, (last or 0) + 1
    now.save(update_fields=["tester", "position"])
    said = {"assignment": now.pk, "from": before, "to": to.username, "scenario": now.scenario.key}
    record(
        ASSIGNMENT_REASSIGNED, by=by, at=at, campaign=campaign.slug, about=f"{now.entry.alias} · {now.scenario.key}",
        because=because, details=said,
    )  # fmt: skip
    return now


def _check_may_have(assignment: Assignment, campaign: Campaign, to: Person) -> None:
    dialogues = Dialogue.objects.filter(assignment=assignment)
    if dialogues.filter(origin=Dialogue.Origin.IMPORTED).exists():
        raise NotPossible(gettext_noop("The assignment only holds an imported dialogue: nobody does it again."))
    if dialogues.counted().exists():
        raise NotPossible(gettext_noop("The assignment has a dialogue: declare that void first."))
    if to.pk == assignment.tester_id:
        raise NotPossible(gettext_noop("%(name)s has this assignment already."), name=to.username)
    if not to.is_active or not campaign.roles.at_work().testers().filter(person=to).exists():
        raise NotPossible(gettext_noop("%(name)s is not a tester here."), name=to.username)
    if not may_judge(to, assignment.entry_id):
        raise NotPossible(gettext_noop("%(name)s takes part for a team and cannot test this system."), name=to.username)
    if had_pair(assignment).filter(tester=to).exists():
        raise NotPossible(gettext_noop("%(name)s has had this system and scenario already."), name=to.username)


def had_pair(assignment: Assignment) -> QuerySet[Assignment]:
    """Every assignment of the same bot and scenario."""
    return Assignment.objects.filter(entry=assignment.entry_id, scenario=assignment.scenario_id)
