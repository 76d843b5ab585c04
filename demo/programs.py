"""A scripted person's own program: the client of programs, with a script that says what is done next."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from demo.goal_card import Close, Say
from simulation.driver import play
from simulation.program import Content, Program
from simulation.prompts import FINISH, GIVE_UP, SAY, Wish
from simulation.talk import BOT, TESTER, Talk


@dataclass(frozen=True, slots=True)
class Played:
    """What happened in one dialogue, as far as a tester can tell; `card` is its goal card."""

    dialogue: str
    card: Mapping[str, Any]
    talk: Talk

    @property
    def n_turns(self) -> int:
        return self.talk.used

    @property
    def statuses(self) -> list[str]:
        """Of its parts, in their order."""
        return [part.status for part in self.talk.parts]

    @property
    def n_repeats(self) -> int:
        """How many replies say the same as the one before; a bot's opening does not count."""
        lines = self.talk.lines
        opening = next((number for number, line in enumerate(lines) if line.who == TESTER), 0)
        replies = [line.text for line in lines[opening:] if line.who == BOT]
        return sum(later == earlier for earlier, later in pairwise(replies))


class Reader(Protocol):
    """What a scripted tester says next after what the bot said, and that another part (0-based) is current now."""

    def next(self, heard: str) -> Say | Close: ...
    def move_to(self, index: int) -> None: ...


@dataclass(slots=True)
class ScriptPlayer:
    """Does what its reader says; all items of the card are ticked with the first part that is finished."""

    reader_of: Callable[[Mapping[str, Any]], Reader]
    reader: Reader | None = None
    part: int = 1
    # The last wish, and the exchanges and the part that it was made at.
    last: tuple[tuple[int, int], Wish] | None = None

    async def begins(self, dialogue: str, card: Mapping[str, Any], talk: Talk) -> None:
        """Also where it goes on after a cut line: the reader knows what it said."""
        if self.reader is None:
            self.reader = self.reader_of(card)

    async def wish(self, card: Mapping[str, Any], talk: Talk, ticked: list[int]) -> Wish | None:
        assert talk.current is not None, "an open dialogue has an open part"
        place = talk.used, talk.current.index
        # What came of nothing, because the line was cut or the server refused, is wished again: a script loses no line.
        if self.last is None or self.last[0] != place:
            self.last = place, self._next(card, talk, talk.current.index)
        return self.last[1]

    def _next(self, card: Mapping[str, Any], talk: Talk, part: int) -> Wish:
        assert self.reader is not None, "a dialogue begins before it is talked in"
        if part != self.part:
            self.part = part
            self.reader.move_to(part - 1)
        # A turn that failed for good leaves the tester's line last: nothing was heard.
        heard = talk.lines[-1].text if talk.lines and talk.lines[-1].who == BOT else ""
        match self.reader.next(heard):
            case Say(text):
                return Wish(SAY, text)
            case Close(is_finished):
                return Wish(FINISH, "", tuple(range(len(card["items"])))) if is_finished else Wish(GIVE_UP, "")


async def play_script(
    program: Program, assignment: Content, reader_of: Callable[[Mapping[str, Any]], Reader]
) -> Played:
    """Opens the assignment and talks as its reader says until the dialogue is closed. Errors: `ProgramFailure`."""
    played = await play(program, assignment["id"], ScriptPlayer(reader_of))
    return Played(played.dialogue, played.card, played.talk)
