"""What a drawing changes of the assignments that exist. Pure: what has begun is never touched."""

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from campaigns.planning.drawing import Drawn
from campaigns.planning.plans import (
    Demand,
    Ground,
    Pairing,
    Plan,
    PlanKind,
    Sharing,
    Shortfall,
    demands,
    draw_fresh,
    in_order,
)

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Standing:
    """An assignment that exists. `is_void`: it began, but what was said counts nowhere, so it is to be done again."""

    id: int
    tester: str
    bot: str
    scenario: str
    position: int
    is_begun: bool = False
    is_void: bool = False

    @property
    def triple(self) -> Triple:
        return self.tester, self.bot, self.scenario


@dataclass(frozen=True, slots=True)
class Changes:
    """`move` says which of the assignments that are left come at another place of their tester's order."""

    add: list[Drawn] = field(default_factory=list)
    take_away: list[Standing] = field(default_factory=list)
    leave: list[Standing] = field(default_factory=list)
    move: dict[int, int] = field(default_factory=dict)
    short: list[Shortfall] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.add or self.take_away)

    def digest(self) -> str:
        """The same for the same changes, almost never the same for others."""
        said = [sorted((*row.triple, row.position) for row in self.add), sorted(row.id for row in self.take_away)]
        return hashlib.sha256(repr(said).encode()).hexdigest()


def changes_of(plan: Plan, ground: Ground, standing: Sequence[Standing], *, seed: int) -> Changes:
    """What is added, taken away and left, so that the assignments are the plan's over this ground.

    Before the first dialogue the plan is redrawn. Afterwards what is not begun goes only where its tester, bot or
    scenario is gone, where there is too much of it, or where a newcomer takes it over; what is missing is drawn for
    whoever has least left to do.
    """
    if not any(row.is_begun for row in standing):
        return _drawn_anew(plan, ground, standing, seed)
    if plan.kind is PlanKind.FULL:
        return _full(plan, ground, standing, seed)
    return _Redrawing(plan, ground, standing, seed).changes()


def orphans_of(ground: Ground, standing: Sequence[Standing]) -> Changes:
    """Takes away what is not begun and has lost its tester, bot or scenario, or is barred; draws nothing."""
    testers, bots = set(ground.testers), set(ground.bots)
    gone: list[Standing] = []
    left: list[Standing] = []
    for row in standing:
        is_there = row.tester in testers and row.bot in bots and row.scenario in ground.skills
        may_stay = row.is_begun or (is_there and (row.tester, row.bot) not in ground.barred)
        (left if may_stay else gone).append(row)
    return Changes(take_away=gone, leave=left)


def _drawn_anew(plan: Plan, ground: Ground, standing: Sequence[Standing], seed: int) -> Changes:
    wanted, short = draw_fresh(plan, ground, seed=seed)
    there: dict[Triple, list[Standing]] = {}
    for row in standing:
        there.setdefault(row.triple, []).append(row)
    add, leave, move = [], [], {}
    for drawn in wanted:
        rows = there.get(drawn.triple)
        if not rows:
            add.append(drawn)
            continue
        row = rows.pop()
        leave.append(row)
        if row.position != drawn.position:
            move[row.id] = drawn.position
    take_away = [row for rows in there.values() for row in rows]
    if not add and not take_away:
        return Changes(leave=leave, short=short)
    return Changes(add, take_away, leave, move, short)


def _full(plan: Plan, ground: Ground, standing: Sequence[Standing], seed: int) -> Changes:
    wanted, _ = draw_fresh(plan, ground, seed=seed)
    planned = {drawn.triple for drawn in wanted}
    kept: set[Triple] = set()
    take_away = []
    # What has begun comes first: of what another plan drew twice, that is the one that stays.
    for row in sorted(standing, key=lambda one: (not one.is_begun, one.position, one.id)):
        if not row.is_begun and (row.triple not in planned or row.triple in kept):
            take_away.append(row)
        kept.add(row.triple)
    there = {row.triple for row in standing}
    gone = {row.id for row in take_away}
    return Changes(
        add=[drawn for drawn in wanted if drawn.triple not in there],
        take_away=take_away,
        leave=[row for row in standing if row.id not in gone],
    )


