"""plan.json and assignments.jsonl: who was to talk to which bot about what, and what of it the seed draws again.

While a dialogue or review is to come, the seed and what nobody has begun would tell testers and reviewers what is ahead of them.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from campaigns.actions.assigning import ground_of, plan_of
from campaigns.drawing import Drawn
from campaigns.hidden_orders import bots_in_hidden_order, in_hidden_order, plan_seed
from campaigns.models import Assignment, Campaign
from campaigns.plans import Ground, PlanKind
from leaderboards.bundle.campaign_document import tells_seed
from leaderboards.bundle.names import SCENARIO, Names
from leaderboards.verification import plans
from testing_console.models import Dialogue

Object = dict[str, Any]
FIELDS = ("tester__username", "entry__key", "scenario__key", "repetition", "position", "is_drawn", "pk")


def plan_document(campaign: Campaign, names: Names) -> Object:
    """Over whom and what the plan is drawn, each in its order, and how much of it nobody was assigned; null without the seed."""
    if not tells_seed(campaign):
        return {"plan": None}
    ground = _ground(campaign, names)
    drawn = _drawn(campaign, ground)
    all_rows = _rows(campaign, names)
    rows = [_as_drawn(row) for row in all_rows if row["made_by"] != plans.BY_HAND]
    return {
        "plan": {
            "testers": list(ground.testers),
            "bots": list(ground.bots),
            "scenarios": [{"scenario": key, "skill": skill} for key, skill in ground.skills.items()],
            "n_assignments": len(all_rows),
            "n_drawn": len(drawn),
            "n_not_assigned": plans.made_by(rows, drawn)[1],
            "drawn_sha256": plans.digest_of(drawn),
        }
    }


def assignments(campaign: Campaign, names: Names) -> Iterator[Object]:
    """Sorted by what they are called here: any other order could tell who came first."""
    rows = list(_rows(campaign, names))
    if tells_seed(campaign):
        of_plan = [row for row in rows if row["made_by"] != plans.BY_HAND]
        drawn = _drawn(campaign, _ground(campaign, names))
        made, _ = plans.made_by([_as_drawn(row) for row in of_plan], drawn)
        for row, how in zip(of_plan, made, strict=True):
            row["made_by"] = how
    yield from rows


def _rows(campaign: Campaign, names: Names) -> list[Object]:
    dialogues = _dialogues(campaign)
    rows = [
        {
            "tester": names.person(tester),
            "bot": names.bot(entry).key,
            "scenario": names.identifier(SCENARIO, scenario),
            "repetition": repetition,
            "position": position,
            "made_by": plans.DRAWN if is_drawn else plans.BY_HAND,
            "dialogues": dialogues.get(pk, []),
        }
        for tester, entry, scenario, repetition, position, is_drawn, pk in _told(campaign).values_list(*FIELDS)
    ]
    return sorted(
        rows, key=lambda row: (row["tester"], row["position"], row["bot"], row["scenario"], row["repetition"])
    )


def _dialogues(campaign: Campaign) -> dict[int, list[str]]:
    """By assignment, in the order of their beginning."""
    found: dict[int, list[str]] = {}
    told = Dialogue.objects.of_campaign(campaign).order_by("opened_at", "pk").values_list("assignment_id", "pk")
    for assignment, dialogue in told:
        found.setdefault(assignment, []).append(str(dialogue))
    return found


def _told(campaign: Campaign) -> "QuerySet[Assignment]":
    """Ordered as `dialogues.jsonl` is: people are numbered by their first appearance."""
    told = campaign.assignments.order_by("pk")
    return told if tells_seed(campaign) else told.filter(Exists(Dialogue.objects.filter(assignment=OuterRef("pk"))))


def _drawn(campaign: Campaign, ground: Ground) -> list[Drawn]:
    plan = plan_of(campaign)
    settings = {
        "plan": plan.kind,
        "testers_per_cell": plan.testers_per_cell,
        "dialogues_per_bot": plan.dialogues_per_bot,
        "quota": plan.quota,
    }
    return plans.drawn_plan(settings, ground, plan_seed(campaign))


def _ground(campaign: Campaign, names: Names) -> Ground:
    """Everybody and everything that the plan would be drawn over now, or has drawn, in the orders that it is drawn from."""
    now, drawn = ground_of(campaign), campaign.assignments.filter(is_drawn=True)
    testers, bots, scenarios = (set(drawn.values_list(field, flat=True)) for field in FIELDS[:3])
    entries = campaign.entries.filter(key__in=bots | set(now.bots)).values_list("key", "alias")
    keys = campaign.scenarios.filter(key__in=scenarios | set(now.skills)).order_by("key").values_list("key", "skill")
    # Of skills the quota alone asks; its own are told among the settings.
    asked = campaign.quota if plan_of(campaign).kind is PlanKind.QUOTA else {}
    return Ground(
        testers=[names.person(one) for one in in_hidden_order(campaign, testers | set(now.testers))],
        bots=[names.bot(key).key for key in bots_in_hidden_order(campaign, entries)],
        skills=dict(_skills(keys, asked, names)),
    )


def _skills(keys: Iterable[tuple[str, str]], asked: Iterable[str], names: Names) -> Iterator[tuple[str, str]]:
    for key, skill in keys:
        yield names.identifier(SCENARIO, key), skill if skill in asked else ""


def _as_drawn(row: Object) -> Drawn:
    return Drawn(row["tester"], row["bot"], row["scenario"], row["position"])
