"""The live side of one server process: what sockets ask for is committed, then asked of the bots and told.

    socket ── frame ──▶ action (group commit) ── committed ──▶ switchboard ──▶ every socket of the dialogue
                             │
                             └─ new turn ──▶ bot_calls: one task asks the bot ──▶ record_reply / record_failure ──▶ …

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

from participants.adapters import History
from participants.outbound import Door
from serving.background import Background
from serving.group_commit import GroupCommit, Unavailable
from serving.loop_post import LoopPost
from serving.loop_watch import LoopWatch
from serving.process_names import ProcessName
from testing_console.actions import Admission, TakenTurn, close_subtask, end_dialogue, retry_turn, take_turn
from testing_console.live import switchboard
from testing_console.live.admission import no_longer_held
from testing_console.live.bot_calls import BotCalls
from testing_console.live.other_processes import OtherProcesses
from testing_console.live.recovery import Recovery
from testing_console.live.switchboard import Switchboard
from testing_console.models import Dialogue, Turn
from testing_console.queries import Briefing, briefing, look_up, said_before
from testing_console.turn_taking import EndReason, Refusal, RefusalCode, TurnStatus, unavailable

logger = logging.getLogger("huace.exchange")

SWEEP_EVERY_S = 5.0
EXPEL_EVERY_S = 1.0
BRIEFING_KEPT_S = 60.0
# After this limit the tester is told that the turn was not stored. If it is stored later, the bot is asked and the
# same key finds it.
COMMIT_LIMIT_S = 6.0
T = TypeVar("T")


@dataclass
class _Kept:
    briefing: Briefing
    until: float


class Exchange:
    """One per process and event loop; made by `current()` on first use."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.owner = ProcessName()
        post = LoopPost(self.loop)
        self.switchboard = Switchboard(post)
        self.commits = GroupCommit(self.loop, post)
        self.door = Door(settings.OUTBOUND_ALLOW)
        self.watch = LoopWatch(self.loop)
        self.calls = BotCalls(self.door, self.commits, self.switchboard, self.watch)
        self.is_draining = False
        self._recovery = Recovery(self.owner, self.calls.is_asking)
        self._briefings: dict[UUID, _Kept] = {}
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
        history_before = self.calls.take_history(dialogue_id)

        def work() -> tuple[TakenTurn, History | None]:
            taken = take_turn(
                dialogue_id=dialogue_id,
                admission=admission,
                key=key,
                text=text,
                at=timezone.now(),
                owner=self.owner.name,
            )
            if not taken.is_new and not self._was_left_unasked(taken.turn):
                return taken, None
            known = history_before(taken.turn)
            return taken, said_before(taken.turn) if known is None else known

        def ask_bot(stored: tuple[TakenTurn, History | None]) -> None:
            taken, history = stored
            # The same key twice in one batch: by now the first of them has started the call.
            if history is not None and (taken.is_new or not self.calls.is_asking(dialogue_id)):
                self.calls.start(taken.turn, brief, history)

        taken, _ = await self._commit(dialogue_id, work, ask_bot)
        return taken

    def _was_left_unasked(self, turn: Turn) -> bool:
        """Whether this process stored the turn without learning of it: its commit succeeded, the answer was lost."""
        if turn.status != TurnStatus.WAITING or self.calls.is_asking(turn.dialogue_id):
            return False
        turn.refresh_from_db()
        return turn.owner == self.owner.name

    async def retry_turn(self, dialogue_id: UUID, admission: Admission, *, number: int) -> None:
        self._refuse_if_draining()
        brief = await self._briefing(dialogue_id)

        def work() -> tuple[Turn, History]:
            turn = retry_turn(
                dialogue_id=dialogue_id,
                admission=admission,
                number=number,
                at=timezone.now(),
                owner=self.owner.name,
            )
            return turn, said_before(turn)

        def ask_bot(stored: tuple[Turn, History]) -> None:
            self.calls.start(stored[0], brief, stored[1])

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
        self.calls.cancel(dialogue_id)

    async def _commit(self, dialogue_id: UUID, work: Callable[[], T], then: Callable[[T], None] | None = None) -> T:
        """The result of `work`, committed. `then` hears of every commit, also of one that nobody waits for any more."""
        try:
            async with asyncio.timeout(COMMIT_LIMIT_S):
                return await self.commits.submit(work, then, about=dialogue_id)
        except (Unavailable, TimeoutError) as lost:
            raise unavailable() from lost
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

    # -- what lost its process --------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Fails turns that lost their process: at once at the start, then every few seconds."""
        while True:
            try:
                n_recovered = await self.commits.submit(self._recovery.sweep)
                if n_recovered:
                    logger.info("%d interrupted turns were failed, so that their testers can go on.", n_recovered)
            except Unavailable:
                logger.warning("The sweep for interrupted turns waits for the database.")
            talking = set(self.switchboard.dialogues())
            self._briefings = {key: kept for key, kept in self._briefings.items() if key in talking}
            self.calls.forget_histories(but=talking)
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
        """Takes no new turns and waits for those in flight, also for one whose commit is still queued."""
        self.is_draining = True
        ends_at = self.loop.time() + limit_s
        await self.commits.flushed()
        while self.calls.n_in_flight and self.loop.time() < ends_at:
            await self.calls.wait(ends_at - self.loop.time())

    async def close(self) -> None:
        global _exchange
        self._background.cancel()
        self.calls.cancel_all()
        self.watch.close()
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