class _Redrawing:
    """One drawing in a campaign that has begun, of a plan that asks for a number of dialogues per bot."""

    def __init__(self, plan: Plan, ground: Ground, standing: Sequence[Standing], seed: int) -> None:
        self.testers = set(ground.testers)
        self.ground = ground
        self.seed = seed
        self.standing = standing
        self.sharing = Sharing(ground.testers, random.Random(seed), ground.barred)
        self.demands = self.sharing.shuffled(demands(plan, ground))
        self.kept = {row.id: row for row in standing}

    def changes(self) -> Changes:
        self.drop(self.unwanted())
        for demand, rows in self.rows_by_demand():
            self.drop(self.surplus(demand, rows))
        for row in self.kept.values():
            if not self.is_lost(row):
                self.sharing.note(*row.triple, is_left=not row.is_begun)
        for demand in self.demands:
            self.sharing.meet(demand)
        self.give_newcomers_their_share()
        return Changes(
            add=self.placed(),
            take_away=[row for row in self.standing if row.id not in self.kept],
            leave=list(self.kept.values()),
            short=self.sharing.short,
        )

    def drop(self, rows: Iterable[Standing]) -> None:
        for row in rows:
            del self.kept[row.id]

    def unwanted(self) -> list[Standing]:
        """What is not begun and nobody is left for, or nothing asks for."""
        cells = {(demand.bot, scenario) for demand in self.demands for scenario in demand.scenarios}
        return [
            row
            for row in self.standing
            if not row.is_begun and (not self.may_do(row) or (row.bot, row.scenario) not in cells)
        ]

    def may_do(self, row: Standing) -> bool:
        """Whether its tester is still there, and is not barred from the bot."""
        return row.tester in self.testers and (row.tester, row.bot) not in self.ground.barred

    def is_lost(self, row: Standing) -> bool:
        """It is to be done again, but not by its tester."""
        return row.is_void and not self.may_do(row)

    def rows_by_demand(self) -> Iterator[tuple[Demand, list[Standing]]]:
        """What is there for each demand; people who have left are passed over, and those barred from the bot.

        Whether what they began counts is known only where dialogues are: what one drawing takes for surplus, another
        must not take for missing.
        """
        by_cell: dict[tuple[str, str], list[Standing]] = {}
        for row in self.kept.values():
            if self.may_do(row):
                by_cell.setdefault((row.bot, row.scenario), []).append(row)
        for demand in self.demands:
            yield demand, [row for scenario in demand.scenarios for row in by_cell.get((demand.bot, scenario), ())]

    def surplus(self, demand: Demand, rows: Sequence[Standing]) -> list[Standing]:
        """What is too much of the demand and not begun: of the scenario and the tester with most of it first."""
        of_scenario = Counter(row.scenario for row in rows)
        of_tester = Counter(row.tester for row in rows)
        removable = [row for row in rows if not row.is_begun]
        gone: list[Standing] = []
        while removable and len(rows) - len(gone) > demand.n:
            row = max(
                removable, key=lambda one: (of_scenario[one.scenario], of_tester[one.tester], one.position, one.id)
            )
            removable.remove(row)
            gone.append(row)
            of_scenario[row.scenario] -= 1
            of_tester[row.tester] -= 1
        return gone

    def give_newcomers_their_share(self) -> None:
        """Who came later takes over from those with most left to do, until they have as much to do as these."""
        for newcomer in sorted(self.testers - {row.tester for row in self.standing}):
            givers = self.testers - {newcomer}
            while givers:
                giver = max(givers, key=lambda one: (self.sharing.left[one], one))
                if self.sharing.left[giver] <= self.sharing.left[newcomer] + 1:
                    break
                if not self.hand_over(giver, newcomer):
                    givers.remove(giver)

    def hand_over(self, giver: str, newcomer: str) -> bool:
        """Hands over the last thing that the newcomer does not have yet; False: there is none."""

        def is_new(one: Pairing | Standing) -> bool:
            return (newcomer, one.bot) not in self.ground.barred and not self.sharing.had[
                newcomer, one.bot, one.scenario
            ]

        drawn = [one for one in self.sharing.added if one.tester == giver and is_new(one)]
        rows = [row for row in self.kept.values() if row.tester == giver and not row.is_begun and is_new(row)]
        if not drawn and not rows:
            return False
        given: Pairing | Standing
        if drawn:
            given = drawn[-1]
            self.sharing.added.remove(given)
        else:
            given = max(rows, key=lambda row: (row.position, row.id))
            del self.kept[given.id]
        self.sharing.forget(giver, given.bot, given.scenario)
        self.sharing.note(newcomer, given.bot, given.scenario, is_left=True)
        self.sharing.added.append(Pairing(newcomer, given.bot, given.scenario))
        return True

    def placed(self) -> list[Drawn]:
        """What is added, spread over what its tester has left to do: no bot comes only at the end of the day."""
        own: dict[str, list[Drawn]] = {}
        for drawn in in_order(self.sharing.added, self.ground, seed=self.seed):
            own.setdefault(drawn.tester, []).append(drawn)
        return [
            Drawn(one.tester, one.bot, one.scenario, place)
            for tester, theirs in own.items()
            for one, place in zip(theirs, self.places(tester, len(theirs)), strict=True)
        ]

    def places(self, tester: str, n: int) -> list[int]:
        """Where `n` things come in the tester's order."""
        own = [row for row in self.kept.values() if row.tester == tester]
        left = [row.position for row in own if not row.is_begun]
        if not left:
            done = max((row.position for row in own), default=0)
            return list(range(done + 1, done + n + 1))
        first, last = min(left), max(left)
        return [first + (2 * number + 1) * (last - first) // (2 * n) for number in range(n)]


@dataclass(frozen=True, slots=True)
class Tally:
    """How much a drawing adds, takes away and leaves of one bot or person."""

    name: str
    n_added: int
    n_taken: int
    n_left: int


def tallies(changes: Changes, name_of: Callable[[Drawn | Standing], str]) -> list[Tally]:
    """What the changes come to per name, in the order of the names."""
    added, taken, left = (Counter(map(name_of, rows)) for rows in (changes.add, changes.take_away, changes.leave))
    return [Tally(name, added[name], taken[name], left[name]) for name in sorted(added | taken | left)]
