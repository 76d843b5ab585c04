"""Asks the bots of the turns that this process took, and stores what came of it.

One task per turn, from the commit of the tester's words to the commit of the outcome.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone

from dialogues.actions import record_failure, record_reply, record_requests
from dialogues.actions.outcomes import Asked, Outcome, Remembered, Settled, WaitingTurn
from dialogues.events import reply_delta, turn_waiting
from dialogues.queries import Briefing
from dialogues.turn_taking import shown_reply
from participants import failure_sentences as sentences
from participants.adapters import ADAPTERS, BotCall, Reply
from participants.adapters.asking import ask
from participants.failures import BotFailure, FailureKind, Fault, Try
from participants.outbound import Door
from reading.findings import sentence
from serving.group_commit import GroupCommit, Unavailable
from testing_console.live.breakers import Breakers
from testing_console.live.briefings import Briefings
from testing_console.live.deltas import Deltas
from testing_console.live.memory import Memory
from testing_console.live.switchboard import Switchboard

logger = logging.getLogger("huace.bot_calls")

SETTLE_RETRY_S = 1.0


@dataclass(frozen=True, slots=True)
class _Call:
    """One attempt at a turn, from the commit that put it to waiting to the commit of its outcome."""

    turn_id: int
    attempt: int
    task: "asyncio.Task[None]"


class BotCalls:
    """The calls in flight of this process, by dialogue. Touched on the event loop only, but for `is_asking`."""

    def __init__(
        self,
        door: Door,
        commits: GroupCommit,
        switchboard: Switchboard,
        briefings: Briefings,
        breakers: Breakers,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._door = door
        self._commits = commits
        self._switchboard = switchboard
        self._briefings = briefings
        self._breakers = breakers
        self._calls: dict[UUID, _Call] = {}
        self.memory = Memory()

    def follow(self, outcome: Any) -> None:
        """Does what a commit asks for: keeps what was said, stops a call, starts one.

        All of it before anybody else runs on the loop: the next turn may come as soon as the sockets hear of the reply,
        and would read the history from the database if it were kept any later.
        """
        if not isinstance(outcome, Outcome):
            return
        if outcome.remembered is not None:
            self._remember(outcome.remembered)
        if outcome.stopped is not None:
            self.cancel(outcome.stopped)
        # A key that is sent twice finds its turn waiting: by now the first of the two has started the call.
        if outcome.asked is not None and not self._is_asking_for(outcome.asked.turn):
            self.start(outcome.asked)

    def start(self, asked: Asked) -> None:
        turn = asked.turn
        task = self._loop.create_task(self._call(asked))
        self._calls[turn.dialogue_id] = _Call(turn.id, turn.attempt_number, task)
        task.add_done_callback(partial(self._ended, turn.dialogue_id))

    def is_asking(self, dialogue_id: UUID) -> bool:
        """Whether a call of this dialogue is in flight or being stored; safe to ask from any thread."""
        return dialogue_id in self._calls

    def _is_asking_for(self, turn: WaitingTurn) -> bool:
        call = self._calls.get(turn.dialogue_id)
        return call is not None and (call.turn_id, call.attempt) == (turn.id, turn.attempt_number)

    @property
    def n_in_flight(self) -> int:
        return len(self._calls)

    def cancel(self, dialogue_id: UUID) -> None:
        # Taken out at once: a cancelled call ends later, and by then the entry may be that of the next one.
        call = self._calls.pop(dialogue_id, None)
        if call is not None:
            call.task.cancel()

    def cancel_all(self) -> None:
        for call in self._calls.values():
            call.task.cancel()

    async def wait(self, limit_s: float) -> None:
        if self._calls:
            await asyncio.wait([call.task for call in self._calls.values()], timeout=limit_s)

    def _remember(self, remembered: Remembered) -> None:
        if self._switchboard.has_listeners(remembered.dialogue_id):
            self.memory.keep(remembered)

    def _ended(self, dialogue_id: UUID, task: "asyncio.Task[None]") -> None:
        # A retry may have replaced the entry before this call was quite over.
        call = self._calls.get(dialogue_id)
        if call is not None and call.task is task:
            del self._calls[dialogue_id]
        if not task.cancelled() and task.exception() is not None:
            logger.error("A turn could not be settled; the sweep will.", exc_info=task.exception())

    async def _call(self, asked: Asked) -> None:
        tries: list[Try] = []
        turn = asked.turn
        brief = await self._briefings.of(turn.dialogue_id)
        try:
            reply = await self._ask(asked, brief, tries)
        except asyncio.CancelledError:
            if tries:
                # Nobody waits for this commit: the cancelled turn is settled, only its earlier requests are added.
                self._commits.submit(partial(record_requests, asked=asked, tries=tries), about=turn.dialogue_id)
            raise
        except BotFailure as failure:
            await self._breakers.hear(failure, turn, brief)
            await self._store(turn, partial(record_failure, asked=asked, failure=failure, at=timezone.now()))
            if failure.fault is Fault.BOT:
                self._breakers.failed(brief.entry_id)
        else:
            self._breakers.answered(brief)
            shown = shown_reply(reply.texts, brief.masker, reply.latency_ms)
            await self._store(turn, partial(record_reply, asked=asked, reply=reply, shown=shown, at=timezone.now()))

    async def _ask(self, asked: Asked, brief: Briefing, tries: list[Try]) -> Reply:
        turn = asked.turn
        call = BotCall(
            bot=brief.bot,
            dialogue=str(turn.dialogue_id),
            turn=turn.number,
            text=turn.text,
            turn_key=f"{turn.dialogue_id}:{turn.number}",
            history=asked.history,
            context=brief.context,
            language=brief.language,
            deadline_s=brief.reply_deadline_s,
        )
        deltas = Deltas(brief.masker, partial(self._tell_delta, turn))
        try:
            return await ask(call, self._door, deltas.hear, ADAPTERS, tries, partial(self._tell_place, turn))
        except BotFailure:
            raise
        except Exception as bug:
            logger.exception("The adapter for %s failed in an unforeseen way.", brief.bot.protocol)
            raise BotFailure(FailureKind.INTERRUPTED, sentence(sentences.UNFORESEEN, received=repr(bug))) from bug
        finally:
            deltas.close()

    def _tell_delta(self, turn: WaitingTurn, text: str) -> None:
        self._switchboard.tell_passing(turn.dialogue_id, reply_delta(turn.number, text))

    def _tell_place(self, turn: WaitingTurn, place: int) -> None:
        self._switchboard.tell_passing(turn.dialogue_id, turn_waiting(turn.number, place))

    async def _store(self, turn: WaitingTurn, record: Callable[[], Settled]) -> None:
        """Stores the outcome, however long the database is away."""
        while True:
            try:
                await self._commits.submit(record, about=turn.dialogue_id)
                return
            except Unavailable:
                await asyncio.sleep(SETTLE_RETRY_S)
