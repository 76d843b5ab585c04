"""Over whom and what a campaign's plan is drawn, under the names of a bundle, and whether its readers can draw it again."""

from collections.abc import Iterable, Iterator
from typing import Any

from campaigns.actions.assigning import ground_of, plan_of
from campaigns.hidden_orders import bots_in_hidden_order, in_hidden_order
from campaigns.models import Campaign
from campaigns.plans import Ground, PlanKind
from publication.bundle.names import SCENARIO, SKILL, Names
from verification import plans

FIELDS = ("tester__username", "entry__key", "scenario__key")


class AsTheyAre:
    """No names of a bundle: for whoever only counts."""

    hides_teams = False

    def person(self, username: str) -> str:
        return username

    def identifier(self, kind: str, text: str) -> str:
        return text


def can_be_drawn(campaign: Campaign) -> bool:
    """Whether the plan is no larger than a verification draws (`verification/plans.py`)."""
    return plans.is_drawable(plan_settings(campaign, AsTheyAre()), _ground(campaign, AsTheyAre(), str))


def ground_told(campaign: Campaign, names: Names) -> Ground:
    """Everybody and everything that the plan would be drawn over now, or has drawn, in the orders that it is drawn from."""
    return _ground(campaign, names, lambda key: names.bot(key).key)


def plan_settings(campaign: Campaign, names: Any) -> dict[str, Any]:
    """What campaign.json says of the plan."""
    plan = plan_of(campaign)
    return {
        "plan": plan.kind,
        "testers_per_cell": plan.testers_per_cell,
        "dialogues_per_bot": plan.dialogues_per_bot,
        "quota": quota_told(plan.quota, names),
    }


def quota_told(quota: Any, names: Any) -> dict[str, Any]:
    """By skill; a skill that holds a name has a number in its place, the same wherever the plan names it."""
    return {names.identifier(SKILL, skill): n for skill, n in quota.items()}


def _ground(campaign: Campaign, names: Any, bot: Any) -> Ground:
    now, drawn = ground_of(campaign), campaign.assignments.filter(is_drawn=True)
    testers, bots, scenarios = (set(drawn.order_by().values_list(field, flat=True).distinct()) for field in FIELDS)
    entries = campaign.entries.filter(key__in=bots | set(now.bots)).values_list("key", "alias")
    keys = campaign.scenarios.filter(key__in=scenarios | set(now.skills)).order_by("key").values_list("key", "skill")
    # Of skills the quota alone asks; its own are told among the settings.
    asked = campaign.quota if plan_of(campaign).kind is PlanKind.QUOTA else {}
    return Ground(
        testers=[names.person(one) for one in in_hidden_order(campaign, testers | set(now.testers))],
        bots=[bot(key) for key in bots_in_hidden_order(campaign, entries)],
        skills=dict(_skills(keys, asked, names)),
    )


def _skills(keys: Iterable[tuple[str, str]], asked: Iterable[str], names: Any) -> Iterator[tuple[str, str]]:
    for key, skill in keys:
        yield names.identifier(SCENARIO, key), names.identifier(SKILL, skill) if skill in asked else ""
