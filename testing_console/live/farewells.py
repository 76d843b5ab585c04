"""Tells bots that a dialogue of theirs is over: once, by the process that closed it, and nobody waits for it.

What fails is logged and counted nowhere: the dialogue is over whatever the bot says to that.
"""

import logging
from typing import Any
from uuid import UUID

from dialogues.actions.outcomes import Outcome
from dialogues.queries import latest_state, look_up, was_bot_asked
from participants.adapters import ADAPTERS, Farewell
from participants.adapters.parting import say_goodbye
from participants.failures import BotFailure
from participants.outbound import Door
from serving.background import Background
from testing_console.live.briefings import Briefings

logger = logging.getLogger("huace.farewells")

DEADLINE_S = 5.0


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
