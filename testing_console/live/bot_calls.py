"""Asks the bots of the turns that this process took, and stores what came of it.

One task per turn, from the commit of the tester's words to the commit of the outcome. `Deltas` shows parts of a streamed reply, masked;
`Memory` keeps what was said, at a bounded size, so that no turn reads it again.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone

from dialogues.actions import record_failure, record_reply, record_requests
from dialogues.actions.ledger import Asked, Outcome, Remembered, Settled, WaitingTurn
from dialogues.events import reply_delta, turn_waiting
from dialogues.masking import MaskedStream, Masker
from dialogues.pictures import keep_picture
from dialogues.queries import Briefing
from dialogues.turn_taking import REPLY_LIMIT, Refusal, shown_reply
from participants import failure_sentences as sentences
from participants.adapters import ADAPTERS, BotCall, Reply
from participants.adapters.asking import ask
from participants.failures import BotFailure, FailureKind, Fault, Try
from participants.outbound import Door
from reading.findings import sentence
from serving.commits.group_commit import GroupCommit, Unavailable
from serving.large_texts import apart
from serving.monitoring.metrics import BOT, SETTLE, WAIT, TakingTime, turns_that
from testing_console.live.breakers import Breakers
from testing_console.live.briefings import Briefings
from testing_console.live.switchboard import Switchboard

# An eye sees no more; a bot that streams letter by letter would cost a frame for each.
TOLD_EVERY_S = 0.05
# Characters of all dialogues together, each about 5 bytes: the text, and its form in a protocol. 500 dialogues of 50
# turns have room for 800 characters in each turn. Replies may have 8,000: without a limit such bots would fill the memory.
CHARACTERS_LIMIT = 20_000_000
logger = logging.getLogger("huace.bot_calls")
turn_log = logging.getLogger("huace.turn")
SETTLE_RETRY_S = 1.0
ANSWERED = "answered"


class Deltas:
    """Hears every part at once and tells what can be shown: the first part now, the rest together every 50 ms.

    What is still held back at the end is not told: the reply itself follows and holds everything.
    """

    def __init__(self, masker: Masker, tell: Callable[[str], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stream = MaskedStream(masker)
        self._tell = tell
        self._heard: list[str] = []
        self._n_left = REPLY_LIMIT
        self._pause: asyncio.TimerHandle | None = None

    def hear(self, part: str) -> None:
        if self._n_left > 0:
            self._heard.append(part)
            if self._pause is None:
                self._pass_on()

    def _pass_on(self) -> None:
        self._pause = None
        if not self._heard:
            return
        # A part may be as long as a reply's limit in bytes; what cannot be shown any more is not masked.
        part = "".join(self._heard)[: self._n_left + self._stream.reach]
        shown = self._stream.hear(part)[: self._n_left]
        self._heard.clear()
        self._n_left -= len(shown)
        self._pause = self._loop.call_later(TOLD_EVERY_S, self._pass_on)
        if shown:
            self._tell(shown)

    def close(self) -> None:
        if self._pause is not None:
            self._pause.cancel()


class Memory:
    """The latest of each dialogue. Touched on the event loop only."""

    def __init__(self, limit: int = CHARACTERS_LIMIT) -> None:
        self._limit = limit
        # In the order in which they were last kept.
        self._kept: dict[UUID, Remembered] = {}
        self._n_characters = 0

    def keep(self, remembered: Remembered) -> None:
        """Beyond the limit the dialogues that have been silent longest are dropped; their next turn reads."""
        self._drop(remembered.dialogue_id)
        self._kept[remembered.dialogue_id] = remembered
        self._n_characters += remembered.history.n_characters
        while self._n_characters > self._limit:
            self._drop(next(iter(self._kept)))

    def recall(self, dialogue_id: UUID) -> Remembered | None:
        """What is known of what was said; the action that is given it checks whether it is the latest.

        It stays: a turn that is refused must not cost the next one the reading of the whole history.
        """
        return self._kept.get(dialogue_id)

    def forget(self, *, but: Collection[UUID]) -> None:
        for dialogue_id in [one for one in self._kept if one not in but]:
            self._drop(dialogue_id)

    def _drop(self, dialogue_id: UUID) -> None:
        dropped = self._kept.pop(dialogue_id, None)
        if dropped is not None:
            self._n_characters -= dropped.history.n_characters


@dataclass(slots=True, eq=False)
class _Call:
    """One attempt at a turn, from the commit that put it to waiting to the commit of its outcome."""

    turn: WaitingTurn
    task: "asyncio.Task[None] | None" = None
    is_storing: bool = False
    is_stopped: bool = False

    def cancel(self) -> None:
        if self.task is not None:
            self.task.cancel()


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
        if outcome.remembered is not None and self._switchboard.has_listeners(outcome.remembered.dialogue_id):
            self.memory.keep(outcome.remembered)
        if outcome.stopped is not None:
            self.cancel(outcome.stopped)
        # A repeated key finds its turn waiting: the first of the two has started the call already.
        if outcome.asked is not None and not self._is_asking_for(outcome.asked.turn):
            self.start(outcome.asked)

    def start(self, asked: Asked) -> None:
        call = self._calls[asked.turn.dialogue_id] = _Call(asked.turn)
        call.task = self._loop.create_task(self._call(asked, call))
        call.task.add_done_callback(partial(self._ended, call))

    def is_asking(self, dialogue_id: UUID) -> bool:
        """Whether a call of this dialogue is in flight or being stored; safe to ask from any thread."""
        return dialogue_id in self._calls

    def _is_asking_for(self, turn: WaitingTurn) -> bool:
        call = self._calls.get(turn.dialogue_id)
        return call is not None and (call.turn.id, call.turn.attempt_number) == (
            turn.id,
            turn.attempt_number,
        )

    @property
    def n_in_flight(self) -> int:
        return len(self._calls)

    def cancel(self, dialogue_id: UUID) -> None:
        # Taken out at once: a cancelled call ends later, and by then the entry may be that of the next one.
        call = self._calls.pop(dialogue_id, None)
        if call is None:
            return
        call.is_stopped = True
        # What is being stored may have come first: its commit says which of the two the turn ended by.
        if not call.is_storing:
            _note_settled(FailureKind.CANCELLED, Fault.TESTER, call.turn)
            call.cancel()

    def cancel_all(self) -> None:
        for call in self._calls.values():
            call.cancel()

    async def wait(self, limit_s: float) -> None:
        if tasks := [call.task for call in self._calls.values() if call.task is not None]:
            await asyncio.wait(tasks, timeout=limit_s)

    def _ended(self, call: _Call, task: "asyncio.Task[None]") -> None:
        # A retry may have replaced the entry before this call was quite over.
        if self._calls.get(call.turn.dialogue_id) is call:
            del self._calls[call.turn.dialogue_id]
        # Of a dialogue that was deleted meanwhile there is nothing to settle.
        if not task.cancelled() and not isinstance(task.exception(), Refusal | None):
            logger.error("A turn could not be settled; the sweep will.", exc_info=task.exception())

    async def _call(self, asked: Asked, call: _Call) -> None:
        tries: list[Try] = []
        turn = call.turn
        brief = await self._briefings.of(turn.dialogue_id)
        try:
            reply = await self._ask(asked, brief, tries)
        except asyncio.CancelledError:
            if tries:
                # Not awaited: the cancelled turn is settled, only its earlier requests are added.
                self._commits.submit(partial(record_requests, asked=asked, tries=tries), about=turn.dialogue_id)
            raise
        except BotFailure as failure:
            await self._breakers.hear(failure, turn, brief)
            settled = await self._store(call, partial(record_failure, asked=asked, failure=failure, at=timezone.now()))
            self._note(settled, call, failure.kind, failure.fault, failure.latency_ms, tries)
            if failure.fault is Fault.BOT:
                self._breakers.failed(brief.entry_id)
        else:
            self._breakers.answered(brief)
            n_characters = sum(map(len, reply.texts))
            shown = await apart(n_characters, shown_reply, reply.texts, brief.masker, reply.latency_ms)
            record = partial(record_reply, asked=asked, reply=reply, shown=shown, at=timezone.now())
            self._note(await self._store(call, record), call, ANSWERED, Fault.NOBODY, reply.latency_ms, tries)

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
            on_place, keep = partial(self._tell_place, turn), partial(keep_picture, turn.dialogue_id)
            return await ask(call, self._door, deltas.hear, ADAPTERS, tries, on_place, keep=keep)
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

    async def _store(self, call: _Call, record: Callable[[], Settled]) -> Settled:
        """Stores the outcome, however long the database is away."""
        call.is_storing = True
        with TakingTime(SETTLE.observe):
            while True:
                try:
                    return await self._commits.submit(record, about=call.turn.dialogue_id)
                except Unavailable:
                    await asyncio.sleep(SETTLE_RETRY_S)

    @staticmethod
    def _note(settled: Settled, call: _Call, outcome: str, fault: Fault, latency_ms: int, tries: Sequence[Try]) -> None:
        """For watchers; an attempt that the turn no longer waited for is none of its outcomes, unless it was stopped."""
        waited_ms = tries[-1].wire.waited_ms or 0 if tries else 0
        BOT.observe(latency_ms / 1000)
        if waited_ms:
            WAIT.observe(waited_ms / 1000)
        if settled.is_current:
            _note_settled(outcome, fault, call.turn, bot_ms=latency_ms, waited_ms=waited_ms, tries=len(tries))
        elif call.is_stopped:
            _note_settled(FailureKind.CANCELLED, Fault.TESTER, call.turn)


def _note_settled(outcome: str, fault: Fault, turn: WaitingTurn, **fields: int) -> None:
    turns_that(outcome, fault).inc()
    if turn_log.isEnabledFor(logging.INFO):
        ids = {"dialogue": turn.dialogue_id, "turn": turn.number, "attempt": turn.attempt_number}
        turn_log.info("turn", extra={"fields": {"outcome": outcome, "fault": fault, **ids, **fields}})
