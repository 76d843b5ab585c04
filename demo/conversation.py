"""How a scripted tester talks where the scenario is not a booking: opening, what was given to use, a few words more. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from demo.goal_card import Close, Say

# What carries any talk on.
MORE = ("可以再说说吗", "为什么呢", "还有别的吗")
FEWEST_TURNS = 3


def things_to_say(items: Sequence[str], facts: Mapping[str, Any]) -> list[str]:
    """The items to use; where the scenario has none, the wishes of its goals, one by one."""
    goals = [goal for goal in facts.values() if isinstance(goal, Mapping)]
    return list(items) or [str(wish) for goal in goals for wish in goal.values()]


@dataclass
class Conversation:
    """One tester's way through one scenario: every item is used once, and each part takes some turns at least.

    `goes_to_cap` where only the turn cap may end it.
    """

    opening: str
    items: Sequence[str]
    goes_to_cap: bool = False
    n_said: int = field(default=0, init=False)
    n_in_part: int = field(default=0, init=False)

    def next(self, heard: str) -> Say | Close:
        lines = (self.opening, *self.items)
        if not self.goes_to_cap and self.n_in_part >= FEWEST_TURNS and self.n_said >= len(lines):
            return Close(True)
        text = lines[self.n_said] if self.n_said < len(lines) else MORE[self.n_said % len(MORE)]
        self.n_said += 1
        self.n_in_part += 1
        return Say(text)

    def move_to(self, index: int) -> None:
        self.n_in_part = 0
