"""plan.json and assignments.jsonl: over whom a campaign's plan is drawn, and what of it the seed draws again, under the names of a bundle.

While a dialogue or review is to come, the seed and assignments that nobody has begun would show testers and reviewers what is ahead.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Exists, Min, OuterRef, QuerySet

from campaigns.actions.assigning import ground_of, plan_of
from campaigns.models import Assignment, Campaign
from campaigns.planning.drawing import Drawn
from campaigns.planning.hidden_orders import bots_in_hidden_order, in_hidden_order, plan_seed
from campaigns.planning.plans import Ground, PlanKind
from dialogues.models import Dialogue
from publication.bundle.names import SCENARIO, SKILL, Names
from reviews.models import ReviewPlace
from verification import plans

DRAWN_FROM = ("tester__username", "entry__key", "scenario__key")


class AsTheyAre:
    """No names of a bundle, for counting alone."""

    hides_teams = False

    def person(self, username: str) -> str:
        return username

    def identifier(self, kind: str, text: str) -> str:
        return text


def can_be_drawn(campaign: Campaign) -> bool:
    """Whether the plan is no larger than a verification draws (`verification/plans.py`)."""
    return plans.is_drawable(plan_settings(campaign, AsTheyAre()), _ground(campaign, AsTheyAre(), str))


def tells_seed(campaign: Campaign) -> bool:
    """Whether a plan was drawn that readers can draw again, and nothing is left to be talked about or reviewed: the seed tells whom one
    meets next.

    It tells nothing of aliases, nor which tester has which name (`campaigns/planning/hidden_orders.py`).
    """
    counted = Dialogue.objects.counted().filter(assignment=OuterRef("pk"))
    undone = campaign.assignments.filter(is_drawn=True, entry__withdrawn_at=None).exclude(Exists(counted))
    unreviewed = ReviewPlace.objects.to_do().filter(dialogue__assignment__campaign=campaign)
    open_now = Dialogue.objects.of_campaign(campaign).open()
    if campaign.free_choice or undone.exists() or open_now.exists() or unreviewed.exists():
        return False
    return can_be_drawn(campaign)


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
    testers, bots, scenarios = (set(drawn.order_by().values_list(field, flat=True).distinct()) for field in DRAWN_FROM)
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


Object = dict[str, Any]
FIELDS = ("entry__key", "scenario__key", "repetition", "position", "is_drawn", "pk")


class PlanTold:
    """Both files of one bundle: the plan is drawn once, and the assignments are read tester by tester.

    Of the assignments one tester's are held. Where the seed is told the whole plan is held as well, for it is drawn as a whole:
    0.1 kB for each drawn assignment, 0.3 kB while its digest is made, and no more than `plans.MOST_DRAWN` of them.
    """

    def __init__(self, campaign: Campaign, names: Names) -> None:
        self._campaign = campaign
        self._names = names
        self._plan: Object | None = None

    def assignments(self) -> Iterator[Object]:
        """Sorted by what they are called here: any other order could tell who came first."""
        is_seed_told = tells_seed(self._campaign)
        told = told_assignments(self._campaign, is_seed_told=is_seed_told)
        testers = sorted((self._names.person(one), one) for one in _testers(told))
        if not is_seed_told:
            for name, username in testers:
                yield from self._rows(told, name, username)
            return
        ground = ground_told(self._campaign, self._names)
        drawn = self._drawn(ground)
        left: dict[str, list[Drawn]] = defaultdict(list)
        for one in drawn:
            left[one.tester].append(one)
        n_assignments = n_not_assigned = 0
        for name, username in testers:
            rows = self._rows(told, name, username)
            n_not_assigned += _say_how_made(rows, left.pop(name, []))
            n_assignments += len(rows)
            yield from rows
        self._plan = {
            "testers": list(ground.testers),
            "bots": list(ground.bots),
            "scenarios": [{"scenario": key, "skill": skill} for key, skill in ground.skills.items()],
            "n_assignments": n_assignments,
            "n_drawn": len(drawn),
            "n_not_assigned": n_not_assigned + sum(map(len, left.values())),
            "drawn_sha256": plans.digest_of(drawn),
        }

    def document(self) -> Object:
        """Over whom and what the plan is drawn, each in its order, and how much of it nobody was assigned; null without the seed.

        Asked once all assignments were read.
        """
        return {"plan": self._plan}

    def _drawn(self, ground: Ground) -> list[Drawn]:
        return plans.drawn_plan(plan_settings(self._campaign, self._names), ground, plan_seed(self._campaign))

    def _rows(self, told: "QuerySet[Assignment]", name: str, username: str) -> list[Object]:
        dialogues = _dialogues(self._campaign, username)
        own = told.filter(tester__username=username).order_by("pk")
        rows = [
            {
                "tester": name,
                "bot": self._names.bot(entry).key,
                "scenario": self._names.identifier(SCENARIO, scenario),
                "repetition": repetition,
                "position": position,
                "made_by": plans.DRAWN if is_drawn else plans.BY_HAND,
                "dialogues": dialogues.get(pk, []),
            }
            for entry, scenario, repetition, position, is_drawn, pk in own.values_list(*FIELDS)
        ]
        return sorted(rows, key=lambda row: (row["position"], row["bot"], row["scenario"], row["repetition"]))


def told_assignments(campaign: Campaign, *, is_seed_told: bool) -> "QuerySet[Assignment]":
    """Those that a bundle has a row of."""
    told = campaign.assignments.all()
    return told if is_seed_told else told.filter(Exists(Dialogue.objects.filter(assignment=OuterRef("pk"))))


def _testers(told: "QuerySet[Assignment]") -> Iterator[str]:
    """Ordered as `dialogues.jsonl` is."""
    first = told.order_by().values("tester__username").annotate(first=Min("pk"))
    yield from first.order_by("first").values_list("tester__username", flat=True)


def _dialogues(campaign: Campaign, username: str) -> dict[int, list[str]]:
    """Those of one tester's assignments, by assignment, in the order of their beginning."""
    found: dict[int, list[str]] = {}
    of_tester = Dialogue.objects.of_campaign(campaign).filter(assignment__tester__username=username)
    for assignment, dialogue in of_tester.order_by("opened_at", "pk").values_list("assignment_id", "pk"):
        found.setdefault(assignment, []).append(str(dialogue))
    return found


def _say_how_made(rows: list[Object], drawn: list[Drawn]) -> int:
    """Says of each row of a tester how it came about; gives how many that the plan draws for the tester are not among them."""
    of_plan = [row for row in rows if row["made_by"] != plans.BY_HAND]
    made, n_not_assigned = plans.made_by(
        [Drawn(row["tester"], row["bot"], row["scenario"], row["position"]) for row in of_plan], drawn
    )
    for row, how in zip(of_plan, made, strict=True):
        row["made_by"] = how
    return n_not_assigned
