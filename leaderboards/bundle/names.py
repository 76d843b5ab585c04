"""What a bundle calls bots, people and scenarios. Pure.

People have numbers in every bundle. With aliases, each text is masked as transcripts are, so that no team's or bot's name is left.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from leaderboards.verification.bundle_format import IMPORTED_SCENARIO
from testing_console.masking import Masker

SCENARIO, SKILL = "masked-scenario", "masked-skill"


@dataclass(frozen=True, slots=True)
class BotName:
    """`key` tells the bot apart within the bundle."""

    key: str
    team: str
    name: str


class Names(Protocol):
    hides_teams: bool

    def bot(self, key: str) -> BotName: ...
    def person(self, username: str) -> str: ...
    def identifier(self, kind: str, text: str) -> str: ...
    def text(self, value: Any) -> Any: ...


class _Numbers:
    """Numbers things by their first appearance, which is the same for the same data."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = defaultdict(dict)

    def name(self, kind: str, text: str) -> str:
        numbers = self._numbers[kind]
        return f"{kind}-{numbers.setdefault(text, len(numbers) + 1)}"


class TeamNames:
    """Bots under their keys and teams' names, texts as they are."""

    hides_teams = False

    def __init__(self, bots: Mapping[str, BotName]) -> None:
        self._bots = bots
        self._numbers = _Numbers()

    def bot(self, key: str) -> BotName:
        return self._bots[key]

    def person(self, username: str) -> str:
        return self._numbers.name("person", username)

    def identifier(self, kind: str, text: str) -> str:
        return text

    def text(self, value: Any) -> Any:
        return value


class Aliases(TeamNames):
    """Bots under their aliases; names in texts are blotted out, also inside of lists and tables."""

    hides_teams = True

    def __init__(self, aliases: Mapping[str, str], masker: Masker) -> None:
        super().__init__({key: BotName(alias, "", alias) for key, alias in aliases.items()})
        self._masker = masker

    def identifier(self, kind: str, text: str) -> str:
        """The text, or a number where it holds a name: two blotted texts could be one."""
        # Our own word: under a number, dialogues without a scenario would be taken for one scenario.
        if kind == SCENARIO and text == IMPORTED_SCENARIO:
            return text
        return text if self._masker.mask(text) == text else self._numbers.name(kind, text)

    def text(self, value: Any) -> Any:
        match value:
            case str():
                return self._masker.mask(value)
            case list():
                return [self.text(one) for one in value]
            case dict():
                return {self._masker.mask(key): self.text(one) for key, one in value.items()}
        return value
