"""What sockets ask for: each command is one action, committed by the writer. What follows from it, its outcome says."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_noop

from dialogues.actions import Admission, Taken, close_subtask, end_dialogue, retry_turn, take_opening, take_turn
from dialogues.turn_taking import EndReason, Refusal, RefusalCode, unavailable
from serving.commits.group_commit import GroupCommit, Unavailable
from serving.monitoring.metrics import STORE, TakingTime
from testing_console.live.bot_calls import BotCalls
from testing_console.live.briefings import Briefings

# After this limit the tester is told that the turn was not stored, within the 6 s that are promised (robustness P15). If it
# is stored later, its outcome is followed all the same: the bot is asked, and the same key finds the turn.
COMMIT_LIMIT_S = 5.5
T = TypeVar("T")


class Commands:
    """The commands of the testers on this process; `owner` is its name."""

    def __init__(self, commits: GroupCommit, briefings: Briefings, calls: BotCalls, owner: str) -> None:
        self._commits = commits
        self._briefings = briefings
        self._calls = calls
        self._owner = owner
        self.is_draining = False

    async def take_turn(self, dialogue_id: UUID, admission: Admission, *, key: str, text: str) -> Taken:
        """The turn, committed; where the bot is to open the dialogue and was not asked yet, it is asked. Errors: `Refusal`."""
        await self._prepare(dialogue_id)
        remembered = self._calls.memory.recall(dialogue_id)
        try:
            return await self._committed(
                take_turn, dialogue_id, admission, key=key, text=text, owner=self._owner, remembered=remembered
            )
        except Refusal as refusal:
            # A draft opens nothing when a socket comes, and may be admitted while that socket stays.
            if refusal.code is RefusalCode.OPENING_FIRST:
                await self.have_bot_open(dialogue_id, admission)
            raise

    async def have_bot_open(self, dialogue_id: UUID, admission: Admission) -> None:
        """The bot's opening, asked for. Errors: `Refusal`."""
        await self._prepare(dialogue_id)
        await self._committed(take_opening, dialogue_id, admission, owner=self._owner)

    async def retry_turn(self, dialogue_id: UUID, admission: Admission, *, number: int) -> None:
        await self._prepare(dialogue_id)
        remembered = self._calls.memory.recall(dialogue_id)
        await self._committed(
            retry_turn, dialogue_id, admission, number=number, owner=self._owner, remembered=remembered
        )

    async def close_subtask(self, dialogue_id: UUID, admission: Admission, *, index: int, is_finished: bool) -> None:
        await self._committed(close_subtask, dialogue_id, admission, index=index, is_finished=is_finished)

    async def end_dialogue(self, dialogue_id: UUID, admission: Admission, *, reason: EndReason) -> None:
        await self._committed(end_dialogue, dialogue_id, admission, reason=reason)

    async def _prepare(self, dialogue_id: UUID) -> None:
        """Loads what the call will need before the turn is stored: a stored turn must be answerable."""
        if self._briefings.known(dialogue_id) is None:
            await self._briefings.of(dialogue_id)
        # After the look-up: nothing is submitted behind what a drain waits for.
        if self.is_draining:
            text = gettext_noop("The server restarts; the page reconnects by itself. Send again then.")
            raise Refusal(RefusalCode.DRAINING, text)

    async def _committed(
        self, action: Callable[..., T], dialogue_id: UUID, admission: Admission, **arguments: Any
    ) -> T:
        work = partial(action, dialogue_id=dialogue_id, admission=admission, at=timezone.now(), **arguments)
        # A waiter that leaves undoes nothing: the writer commits what is queued, and its followers hear of it.
        try:
            with TakingTime(STORE.observe):
                async with asyncio.timeout(COMMIT_LIMIT_S):
                    return await self._commits.submit(work, about=dialogue_id)
        except (Unavailable, TimeoutError) as lost:
            raise unavailable() from lost
