"""What a bundle calls bots, people and scenarios. Pure.

People have numbers in every bundle, in an order that is the bundle's own. With aliases, each text is masked as transcripts are, so that no team's or bot's name is left.
"""

import hmac
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from dialogues.masking import Masker
from verification.bundle_format import IMPORTED_SCENARIO

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


def numbered(usernames: Iterable[str], key: bytes) -> dict[str, str]:
    """What a bundle calls its people: numbered in an order that only the owner of the key can tell.

    Any other order, as of accounts or of the plan, would let a reader follow a person from one bundle into the next.
    """
    in_order = sorted(set(usernames), key=lambda username: hmac.digest(key, username.encode(), sha256))
    return {username: f"person-{number}" for number, username in enumerate(in_order, start=1)}


class _Numbers:
    """Numbers things by their first appearance, which is the same for the same data."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = defaultdict(dict)

    def name(self, kind: str, text: str) -> str:
        numbers = self._numbers[kind]
        return f"{kind}-{numbers.setdefault(text, len(numbers) + 1)}"


class TeamNames:
    """Bots under their keys and teams' names, texts as they are; `people` are the names of persons by their usernames."""

    hides_teams = False

    def __init__(self, bots: Mapping[str, BotName], people: Mapping[str, str]) -> None:
        self._bots = bots
        self._people = people
        self._numbers = _Numbers()

    def bot(self, key: str) -> BotName:
        return self._bots[key]

    def person(self, username: str) -> str:
        return self._people[username]

    def identifier(self, kind: str, text: str) -> str:
        return text

    def text(self, value: Any) -> Any:
        return value


class Aliases(TeamNames):
    """Bots under their aliases; names in texts are blotted out, also inside of lists and tables."""

    hides_teams = True

    def __init__(self, aliases: Mapping[str, str], people: Mapping[str, str], masker: Masker) -> None:
        super().__init__({key: BotName(alias, "", alias) for key, alias in aliases.items()}, people)
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
