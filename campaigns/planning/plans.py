"""What a campaign's plan asks for: who talks to which bot about what. Pure: the same seed gives the same plan.

Nothing is drawn from a name, only from its place in the `Ground`: other names in the same order get the same plan.

full          each tester talks to each bot about each scenario
per_cell      N testers talk to each bot about each scenario
random_goals  N dialogues per bot, with scenarios drawn at random
quota         N dialogues per bot and skill, with scenarios of that skill
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum

from campaigns.planning.drawing import Drawn, draw_plan
from campaigns.planning.interleaving import interleaved, lot


class PlanKind(StrEnum):
    FULL = "full"
    PER_CELL = "per_cell"
    RANDOM_GOALS = "random_goals"
    QUOTA = "quota"


@dataclass(frozen=True, slots=True)
class Plan:
    kind: PlanKind = PlanKind.FULL
    testers_per_cell: int = 1
    dialogues_per_bot: int = 0
    quota: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ground:
    """Whom and what a plan is drawn over, each in the order that it is drawn from. `skills` maps each scenario to its skill.

    `barred` are the pairs of tester and bot that are never drawn: the tester has an interest in the bot.
    """

    testers: Sequence[str]
    bots: Sequence[str]
    skills: Mapping[str, str]
    barred: AbstractSet[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Demand:
    """`n` dialogues with a bot about some of these scenarios; `is_distinct`: no tester has the same one twice."""

    bot: str
    scenarios: tuple[str, ...]
    n: int
    skill: str = ""
    is_distinct: bool = False


@dataclass(frozen=True, slots=True)
class Shortfall:
    """`n` dialogues without a tester to draw: too few testers, or no scenario of that skill."""

    bot: str
    scenario: str
    skill: str
    n: int


def demands(plan: Plan, ground: Ground) -> list[Demand]:
    """What the plan asks of each bot; the full plan asks of testers instead (`draw_plan`)."""
    return [demand for bot in ground.bots for demand in _demands_of(bot, plan, ground)]


def n_asked(plan: Plan, ground: Ground) -> int:
    """The most assignments that the plan has over this ground. Counting draws nothing."""
    n_testers, n_bots, n_scenarios = len(ground.testers), len(ground.bots), len(ground.skills)
    match plan.kind:
        case PlanKind.FULL:
            testers = set(ground.testers)
            return (n_testers * n_bots - sum(tester in testers for tester, _bot in ground.barred)) * n_scenarios
        case PlanKind.PER_CELL:
            return n_bots * n_scenarios * min(plan.testers_per_cell, n_testers)
        case PlanKind.RANDOM_GOALS:
            return n_bots * plan.dialogues_per_bot
    return n_bots * sum(plan.quota.values())


def _demands_of(bot: str, plan: Plan, ground: Ground) -> Iterator[Demand]:
    if plan.kind is PlanKind.PER_CELL:
        for scenario, skill in ground.skills.items():
            yield Demand(bot, (scenario,), plan.testers_per_cell, skill, is_distinct=True)
    elif plan.kind is PlanKind.RANDOM_GOALS:
        yield Demand(bot, tuple(ground.skills), plan.dialogues_per_bot)
    elif plan.kind is PlanKind.QUOTA:
        for wanted, n in plan.quota.items():
            scenarios = tuple(scenario for scenario, skill in ground.skills.items() if skill == wanted)
            yield Demand(bot, scenarios, n, wanted)


def draw_fresh(plan: Plan, ground: Ground, *, seed: int) -> tuple[list[Drawn], list[Shortfall]]:
    """The plan of a campaign in which nothing has begun, positions 1… per tester; and what nobody can be drawn for."""
    if plan.kind is PlanKind.FULL:
        drawn = draw_plan(ground.testers, ground.bots, list(ground.skills), seed=seed)
        return [one for one in drawn if (one.tester, one.bot) not in ground.barred], []
    sharing = Sharing(ground.testers, random.Random(seed), ground.barred)
    for demand in sharing.shuffled(demands(plan, ground)):
        sharing.meet(demand)
    return in_order(sharing.added, ground, seed=seed), sharing.short


def in_order(pairings: Iterable["Pairing"], ground: Ground, *, seed: int) -> list[Drawn]:
    """Each tester's pairings, shuffled and mixed over bots, with positions 1…"""
    testers, bots, scenarios = map(_places, (ground.testers, ground.bots, ground.skills))

    def drawn_lot(one: Pairing) -> bytes:
        return lot(seed, testers[one.tester], bots[one.bot], scenarios[one.scenario], one.number)

    own: dict[str, list[Pairing]] = {}
    for pairing in pairings:
        own.setdefault(pairing.tester, []).append(pairing)
    return [
        Drawn(tester, pairing.bot, pairing.scenario, position)
        for tester, theirs in own.items()
        for position, pairing in enumerate(interleaved(theirs, kind_of=lambda one: one.bot, lot_of=drawn_lot), start=1)
    ]


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


