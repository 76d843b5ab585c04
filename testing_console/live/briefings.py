"""What the calls of a dialogue need to know, read when its socket opens, so that no turn waits for it; and farewells to bots.

A bot is told once that a dialogue is over, by the process that closed it; nobody waits for it, and failures are only logged.
"""

import asyncio
import logging
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dialogues.actions.ledger import Outcome
from dialogues.queries import About, Briefing, about_of, briefing_about, latest_state, look_up, was_bot_asked
from participants.adapters import ADAPTERS, Farewell
from participants.adapters.asking import say_goodbye
from participants.failures import BotFailure
from participants.outbound import Door
from serving.background import Background

KEPT_S = 60.0
# Then the old one serves while a new one is read, so that a running dialogue never waits. After a longer pause the
# first turn waits: the organizer may have moved the bot meanwhile.
OLD_SERVES_S = 60.0
# A socket never opens on an older one; hundreds that open at once share one reading.
FRESH_S = 1.0
logger = logging.getLogger("huace.farewells")
DEADLINE_S = 5.0


@dataclass(slots=True)
class _Kept:
    briefing: Briefing
    read_at: float


class Briefings:
    """The briefings of the dialogues of this process. Touched on the event loop only."""

    def __init__(self, background: Background) -> None:
        self._now = asyncio.get_running_loop().time
        self._background = background
        self._about: dict[UUID, About] = {}
        self._kept: dict[About, _Kept] = {}
        self._reading: dict[About, asyncio.Future[Briefing]] = {}

    async def meet(self, dialogue_id: UUID, about: About) -> None:
        """Makes the briefing fresh for a socket of the dialogue that opens. Errors: as `of`."""
        self._about[dialogue_id] = about
        if self._age_s(about) > FRESH_S:
            await self._read(about)

    def known(self, dialogue_id: UUID) -> Briefing | None:
        """The briefing, if it is kept here and not too old; an ageing one is reread in the background."""
        about = self._about.get(dialogue_id)
        if about is None or (age_s := self._age_s(about)) > KEPT_S + OLD_SERVES_S:
            return None
        if age_s > KEPT_S and about not in self._reading:
            self._background.once("Reading a briefing again", self._read(about))
        return self._kept[about].briefing

    def campaign_of(self, dialogue_id: UUID) -> int | None:
        """The campaign of a dialogue whose briefing is here, however old; nothing is read for that."""
        about = self._about.get(dialogue_id)
        kept = self._kept.get(about) if about is not None else None
        return kept.briefing.campaign_id if kept is not None else None

    async def of(self, dialogue_id: UUID) -> Briefing:
        """Errors: those of the database, and `Refusal` (`closed`) where the dialogue was deleted."""
        known = self.known(dialogue_id)
        if known is not None:
            return known
        if dialogue_id not in self._about:
            self._about[dialogue_id] = await look_up(about_of, dialogue_id)
        return await self._read(self._about[dialogue_id])

    def drop(self, *, but: Collection[UUID]) -> None:
        """Drops what is old and about none of those dialogues."""
        is_kept = {about for about in self._kept if self._age_s(about) < KEPT_S}
        self._about = {key: about for key, about in self._about.items() if key in but or about in is_kept}
        is_kept.update(self._about.values())
        self._kept = {about: kept for about, kept in self._kept.items() if about in is_kept}

    def _age_s(self, about: About) -> float:
        kept = self._kept.get(about)
        return math.inf if kept is None else self._now() - kept.read_at

    async def _read(self, about: About) -> Briefing:
        """Concurrent callers share one reading."""
        if about not in self._reading:
            self._reading[about] = asyncio.ensure_future(self._read_now(about))
            self._reading[about].add_done_callback(lambda _: self._reading.pop(about))
        # Shielded: a socket that goes must not take the reading from the others.
        return await asyncio.shield(self._reading[about])

    async def _read_now(self, about: About) -> Briefing:
        began = self._now()
        fresh = await look_up(briefing_about, about)
        self._kept[about] = _Kept(fresh, began)
        return fresh


class Farewells:
    """Follows the commits of this process. Touched on the event loop only."""

    def __init__(self, door: Door, briefings: Briefings, background: Background) -> None:
        self._door = door
        self._briefings = briefings
        self._background = background

    def follow(self, outcome: Any) -> None:
        if not isinstance(outcome, Outcome):
            return
        for told in outcome.told:
            if told.is_over:
                self._background.once("Telling a bot that its dialogue is over", self._tell(told.dialogue_id))

    async def _tell(self, dialogue_id: UUID) -> None:
        brief = await self._briefings.of(dialogue_id)
        adapter = ADAPTERS.get(brief.bot.protocol)
        # A bot that was never asked knows nothing of the dialogue.
        if adapter is None or adapter.close is None or not await look_up(was_bot_asked, dialogue_id):
            return
        state = await look_up(latest_state, dialogue_id)
        farewell = Farewell(brief.bot, str(dialogue_id), state, brief.language)
        try:
            await say_goodbye(farewell, self._door, adapter.close, DEADLINE_S)
        except (BotFailure, TimeoutError) as failure:
            logger.warning("A bot was not told that dialogue %s is over: %r", dialogue_id, failure)
