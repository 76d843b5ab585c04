"""Asks the bots of the turns that this process took, and stores what came of it.

One task per turn, from the commit of the tester's words to the commit of the outcome. A standstill of our own is never
the bot's latency or fault.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils import timezone

from participants.adapters import ADAPTERS, BotCall, History, Reply, Utterance
from participants.adapters.asking import ask
from participants.failures import BotFailure, FailureKind, Fault, Try
from participants.outbound import Door
from serving.group_commit import GroupCommit, Unavailable
from serving.loop_watch import LoopWatch
from testing_console.actions import record_failure, record_reply, record_requests
from testing_console.events import reply_delta
from testing_console.live.deltas import Deltas
from testing_console.live.switchboard import Switchboard
from testing_console.models import Turn
from testing_console.queries import Briefing
from testing_console.turn_taking import shown_reply

logger = logging.getLogger("huace.bot_calls")

SETTLE_RETRY_S = 1.0


@dataclass(frozen=True, slots=True)
class _History:
    """What was said up to and with turn `number`, when this very process stored the reply to it."""

    number: int
    said: History


def excuse(failure: BotFailure, deadline_s: float) -> None:
    """Books a failure that a standstill of ours can have caused to the platform.

    Deadlines pass unheard then, and whoever is not read from hangs up; a refused connection or a name that does not
    exist is none of it.
    """
    may_be_ours = {
        FailureKind.TIMEOUT_FIRST_BYTE: True,
        FailureKind.TIMEOUT_TOTAL: True,
        FailureKind.CONNECT: failure.reached_bot,
        FailureKind.DNS: failure.latency_ms >= deadline_s * 1000,
    }
    if failure.fault is Fault.BOT and may_be_ours.get(failure.kind, False):
        failure.fault = Fault.PLATFORM
        failure.detail += " Our own process stood still meanwhile."


class BotCalls:
    """The calls in flight of this process, by dialogue. Touched on the event loop only, but for `is_asking`."""

    def __init__(self, door: Door, commits: GroupCommit, switchboard: Switchboard, watch: LoopWatch) -> None:
        self._loop = asyncio.get_running_loop()
        self._door = door
        self._commits = commits
        self._switchboard = switchboard
        self._watch = watch
        self._calls: dict[UUID, asyncio.Task[None]] = {}
        self._histories: dict[UUID, _History] = {}

    def start(self, turn: Turn, brief: Briefing, history: History) -> None:
        task = self._loop.create_task(self._call(turn, brief, history))
        self._calls[turn.dialogue_id] = task
        task.add_done_callback(lambda done: self._ended(turn.dialogue_id, done))

    def is_asking(self, dialogue_id: UUID) -> bool:
        """Whether a call of this dialogue is in flight or being stored; safe to ask from any thread."""
        return dialogue_id in self._calls

    @property
    def n_in_flight(self) -> int:
        return len(self._calls)

    def cancel(self, dialogue_id: UUID) -> None:
        call = self._calls.pop(dialogue_id, None)
        if call is not None:
            call.cancel()

    def cancel_all(self) -> None:
        for call in self._calls.values():
            call.cancel()

    async def wait(self, limit_s: float) -> None:
        if self._calls:
            await asyncio.wait(list(self._calls.values()), timeout=limit_s)

    def take_history(self, dialogue_id: UUID) -> Callable[[Turn], History | None]:
        """What was said before a turn, if it is known here; only the turn right behind may use it."""
        kept = self._histories.pop(dialogue_id, None)
        return lambda turn: kept.said if kept is not None and kept.number == turn.number - 1 else None

    def forget_histories(self, but: Iterable[UUID]) -> None:
        talking = set(but)
        self._histories = {key: history for key, history in self._histories.items() if key in talking}

    def _ended(self, dialogue_id: UUID, task: "asyncio.Task[None]") -> None:
        if self._calls.get(dialogue_id) is task:
            del self._calls[dialogue_id]
        if not task.cancelled() and task.exception() is not None:
            logger.error("A turn could not be settled; the sweep will.", exc_info=task.exception())

    async def _call(self, turn: Turn, brief: Briefing, history: History) -> None:
        n_standstills = self._watch.n_standstills
        tries: list[Try] = []
        try:
            reply = await self._ask(turn, brief, history, tries)
        except asyncio.CancelledError:
            if tries:
                # Nobody waits for this commit: the cancelled turn is settled, only its earlier requests are added.
                self._commits.submit(lambda: record_requests(asked=turn, tries=tries), about=turn.dialogue_id)
            raise
        except BotFailure as failure:
            if self._watch.n_standstills > n_standstills:
                excuse(failure, brief.reply_deadline_s)
            await self._store_failure(turn, failure)
        else:
            heard_late_ms = round(self._watch.just_ended_s() * 1000)
            reply = replace(reply, latency_ms=max(0, reply.latency_ms - heard_late_ms))
            await self._store_reply(turn, brief, history, reply)

    async def _store_failure(self, turn: Turn, failure: BotFailure) -> None:
        await self._store(turn, lambda: record_failure(asked=turn, failure=failure, at=timezone.now()))

    async def _store_reply(self, turn: Turn, brief: Briefing, history: History, reply: Reply) -> None:
        shown = shown_reply(reply.texts, brief.masker, reply.latency_ms)
        is_current = await self._store(
            turn, lambda: record_reply(asked=turn, reply=reply, shown=shown, at=timezone.now())
        )
        if is_current and self._switchboard.has_listeners(turn.dialogue_id):
            said = history.and_then(Utterance("user", turn.text), Utterance("bot", "\n".join(shown.texts)))
            self._histories[turn.dialogue_id] = _History(turn.number, said)

    async def _ask(self, turn: Turn, brief: Briefing, history: History, tries: list[Try]) -> Reply:
        call = BotCall(
            bot=brief.bot,
            dialogue=str(turn.dialogue_id),
            turn=turn.number,
            text=turn.text,
            turn_key=f"{turn.dialogue_id}:{turn.number}",
            history=history,
            context=brief.context,
            language=brief.language,
            deadline_s=brief.reply_deadline_s,
        )
        deltas = Deltas(brief.masker, lambda text: self._tell_delta(turn, text))
        try:
            return await ask(call, self._door, deltas.hear, ADAPTERS, tries)
        except BotFailure:
            raise
        except Exception as bug:
            logger.exception("The adapter for %s failed in an unforeseen way.", brief.bot.protocol)
            raise BotFailure(FailureKind.INTERRUPTED, f"Unforeseen: {bug!r}") from bug
        finally:
            deltas.close()

    def _tell_delta(self, turn: Turn, text: str) -> None:
        self._switchboard.tell_passing(turn.dialogue_id, reply_delta(turn.number, text))

    async def _store(self, turn: Turn, record: Callable[[], bool]) -> bool:
        """Stores the outcome, however long the database is away; True if the attempt was still the current one."""
        while True:
            try:
                return await self._commits.submit(record, about=turn.dialogue_id)
            except Unavailable:
                await asyncio.sleep(SETTLE_RETRY_S)
