"""Opens dialogues: of an assignment, of a free choice, in place of one whose bot fails, and for a team's practice."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop

from accounts.models import Person
from campaigns.actions.consenting import consent_due
from campaigns.calendar import Doing
from campaigns.interests import may_judge
from campaigns.models import Assignment, Campaign, CampaignRole, Entry, Role, Scenario, TeamMember
from dialogues.actions.ledger import refuse_unless_open
from dialogues.models import Dialogue, DialogueSubtask
from dialogues.pauses import outside_shift, shift_of
from dialogues.progress import another_assignment, another_bot, assignment_rows
from dialogues.turn_policy import TurnPolicy, turn_policy_of
from dialogues.turn_taking import Refusal, RefusalCode, SubtaskStatus

PAUSED = gettext_noop("%(alias)s is paused: open another assignment on your list.")
INTEREST = gettext_noop(
    "You take part for a team, so you cannot test %(alias)s: the organizer gives this assignment to somebody else."
)
GONE = gettext_noop("%(alias)s is not taking part at the moment: open another assignment on your list.")
CLOSED = gettext_noop("%(alias)s is closed at this hour: open another assignment on your list.")
UNCHECKED = gettext_noop("%(alias)s has to be checked first: open another assignment on your list.")


class NotOffered(Refusal):
    """What the tester wants to open is not theirs to open now."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__(RefusalCode.FORBIDDEN, text, **values)


class OffShift(Refusal):
    """It is not an hour of the tester's shift."""

    def __init__(self) -> None:
        super().__init__(RefusalCode.FORBIDDEN, gettext_noop("You are not on shift now: your list says when you are."))


class PausedTester(Refusal):
    """An organizer has paused the tester, who reads the reason on the list."""

    def __init__(self) -> None:
        super().__init__(RefusalCode.FORBIDDEN, gettext_noop("You are paused in this campaign: your list says why."))


class ConsentMissing(Refusal):
    """The tester has not agreed yet to what the campaign asks; the list shows it."""

    def __init__(self) -> None:
        text = gettext_noop("Agree first to what the campaign asks of testers: your list shows it.")
        super().__init__(RefusalCode.FORBIDDEN, text)


@transaction.atomic
def open_dialogue(*, assignment: Assignment, at: datetime) -> Dialogue:
    """The open or closed dialogue that the assignment has, or a new one.

    An assignment that stands apart is a program's: it may be opened before the day, to rehearse, and as many at once as are drawn.

    Errors: `NotTestingNow` outside of the time of testing; `Refusal` (`forbidden`) when the tester has as many open dialogues
    as the campaign allows; `PausedTester`; `ConsentMissing`; `OffShift`; `NotOffered` when the bot pauses, is closed or was withdrawn, when the tester has an interest in
    it, or when the plan was drawn again without this assignment.
    """
    hold_openings_of(assignment.tester_id)
    _refuse_paused(assignment.campaign_id, assignment.tester_id)
    if (existing := _counted(assignment)) is not None:
        return existing
    # A load of its file holds the row, too: a dialogue has the caps of before or of after it, and a later load sees that the
    # campaign has begun. A campaign that was read before could give a dialogue no cap at all.
    campaign = Campaign.objects.held(assignment.campaign_id)
    # Checked again under the lock: no void dialogue of it can be restored any more.
    if (existing := _counted(assignment)) is not None:
        return existing
    if assignment.is_apart:
        refuse_rehearsing_after(campaign, at)
        assignment = _still_offered(assignment, campaign, at)
        return begun(assignment, campaign, at, Dialogue.Origin.PROGRAM)
    refuse_unless_open(campaign, Doing.TEST, at)
    if not assignment.tester.is_program and consent_due(campaign.pk, assignment.tester_id) is not None:
        raise ConsentMissing
    _refuse_off_shift(campaign, assignment.tester, at)
    assignment = _still_offered(assignment, campaign, at)
    n_open = Dialogue.objects.of_campaign(campaign).of_tester(assignment.tester).open().count()
    if n_open >= campaign.open_dialogues_per_tester:
        text = gettext_noop("%(n)d dialogues are open already, %(most)d may be: end one first.")
        raise Refusal(RefusalCode.FORBIDDEN, text, n=n_open, most=campaign.open_dialogues_per_tester)
    return begun(assignment, campaign, at, Dialogue.Origin.LIVE)


