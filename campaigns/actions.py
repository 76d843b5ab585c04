"""What can be done with campaigns: load one from its file, draw its plan, give it tokens and passwords."""

from collections.abc import Iterable

from django.db import transaction

from accounts.actions import issue_password, issue_token
from accounts.models import Person
from campaigns.campaign_file import CampaignSpec
from campaigns.drawing import draw_plan
from campaigns.load_report import LoadReport
from campaigns.loading import Loading
from campaigns.models import Assignment, Campaign, Role


@transaction.atomic
def load_campaign(*, spec: CampaignSpec) -> tuple[Campaign, list[str]]:
    """Creates or updates the campaign; gives it with one sentence per change (none: the file said nothing new).

    What has begun (an assignment of it has a dialogue) keeps its rules: such a change is refused.
    Errors: `BadFile`; then nothing is changed.
    """
    report = LoadReport()
    campaign = Loading(spec, report).load(Campaign.objects.select_for_update().filter(slug=spec.slug).first())
    report.refuse()
    if not campaign.free_choice:
        n_drawn = draw_assignments(campaign=campaign)
        if n_drawn:
            report.add_change(f"{n_drawn} assignments drawn")
    return campaign, report.changes


@transaction.atomic
def draw_assignments(*, campaign: Campaign) -> int:
    """Draws the full plan and adds what is missing of it; before the first dialogue the plan is drawn anew.

    Gives the number of assignments added.
    """
    testers = list(
        campaign.roles.filter(role=Role.TESTER).order_by("person__username").values_list("person__username", flat=True)
    )
    entries = {entry.key: entry for entry in campaign.entries.with_address().order_by("key")}
    scenarios = {scenario.key: scenario for scenario in campaign.scenarios.order_by("key")}
    people = {person.username: person for person in Person.objects.filter(username__in=testers)}
    plan = draw_plan(testers, list(entries), list(scenarios), seed=campaign.drawing_seed)
    drawn = campaign.assignments.filter(is_drawn=True)
    planned = {(row.tester, row.bot, row.scenario) for row in plan}
    there = set(drawn.values_list("tester__username", "entry__key", "scenario__key"))
    if there == planned:
        return 0
    if not campaign.has_begun():
        drawn.delete()
        there = set()
    missing = [row for row in plan if (row.tester, row.bot, row.scenario) not in there]
    Assignment.objects.bulk_create(
        Assignment(
            campaign=campaign,
            tester=people[row.tester],
            entry=entries[row.bot],
            scenario=scenarios[row.scenario],
            position=row.position,
        )
        for row in missing
    )
    return len(missing)


@transaction.atomic
def issue_tokens(*, campaign: Campaign) -> dict[str, str]:
    """A new API token for each person of the campaign, by user name. Only its hash is stored."""
    return {person.username: issue_token(person=person) for person in people_of(campaign)}


def issue_passwords(*, campaign: Campaign) -> dict[str, str]:
    """A password for each person of the campaign who has none yet, by user name."""
    without = [person for person in people_of(campaign) if not person.has_usable_password()]
    return {person.username: issue_password(person=person) for person in without}


def people_of(campaign: Campaign) -> Iterable[Person]:
    return Person.objects.filter(campaign_roles__campaign=campaign).distinct().order_by("username")
