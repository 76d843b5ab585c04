"""The live side of one server process: asks bots, settles their answers, keeps sockets and ledger together.

    socket ── frame ──▶ action (group commit) ── committed ──▶ switchboard ──▶ every socket of the dialogue
                             │
                             └─ new turn ──▶ one task asks the bot ──▶ record_reply / record_failure ──▶ …

No state of a dialogue lives only here: if the process dies, the next one fails its waiting turns as interrupted.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from channels.layers import get_channel_layer
from django.conf import settings
from django.utils import timezone

from participants.adapters import ADAPTERS, BotCall, Utterance
from participants.adapters.asking import ask
from participants.failures import BotFailure, FailureKind
from participants.large_texts import apart
from participants.outbound import Door
from testing_console import events, switchboard
from testing_console.actions import (
    Admission,
    TakenTurn,
    close_subtask,
    end_dialogue,
    record_failure,
    record_reply,
    recover_interrupted,
    retry_turn,
    take_turn,
)
from testing_console.admission import no_longer_held
from testing_console.background import Background
from testing_console.group_commit import GroupCommit, Unavailable
from testing_console.masking import MaskedStream
from testing_console.models import Dialogue, Turn
from testing_console.other_processes import OtherProcesses
from testing_console.owner import Owner
from testing_console.reading import Briefing, briefing, look_up, said_before
from testing_console.switchboard import LoopPost, Switchboard
from testing_console.turn_taking import EndReason, Refusal, RefusalCode, ShownReply, shown_reply

logger = logging.getLogger("huace.exchange")

SWEEP_EVERY_S = 5.0
EXPEL_EVERY_S = 1.0
BRIEFING_KEPT_S = 60.0
SETTLE_RETRY_S = 1.0
# Who waits longer hears that nothing is stored; should it be stored later after all, the bot is asked and the same key
# finds it.
COMMIT_LIMIT_S = 6.0
T = TypeVar("T")


@dataclass
class _Kept:
    briefing: Briefing
    until: float


@dataclass(frozen=True, slots=True)
class _History:
    """What was said up to and with turn `number`, when this very process stored the reply to it."""

    number: int
    said: tuple[Utterance, ...]


class Exchange:
    """One per process and event loop; made by `current()` on first use."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.owner = Owner()
        post = LoopPost(self.loop)
        self.switchboard = Switchboard(post)
        self.commits = GroupCommit(self.loop, post)
        self.door = Door(settings.OUTBOUND_ALLOW)
        self.is_draining = False
        self._briefings: dict[UUID, _Kept] = {}
        self._histories: dict[UUID, _History] = {}
        self._calls: dict[UUID, asyncio.Task[None]] = {}
        switchboard.connect(self.switchboard)
        self._background = Background(self.loop)
        self._background.keep("The sweep for interrupted turns", self._sweep)
        self._background.keep("The closing of sockets of people who logged out", self._expel)
        OtherProcesses(self.switchboard, self.owner.name, get_channel_layer()).start(self._background)

    # -- what sockets ask for -------------------------------------------------------------------------------------

    async def take_turn(self, dialogue_id: UUID, admission: Admission, *, key: str, text: str) -> TakenTurn:
        """Commits the turn, then asks the bot in a task of its own; the same key again only gives the turn."""
        self._refuse_if_draining()
        brief = await self._briefing(dialogue_id)
        kept = self._histories.pop(dialogue_id, None)

        def work() -> tuple[TakenTurn, tuple[Utterance, ...]]:
            taken = take_turn(
                dialogue_id=dialogue_id,
                admission=admission,
                key=key,
                text=text,
                at=timezone.now(),
                reply_deadline_s=brief.reply_deadline_s,
                owner=self.owner.name,
            )
            if not taken.is_new:
                return taken, ()
            is_known = kept is not None and kept.number == taken.turn.number - 1
            return taken, kept.said if kept is not None and is_known else said_before(taken.turn)

        def ask_bot(stored: tuple[TakenTurn, tuple[Utterance, ...]]) -> None:
            if stored[0].is_new:
                self._start_call(stored[0].turn, brief, stored[1])

        taken, _ = await self._commit(dialogue_id, work, ask_bot)
        return taken

    async def retry_turn(self, dialogue_id: UUID, admission: Admission, *, number: int) -> None:
        self._refuse_if_draining()
        brief = await self._briefing(dialogue_id)

        def work() -> tuple[Turn, tuple[Utterance, ...]]:
            turn = retry_turn(
                dialogue_id=dialogue_id,
                admission=admission,
                number=number,
                at=timezone.now(),
                reply_deadline_s=brief.reply_deadline_s,
                owner=self.owner.name,
            )
            return turn, said_before(turn)

        def ask_bot(stored: tuple[Turn, tuple[Utterance, ...]]) -> None:
            self._start_call(stored[0], brief, stored[1])

        await self._commit(dialogue_id, work, ask_bot)

    async def close_subtask(self, dialogue_id: UUID, admission: Admission, *, index: int, is_finished: bool) -> None:
        await self._commit(
            dialogue_id,
            lambda: close_subtask(
                dialogue_id=dialogue_id, admission=admission, index=index, is_finished=is_finished, at=timezone.now()
            ),
        )

    async def end_dialogue(self, dialogue_id: UUID, admission: Admission, *, reason: EndReason) -> None:
        await self._commit(
            dialogue_id,
            lambda: end_dialogue(dialogue_id=dialogue_id, admission=admission, reason=reason, at=timezone.now()),
        )
        call = self._calls.pop(dialogue_id, None)
        if call is not None:
            call.cancel()

    async def _commit(self, dialogue_id: UUID, work: Callable[[], T], then: Callable[[T], None] | None = None) -> T:
        """The result of `work`, committed. `then` hears of every commit, also of one that nobody waits for any more."""
        try:
            async with asyncio.timeout(COMMIT_LIMIT_S):
                return await self.commits.submit(work, then, about=dialogue_id)
        except (Unavailable, TimeoutError) as lost:
            raise Refusal(RefusalCode.UNAVAILABLE, "Not stored: our database is busy. Try again.") from lost
        except Dialogue.DoesNotExist as gone:
            raise Refusal(RefusalCode.CLOSED, "The dialogue is gone.") from gone

    def _refuse_if_draining(self) -> None:
        if self.is_draining:
            raise Refusal(RefusalCode.DRAINING, "The server restarts; the page reconnects by itself. Send again then.")

    async def _briefing(self, dialogue_id: UUID) -> Briefing:
        """The briefing that was read when the socket opened; an old one still serves while it is read anew."""
        kept = self._briefings.get(dialogue_id)
        if kept is None:
            return await self._read_briefing(dialogue_id)
        if kept.until < self.loop.time():
            self.brief(dialogue_id, kept.briefing)
            self._background.once("Reading a briefing anew", self._read_briefing(dialogue_id))
        return kept.briefing

    async def _read_briefing(self, dialogue_id: UUID) -> Briefing:
        fresh = await look_up(briefing, dialogue_id)
        self.brief(dialogue_id, fresh)
        return fresh

    def brief(self, dialogue_id: UUID, known: Briefing) -> None:
        """Keeps what calls for this dialogue need, so that no turn waits for it."""
        self._briefings[dialogue_id] = _Kept(known, self.loop.time() + BRIEFING_KEPT_S)

    # -- asking the bot -------------------------------------------------------------------------------------------

    def _start_call(self, turn: Turn, brief: Briefing, history: tuple[Utterance, ...]) -> None:
        task = self.loop.create_task(self._call(turn, brief, history))
        self._calls[turn.dialogue_id] = task
        task.add_done_callback(lambda done: self._call_ended(turn.dialogue_id, done))

    def _call_ended(self, dialogue_id: UUID, task: "asyncio.Task[None]") -> None:
        if self._calls.get(dialogue_id) is task:
            del self._calls[dialogue_id]
        if not task.cancelled() and task.exception() is not None:
            logger.error("A turn could not be settled; the sweep will.", exc_info=task.exception())

    async def _call(self, turn: Turn, brief: Briefing, history: tuple[Utterance, ...]) -> None:
        stream = MaskedStream(brief.masker)

        def on_delta(part: str) -> None:
            shown = stream.hear(part)
            if shown:
                self.switchboard.tell_passing(turn.dialogue_id, events.reply_delta(turn.number, shown))

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
        failure: BotFailure | None = None
        texts: tuple[str, ...] = ()
        try:
            reply = await ask(call, self.door, on_delta, ADAPTERS)
            texts, latency_ms = reply.texts, reply.latency_ms
        except BotFailure as failed:
            failure, latency_ms = failed, failed.latency_ms
        except Exception as bug:
            logger.exception("The adapter for %s failed in an unforeseen way.", brief.bot.protocol)
            failure, latency_ms = BotFailure(FailureKind.INTERRUPTED, f"Unforeseen: {bug!r}"), 0
        shown = await apart(sum(map(len, texts)), shown_reply, texts, brief.masker, latency_ms)
        is_answered = await self._settle(turn, texts, shown, failure, latency_ms)
        if is_answered and failure is None and self.switchboard.has_listeners(turn.dialogue_id):
            said = (*history, Utterance("user", turn.text), Utterance("bot", "\n".join(shown.texts)))
            self._histories[turn.dialogue_id] = _History(turn.number, said)

    async def _settle(
        self,
        turn: Turn,
        texts: tuple[str, ...],
        shown: ShownReply,
        failure: BotFailure | None,
        latency_ms: int,
    ) -> bool:
        """Stores the outcome; True if the attempt was still the current one.

        While the database is away it tries again, until the sweep would take the turn over.
        """

        def work() -> bool:
            at = timezone.now()
            if failure is not None:
                return record_failure(asked=turn, failure=failure, latency_ms=latency_ms, at=at)
            return record_reply(asked=turn, texts=texts, shown=shown, latency_ms=latency_ms, at=at)

        while True:
            try:
                return await self.commits.submit(work, about=turn.dialogue_id)
            except Unavailable:
                if timezone.now() > turn.due_at:
                    raise
                await asyncio.sleep(SETTLE_RETRY_S)

    # -- what lost its process --------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Fails turns that lost their process: at once at the start, then every few seconds."""
        while True:
            try:
                n_recovered = await self.commits.submit(
                    lambda: recover_interrupted(at=timezone.now(), sweeper=self.owner.name, is_gone=self.owner.is_gone)
                )
                if n_recovered:
                    logger.info("%d interrupted turns were failed, so that their testers can go on.", n_recovered)
            except Unavailable:
                logger.warning("The sweep for interrupted turns waits for the database.")
            talking = set(self.switchboard.dialogues())
            self._briefings = {key: kept for key, kept in self._briefings.items() if key in talking}
            self._histories = {key: history for key, history in self._histories.items() if key in talking}
            await asyncio.sleep(SWEEP_EVERY_S)

    async def _expel(self) -> None:
        """Closes the sockets of people who logged out or may no longer be there; what they ask for is refused anyway."""
        while True:
            await asyncio.sleep(EXPEL_EVERY_S)
            listeners = self.switchboard.listeners()
            if listeners:
                held = {(dialogue_id, listener.admission) for dialogue_id, listener in listeners}
                gone = await look_up(no_longer_held, held)
                for dialogue_id, listener in listeners:
                    if (dialogue_id, listener.admission) in gone:
                        listener.expel()

    # -- the end --------------------------------------------------------------------------------------------------

    async def drain(self, limit_s: float) -> None:
        """Takes no new turns, waits for those in flight, then commits what waits."""
        self.is_draining = True
        if self._calls:
            await asyncio.wait(list(self._calls.values()), timeout=limit_s)

    async def close(self) -> None:
        global _exchange
        self._background.cancel()
        for task in self._calls.values():
            task.cancel()
        switchboard.connect(None)
        await asyncio.to_thread(self.commits.close)
        await self.door.close()
        _exchange = None


_exchange: Exchange | None = None


def current() -> Exchange:
    """The exchange of this process, made on first use on the running event loop."""
    global _exchange
    if _exchange is None or _exchange.loop is not asyncio.get_running_loop():
        _exchange = Exchange()
    return _exchange
