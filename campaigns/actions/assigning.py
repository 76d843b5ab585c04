"""Draws who talks to which bot about what, and stores it."""

from django.db import transaction

from accounts.models import Person
from campaigns.drawing import draw_plan
from campaigns.models import Assignment, Campaign, Role


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
