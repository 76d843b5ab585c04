"""Gives what a tester was to do to another one."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.interests import may_judge
from campaigns.models import Assignment, Campaign, Role
from campaigns.reasons import reason_of
from dialogues.actions.deciding import NotPossible, refuse_after_the_end
from dialogues.acts import ASSIGNMENT_REASSIGNED
from dialogues.models import Dialogue


@transaction.atomic
def reassign(*, assignment: Assignment, to: Person, by: Person | None, because: str, at: datetime) -> Assignment:
    """The assignment comes last in the list of its new tester; what its old one said in it stays theirs.

    Nobody gets the same bot and scenario twice, as no drawing gives them. Errors: `ReasonNeeded`; `NotPossible` where
    there is a dialogue that counts, or the person is no tester, has an interest in the bot or had the pair before.
    """
    because = reason_of(because)
    # Openings hold this row, too: what has no dialogue now gets none before the commit.
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=assignment.campaign_id)
    refuse_after_the_end(campaign, at)
    now = Assignment.objects.select_related("tester", "entry", "scenario").filter(pk=assignment.pk).first()
    if now is None:
        raise NotPossible(_("The plan was drawn again without this assignment."))
    _check(now, campaign, to)
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


def _check(assignment: Assignment, campaign: Campaign, to: Person) -> None:
    dialogues = Dialogue.objects.filter(assignment=assignment)
    if dialogues.filter(origin=Dialogue.Origin.IMPORTED).exists():
        raise NotPossible(_("The assignment only holds an imported dialogue: nobody does it again."))
    if dialogues.counted().exists():
        raise NotPossible(_("The assignment has a dialogue: declare that void first."))
    if to.pk == assignment.tester_id:
        raise NotPossible(_("%(name)s has this assignment already.") % {"name": to.username})
    if not to.is_active or not campaign.roles.at_work().filter(person=to, role=Role.TESTER).exists():
        raise NotPossible(_("%(name)s is not a tester here.") % {"name": to.username})
    if not may_judge(to, assignment.entry_id):
        text = _("%(name)s takes part for a team and cannot test this system.")
        raise NotPossible(text % {"name": to.username})
    if had_pair(assignment).filter(tester=to).exists():
        raise NotPossible(_("%(name)s has had this system and scenario already.") % {"name": to.username})


def had_pair(assignment: Assignment) -> QuerySet[Assignment]:
    """Every assignment of the same bot and scenario."""
    return Assignment.objects.filter(entry=assignment.entry_id, scenario=assignment.scenario_id)
