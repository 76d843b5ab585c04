"""What the calls of a dialogue need to know, read when its socket opens, so that no turn waits for it."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from dialogues.queries import Briefing, briefing, look_up
from serving.background import Background

KEPT_S = 60.0
# Then one that is read anew still serves, so that a dialogue that goes on waits for no reading. After a longer pause the
# first turn waits: the organizer may have moved the bot meanwhile.
OLD_SERVES_S = 60.0


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
        """The briefing, if it is kept here and not too old; one that gets old is read anew meanwhile."""
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
        """Errors: those of the database, and `Dialogue.DoesNotExist`."""
        return self.known(dialogue_id) or await self._read(dialogue_id)

    def drop(self, *, but: Collection[UUID]) -> None:
        """Drops what is old and not about one of those dialogues."""
        now = self._now()
        self._kept = {key: kept for key, kept in self._kept.items() if key in but or kept.until > now}

    async def _read(self, dialogue_id: UUID) -> Briefing:
        fresh = await look_up(briefing, dialogue_id)
        self.keep(dialogue_id, fresh)
        return fresh
