"""What the calls of a dialogue need to know, read when its socket opens, so that no turn waits for it; and farewells to bots.

A bot is told once that a dialogue is over, by the process that closed it; nobody waits for it, and failures are only logged.
"""

import asyncio
import logging
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dialogues.actions.ledger import Outcome
from dialogues.queries import Briefing, briefing, latest_state, look_up, was_bot_asked
from participants.adapters import ADAPTERS, Farewell
from participants.adapters.asking import say_goodbye
from participants.failures import BotFailure
from participants.outbound import Door
from serving.background import Background

KEPT_S = 60.0
# Then the old one serves while a new one is read, so that a running dialogue never waits. After a longer pause the
# first turn waits: the organizer may have moved the bot meanwhile.
OLD_SERVES_S = 60.0
logger = logging.getLogger("huace.farewells")
DEADLINE_S = 5.0


@dataclass(slots=True)
class _Kept:
    briefing: Briefing
    until: float


class Briefings:
    """The briefings of the dialogues of this process. Touched on the event loop only."""

    def __init__(self, background: Background) -> None:
        self._now = asyncio.get_running_loop().time
        self._background = background
        self._kept: dict[UUID, _Kept] = {}

    def keep(self, dialogue_id: UUID, known: Briefing) -> None:
        self._kept[dialogue_id] = _Kept(known, self._now() + KEPT_S)

    def known(self, dialogue_id: UUID) -> Briefing | None:
        """The briefing, if it is kept here and not too old; an ageing one is reread in the background."""
        kept = self._kept.get(dialogue_id)
        old_for_s = self._now() - kept.until if kept is not None else 0.0
        if kept is None or old_for_s > OLD_SERVES_S:
            return None
        if old_for_s > 0:
            self.keep(dialogue_id, kept.briefing)
            self._background.once("Reading a briefing anew", self._read(dialogue_id))
        return kept.briefing

    def campaign_of(self, dialogue_id: UUID) -> int | None:
        """The campaign of a dialogue whose briefing is here, however old; nothing is read for that."""
        kept = self._kept.get(dialogue_id)
        return kept.briefing.campaign_id if kept is not None else None

    async def of(self, dialogue_id: UUID) -> Briefing:
        """Errors: those of the database, and `Refusal` (`closed`) where the dialogue was deleted."""
        return self.known(dialogue_id) or await self._read(dialogue_id)

    def drop(self, *, but: Collection[UUID]) -> None:
        """Drops what is old and not about one of those dialogues."""
        now = self._now()
        self._kept = {key: kept for key, kept in self._kept.items() if key in but or kept.until > now}

    async def _read(self, dialogue_id: UUID) -> Briefing:
        fresh = await look_up(briefing, dialogue_id)
        self.keep(dialogue_id, fresh)
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
