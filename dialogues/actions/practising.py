"""Has a team talk to its own bot on a practice scenario: in the console of testers, and in no figure."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop

from accounts.models import Person
from campaigns.calendar import Doing
from campaigns.models import Assignment, Entry, Scenario, TeamMember
from dialogues.actions.opening import NotOffered, begun, held_campaign, hold_openings_of
from dialogues.actions.season import refuse_unless_open
from dialogues.models import Dialogue
from dialogues.turn_taking import Refusal, RefusalCode


@transaction.atomic
def open_practice(*, entry: Entry, scenario: Scenario, person: Person, at: datetime) -> Dialogue:
    """A practice dialogue of the person with the bot; one in which nothing was said yet is given again.

    It may pause meanwhile: that is when its team wants to try it. Errors: `NotTestingNow` once the time to finish dialogues
    is over; `NotOffered` for another team's bot, one without an address, and a scenario that is not for practice;
    `Refusal` (`forbidden`) where as many are open as a tester may have.
    """
    hold_openings_of(person.pk)
    campaign = held_campaign(entry.campaign_id)
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
