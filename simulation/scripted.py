"""A tester without a model: says the opening of the goal card and what each part asks for, ticks what it said, and finishes the part. Pure.

It never judges what a system answers: it finds out whether a system answers, how fast, and where it fails.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dialogues.turn_taking import ALL_USED
from participants.limits import MESSAGE_LIMIT
from simulation.prompts import FINISH, SAY, Wish
from simulation.talk import Talk

# What carries any talk on.
MORE = {
    "zh": ("可以再说说吗", "为什么呢", "还有别的吗"),
    "en": ("Could you say more about that?", "Why is that?", "Is there anything else?"),
}
FEWEST_TURNS = 3


def things_to_say(items: Sequence[str], facts: Mapping[str, Any]) -> list[str]:
    """The items to use; where the scenario has none, the wishes of its goals, one by one."""
    goals = [goal for goal in facts.values() if isinstance(goal, Mapping)]
    return list(items) or [str(wish) for goal in goals for wish in goal.values()]


def lines_of(card: Mapping[str, Any], language: str) -> list[list[str]]:
    """Lines of each part of the card, in order: the opening and all items in the first; without items each part's own facts.

    Facts that belong to no part are said in the first.
    """
    kinds = [part["kind"] for part in card["subtasks"]]
    facts, texts = card["facts"], card["opening"]
    if card["items"]:
        said = [list(card["items"]), *([] for _ in kinds[1:])]
    else:
        said = [things_to_say((), {kind: facts.get(kind)}) for kind in kinds]
        said[0] += [str(fact) for name, fact in facts.items() if name not in kinds and isinstance(fact, str | int)]
    said[0].insert(0, texts[language] or texts["zh"] or texts["en"])
    return [[line[:MESSAGE_LIMIT] for line in lines if line.strip()] for lines in said]


def scripted_wish(card: Mapping[str, Any], talk: Talk, language: str) -> Wish:
    """The next line of the current part, or its finish once all is said and it took `FEWEST_TURNS`.

    A part that only the turn cap may end goes on until then.
    """
    part = talk.current
    assert part is not None, "an open dialogue has an open part"
    lines, used = lines_of(card, language)[part.index - 1], part.used
    # The first line is the opening.
    n_ticked = len(card["items"]) if part.index > 1 else min(max(used - 1, 0), len(card["items"]))
    ticked = tuple(range(n_ticked))
    goes_to_cap = card["tester_may_end"] == ALL_USED and not card["items"]
    if used < len(lines):
        return Wish(SAY, lines[used], ticked)
    if used < FEWEST_TURNS or goes_to_cap:
        return Wish(SAY, MORE[language][used % len(MORE[language])], ticked)
    return Wish(FINISH, "", ticked)


@dataclass(frozen=True, slots=True)
class ScriptedTester:
    """Plays a goal card by script (`simulation.driver.Player`); gives the dialogue up once it is told to stop."""

    language: str
    is_stopped: Callable[[], bool]

    async def begins(self, dialogue: str, card: Mapping[str, Any], talk: Talk) -> None:
        """A script needs nothing to begin."""

    async def wish(self, card: Mapping[str, Any], talk: Talk, ticked: list[int]) -> Wish | None:
        return None if self.is_stopped() else scripted_wish(card, talk, self.language)
