"""Plays one goal card over the public API: opens the dialogue, hears, asks what to do, does it, until the dialogue is closed.

A line that is cut is taken up where it was; a dialogue that was left open in an earlier run is heard from its beginning.
"""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.utils.translation import gettext as _

from simulation.program import Interrupted, Program, ProgramFailure, Socket
from simulation.prompts import FINISH, SAY, Wish
from simulation.talk import Next, Talk

RECONNECTIONS, REFUSALS = 5, 6
PAUSE_S = 1.0


class Player(Protocol):
    """Who decides what is done next: a model, or a script of a test."""

    async def begins(self, dialogue: str, card: Mapping[str, Any], talk: Talk) -> None: ...

    async def wish(self, card: Mapping[str, Any], talk: Talk, ticked: list[int]) -> Wish | None:
        """What is to be done now; None where nothing usable comes, and the dialogue is given up."""
        ...


@dataclass(slots=True)
class Played:
    dialogue: str
    card: Mapping[str, Any]
    talk: Talk
    ticked: list[int] = field(default_factory=list)


async def play(program: Program, assignment: int, player: Player) -> Played:
    """Plays the assignment to its end. Errors: `ProgramFailure` where it cannot go on; whatever the player raises leaves the dialogue open."""
    opened = await program.post("/api/v1/dialogues/", {"assignment": assignment})
    place = f"/api/v1/dialogues/{opened['id']}/"
    card = await program.get(f"{place}card/")
    played = Played(opened["id"], card, Talk())
    if card["items"]:
        played.ticked = (await program.get(f"{place}items/"))["ticked"]
    for n_left in reversed(range(RECONNECTIONS)):
        try:
            async with program.socket(opened["socket"], played.talk.seq) as socket:
                await _Playing(program, socket, played, player).run()
            return played
        except Interrupted:
            if not n_left:
                raise
            await asyncio.sleep(PAUSE_S)
    raise AssertionError("the last try returns or raises")


@dataclass(slots=True)
class _Playing:
    program: Program
    socket: Socket
    played: Played
    player: Player
    n_refused: int = 0
    has_begun: bool = False

    async def run(self) -> None:
        talk = self.played.talk
        # What is in flight by an earlier line is known once everything was heard again.
        talk.hear(await self.socket.receive())
        while (following := talk.next()) is not Next.OVER:
            match following:
                case Next.HEAR:
                    await self._hear()
                case Next.RETRY:
                    turn, talk.failed = talk.failed, None
                    talk.in_flight = turn
                    await self.socket.send({"type": "turn.retry", "turn": turn})
                case Next.SPEAK:
                    await self._move()

    async def _hear(self) -> None:
        frame = await self.socket.receive()
        talk = self.played.talk
        talk.hear(frame)
        if frame["type"] == "error":
            talk.in_flight = None
            self.n_refused += 1
            if self.n_refused > REFUSALS:
                raise ProgramFailure(_("The platform refused again and again: %(code)s") % {"code": frame["code"]})
            if frame["code"] == "rate_limited":
                await asyncio.sleep(PAUSE_S)

    async def _move(self) -> None:
        talk = self.played.talk
        if not self.has_begun:
            self.has_begun = True
            await self.player.begins(self.played.dialogue, self.played.card, talk)
        wish = await self.player.wish(self.played.card, talk, self.played.ticked)
        if wish is None:
            await self._send_end({"type": "dialogue.end", "reason": "gave_up"})
            return
        await self._tick(wish)
        if wish.act == SAY:
            # Known as in flight from here on: the answer may take as long as the bot may.
            talk.in_flight = talk.used + 1
            await self.socket.send({"type": "turn.send", "key": secrets.token_hex(8), "text": wish.text})
            return
        part = talk.current
        assert part is not None, "an open dialogue has an open part"
        is_finished = wish.act == FINISH
        await self._send_end({"type": "subtask.close", "subtask": part.index, "finished": is_finished})

    async def _send_end(self, frame: Mapping[str, Any]) -> None:
        self.played.talk.awaits_closing = True
        await self.socket.send(frame)

    async def _tick(self, wish: Wish) -> None:
        """What was ticked stays ticked."""
        ticked = sorted({*self.played.ticked, *wish.ticked})
        if ticked != self.played.ticked and self.played.talk.used:
            place = f"/api/v1/dialogues/{self.played.dialogue}/items/"
            self.played.ticked = (await self.program.patch(place, {"ticked": ticked}))["ticked"]