def begun(assignment: Assignment, campaign: Campaign, at: datetime, origin: Dialogue.Origin) -> Dialogue:
    """The dialogue of an assignment that has none."""
    policy = turn_policy_of(campaign)
    subtasks = list(assignment.scenario.subtasks.all())
    dialogue = Dialogue.objects.create(
        assignment=assignment,
        tester=assignment.tester,
        origin=origin,
        turn_cap=_exchanges(policy, campaign.turn_cap),
        subtask_cap=_exchanges(policy, subtasks[0].turn_cap),
        opened_at=at,
    )
    DialogueSubtask.objects.bulk_create(
        DialogueSubtask(
            dialogue=dialogue,
            index=subtask.position,
            kind=subtask.kind,
            turn_cap=_exchanges(policy, subtask.turn_cap, is_first=subtask.position == 1),
            status=SubtaskStatus.OPEN if subtask.position == 1 else SubtaskStatus.PENDING,
        )
        for subtask in subtasks
    )
    if assignment.started_at is None:
        assignment.started_at = at
        assignment.save(update_fields=["started_at"])
    return dialogue


def _counted(assignment: Assignment) -> Dialogue | None:
    return Dialogue.with_programs.filter(assignment=assignment).counted().first()


def _exchanges(policy: TurnPolicy, cap: int | None, *, is_first: bool = True) -> int | None:
    return None if cap is None else policy.exchanges(cap, is_first=is_first)


@transaction.atomic
def open_chosen_dialogue(
    *, campaign: Campaign, tester: Person, entry: Entry, scenario: Scenario, at: datetime
) -> Dialogue:
    """A new dialogue with a bot of the tester's own choice, where the campaign allows it; each is a repetition."""
    hold_openings_of(tester.pk)
    # Before the assignment is written, which holds the campaign less firmly: a firmer hold later could be a deadlock.
    campaign = Campaign.objects.held(campaign.pk)
    refuse_unless_open(campaign, Doing.TEST, at)
    if not campaign.free_choice:
        text = gettext_noop("This campaign works by assignment: open one of your assignments.")
        raise Refusal(RefusalCode.FORBIDDEN, text)
    assignment = beside_the_plan(campaign=campaign, tester=tester, entry=entry.pk, scenario=scenario.pk, at=at)
    return open_dialogue(assignment=assignment, at=at)


def beside_the_plan(*, campaign: Campaign, tester: Person, entry: int, scenario: int, at: datetime) -> Assignment:
    """The tester's next assignment of that system and scenario, by their ids, which no plan drew; stored. Call while the tester and the campaign are held.

    A program's stands apart, unless the campaign counts programs.
    """
    own = Assignment.with_programs.filter(campaign=campaign, tester=tester)
    same = own.filter(entry=entry, scenario=scenario).aggregate(last=Max("repetition"))["last"] or 0
    return Assignment.objects.create(
        campaign=campaign,
        tester=tester,
        entry_id=entry,
        scenario_id=scenario,
        repetition=same + 1,
        position=(own.aggregate(last=Max("position"))["last"] or 0) + 1,
        is_drawn=False,
        made_at=at,
        is_apart=tester.is_program and not campaign.counts_program_testers,
    )


@transaction.atomic
def resume_or_open_chosen_dialogue(
    *, campaign: Campaign, tester: Person, entry: Entry, scenario: Scenario, at: datetime
) -> Dialogue:
    """The tester's open dialogue of this choice in which nothing was said yet, or a new one: a double click opens one.

    Errors: `Refusal` (`forbidden`), as for `open_chosen_dialogue`.
    """
    hold_openings_of(tester.pk)
    _refuse_paused(campaign.pk, tester.pk)
    own = Dialogue.with_programs.of_campaign(campaign).of_tester(tester).open()
    chosen = own.filter(assignment__entry=entry, assignment__scenario=scenario, assignment__is_drawn=False)
    untouched = chosen.filter(turns_used=0).order_by("opened_at").first()
    return untouched or open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=at)


def _still_offered(assignment: Assignment, campaign: Campaign, at: datetime) -> Assignment:
    """The assignment as it is now. Read after the campaign is held, as drawings hold it: none deletes it any more."""
    now = Assignment.with_programs.select_related("tester", "entry", "scenario").filter(pk=assignment.pk).first()
    if now is None:
        raise NotOffered(
            gettext_noop("The plan was drawn again without this assignment: open the next one on your list.")
        )
    if now.tester_id != assignment.tester_id:
        raise NotOffered(gettext_noop("The assignment was given to somebody else: open the next one on your list."))
    if not may_judge(now.tester, now.entry_id):
        raise NotOffered(INTEREST, alias=now.entry.alias)
    if not now.entry.can_be_talked_to:
        raise NotOffered(PAUSED if now.entry.paused_at and not now.entry.withdrawn_at else GONE, alias=now.entry.alias)
    if not now.entry.has_fresh_report(campaign, at):
        raise NotOffered(UNCHECKED, alias=now.entry.alias)
    if not now.entry.is_open(campaign, at):
        raise NotOffered(CLOSED, alias=now.entry.alias)
    return now