@dataclass(frozen=True, slots=True)
class Pairing:
    """A tester who is to talk to a bot about a scenario, for the `number`-th time in this drawing."""

    tester: str
    bot: str
    scenario: str
    number: int = 1


class Sharing:
    """Shares dialogues out: who has how much left to do, and what was drawn how often."""

    def __init__(
        self, testers: Sequence[str], rng: random.Random, barred: AbstractSet[tuple[str, str]] = frozenset()
    ) -> None:
        self.testers = list(testers)
        self.barred = barred
        self.rng = rng
        self.left: Counter[str] = Counter()
        self.had: Counter[tuple[str, str, str]] = Counter()
        self.with_bot: Counter[tuple[str, str]] = Counter()
        self.about: Counter[tuple[str, str]] = Counter()
        self.in_cell: Counter[tuple[str, str]] = Counter()
        self.uses: Counter[str] = Counter()
        self.added: list[Pairing] = []
        self.short: list[Shortfall] = []

    def shuffled(self, wanted: Sequence[Demand]) -> list[Demand]:
        """Bot after bot, in random order: loads are even all along, so each tester gets as much of each bot."""
        lots = {demand.bot: self.rng.random() for demand in wanted}
        return sorted(self.rng.sample(wanted, len(wanted)), key=lambda demand: lots[demand.bot])

    def note(self, tester: str, bot: str, scenario: str, *, is_left: bool) -> None:
        """Counts a dialogue that is done or to be done; `is_left`: its tester has still to do it."""
        self.left[tester] += is_left
        self.had[tester, bot, scenario] += 1
        self.with_bot[tester, bot] += 1
        self.about[tester, scenario] += 1
        self.in_cell[bot, scenario] += 1
        self.uses[scenario] += 1

    def forget(self, tester: str, bot: str, scenario: str) -> None:
        """Takes back a dialogue that was noted as left to do."""
        self.left[tester] -= 1
        self.had[tester, bot, scenario] -= 1
        self.with_bot[tester, bot] -= 1
        self.about[tester, scenario] -= 1
        self.in_cell[bot, scenario] -= 1
        self.uses[scenario] -= 1

    def meet(self, demand: Demand) -> None:
        """Draws the missing part of the demand; what cannot be drawn is noted as short."""
        n_missing = demand.n - sum(self.in_cell[demand.bot, scenario] for scenario in demand.scenarios)
        if n_missing > 0 and not demand.scenarios:
            self.short.append(Shortfall(demand.bot, "", demand.skill, n_missing))
            return
        # Scenario after scenario: a tester drawn for one in between would unbalance who is free for it.
        chosen = self.choose(demand, n_missing)
        for scenario in demand.scenarios:
            n = chosen[scenario]
            n_drawn = sum(self.draw_tester(demand, scenario) for _ in range(n))
            if n_drawn < n:
                self.short.append(Shortfall(demand.bot, scenario, demand.skill, n - n_drawn))

    def choose(self, demand: Demand, n: int) -> Counter[str]:
        """`n` scenarios: those that this bot has least often, among them those that all bots have least often."""
        chosen: Counter[str] = Counter()
        for _ in range(n):
            scenario = min(
                demand.scenarios,
                key=lambda one: (
                    self.in_cell[demand.bot, one] + chosen[one],
                    self.uses[one] + chosen[one],
                    self.rng.random(),
                ),
            )
            chosen[scenario] += 1
        return chosen

    def draw_tester(self, demand: Demand, scenario: str) -> bool:
        """Gives the dialogue to the tester with the least left, preferring one who never had it; False if there is none."""
        bot = demand.bot
        free = [
            one
            for one in self.testers
            if (one, bot) not in self.barred and not (demand.is_distinct and self.had[one, bot, scenario])
        ]
        if not free:
            return False
        tester = min(
            free,
            key=lambda one: (
                self.had[one, bot, scenario],
                self.left[one],
                self.with_bot[one, bot],
                self.about[one, scenario],
                self.rng.random(),
            ),
        )
        self.note(tester, bot, scenario, is_left=True)
        self.added.append(Pairing(tester, bot, scenario, self.had[tester, bot, scenario]))
        return True
