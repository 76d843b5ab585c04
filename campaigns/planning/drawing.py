"""Draws who talks to which bot about what, in which order. Pure: the same seed gives the same plan."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

DIGITS = "2345679"


@dataclass(frozen=True, slots=True)
class Drawn:
    tester: str
    bot: str
    scenario: str
    position: int

    @property
    def triple(self) -> tuple[str, str, str]:
        return self.tester, self.bot, self.scenario


def latin_square(n: int) -> list[list[int]]:
    """A cyclic Latin square: row r, column c holds (r + c) mod n; each number appears once per row and column."""
    return [[(row + column) % n for column in range(n)] for row in range(n)]


def draw_plan(testers: Sequence[str], bots: Sequence[str], scenarios: Sequence[str], *, seed: int) -> list[Drawn]:
    """The full plan, tester × bot × scenario, positions 1… per tester.

    Bots and scenarios are shuffled once by the seed. A tester meets every scenario once a round; which bot comes in
    which round follows a Latin square whose row moves on with the tester and the scenario, so over testers every bot
    is met equally often (± 1) in every round, and testers begin the scenarios at different places.
    """
    rng = random.Random(seed)
    bot_order = rng.sample(list(bots), len(bots))
    scenario_order = rng.sample(list(scenarios), len(scenarios))
    square = latin_square(len(bot_order))
    plan: list[Drawn] = []
    for number, tester in enumerate(testers):
        shift = number * len(scenario_order) // max(1, len(testers))
        own_order = scenario_order[shift:] + scenario_order[:shift]
        position = 0
        for round_number in range(len(bot_order)):
            for place, scenario in enumerate(own_order):
                position += 1
                bot = bot_order[square[(number + place) % len(bot_order)][round_number]]
                plan.append(Drawn(tester, bot, scenario, position))
    return plan


def draw_aliases(n: int, *, taken: Collection[str] = (), seed: int) -> list[str]:
    """`n` aliases such as K7 that say nothing about order or maker; look-alike letters and digits are left out.

    Longer ones come in when fewer than `n` of a length are free; they grow from all aliases of that length, taken or not.
    """
    aliases = [f"{letter}{digit}" for letter in "ACDEFGHJKLMNPQRTUVWXY" for digit in DIGITS]
    free = [alias for alias in aliases if alias not in taken]
    while n > len(free):
        aliases = [f"{alias}{digit}" for alias in aliases for digit in DIGITS]
        free += [alias for alias in aliases if alias not in taken]
    return random.Random(f"{seed}:{len(taken)}").sample(free, n)