def _refuse_paused(campaign_id: int, tester_id: int) -> None:
    roles = CampaignRole.objects.filter(campaign=campaign_id, person=tester_id, role=Role.TESTER)
    if roles.exclude(paused_at=None).exists():
        raise PausedTester


def refuse_rehearsing_after(campaign: Campaign, at: datetime) -> None:
    """Before the day a program rehearses; after it, it is over for programs, too. Errors: `NotTestingNow`."""
    if campaign.testing_from is None or at >= campaign.testing_from:
        refuse_unless_open(campaign, Doing.TEST, at)


def _refuse_off_shift(campaign: Campaign, tester: Person, at: datetime) -> None:
    if outside_shift(shift_of(tester, campaign), campaign, at):
        raise OffShift


def hold_openings_of(tester_id: int) -> None:
    """Lets one opening of a tester come after the other: what is counted after this holds until the commit.

    Comes before anything is read; what was read before may be older than what the opening ahead committed.
    """
    Person.objects.select_for_update(no_key=True).values_list("pk").get(pk=tester_id)


@transaction.atomic
def open_instead(*, dialogue: Dialogue, tester: Person, at: datetime) -> Dialogue:
    """A dialogue of the next assignment in the drawn order, or with another bot about the same where testers choose.

    Errors: as for `open_dialogue`; `NotOffered` where nothing else can be begun.
    """
    campaign = dialogue.assignment.campaign
    row = another_assignment(assignment_rows(tester, campaign, at=at), dialogue)
    if row is not None:
        return open_dialogue(assignment=row.assignment, at=at)
    entry = another_bot(campaign, tester, dialogue, at)
    if entry is None:
        raise NotOffered(gettext_noop("Nothing else can be begun now."))
    scenario = dialogue.assignment.scenario
    return resume_or_open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=at)


@transaction.atomic
def open_practice(*, entry: Entry, scenario: Scenario, person: Person, at: datetime) -> Dialogue:
    """A practice dialogue of the person with the bot; one in which nothing was said yet is given again.

    It may pause meanwhile: that is when its team wants to try it. Errors: `NotTestingNow` once the time to finish dialogues
    is over; `NotOffered` for another team's bot, one without an address, and a scenario that is not for practice;
    `Refusal` (`forbidden`) where as many are open as a tester may have.
    """
    hold_openings_of(person.pk)
    campaign = Campaign.objects.held(entry.campaign_id)
    refuse_unless_open(campaign, Doing.FINISH, at)
    now = Entry.objects.select_related("bot").get(pk=entry.pk)
    is_own = TeamMember.objects.filter(campaign=campaign, person=person, team=now.bot.team_id).exists()
    if not (is_own and now.has_address and now.withdrawn_at is None and scenario.is_practice):
        raise NotOffered(gettext_noop("This cannot be practised."))
    own = Dialogue.everything.filter(
        origin=Dialogue.Origin.PRACTICE, tester=person, assignment__campaign=campaign
    ).open()
    untouched = own.filter(assignment__entry=now, assignment__scenario=scenario, turns_used=0).first()
    if untouched is not None:
        return untouched
    if own.count() >= campaign.open_dialogues_per_tester:
        text = gettext_noop("%(n)d practice dialogues are open already: end one first.")
        raise Refusal(RefusalCode.FORBIDDEN, text, n=campaign.open_dialogues_per_tester)
    return begun(_assignment(now, scenario, person), campaign, at, Dialogue.Origin.PRACTICE)


def _assignment(entry: Entry, scenario: Scenario, person: Person) -> Assignment:
    earlier = Assignment.everything.filter(tester=person, entry=entry, scenario=scenario)
    latest = earlier.aggregate(latest=Max("repetition"))["latest"] or 0
    return Assignment.objects.create(
        campaign_id=entry.campaign_id,
        tester=person,
        entry=entry,
        scenario=scenario,
        repetition=latest + 1,
        position=latest + 1,
        is_drawn=False,
        is_practice=True,
    )
