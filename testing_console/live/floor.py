"""The live side of one server process: its parts, what they do beside the sockets, and how it ends.

    socket ── frame ──▶ commands ──▶ action (group commit) ── outcome ──▶ switchboard ──▶ every socket of the dialogue
                                            ▲                    │
                                            │                    └──▶ bot calls: one task asks the bot
                                            └──── reply or failure ────────────┘

No state of a dialogue lives only here: if the process dies, the next one fails its waiting turns as interrupted.
"""

import asyncio
import logging
from contextlib import suppress
from contextvars import Context
from typing import Any
from uuid import UUID

from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import channel_layers, get_channel_layer
from django.conf import settings

from dialogues.actions.ledger import Outcome, hold_free
from dialogues.queries import look_up
from participants.bot_form import DIAL_OUT
from participants.failures import FailureKind, Fault
from participants.outbound import Door
from participants.outbound.places import levels_of_places
from serving.background import Background
from serving.commits.group_commit import GroupCommit, Unavailable
from serving.leases import leases
from serving.loop_post import LoopPost
from serving.machines import Beat, shares_database
from serving.monitoring.metrics import COMMITS_WAITING, PLACES_TAKEN, PLACES_WAITING, turns_that
from serving.processes import ProcessName
from testing_console.live.admission import no_longer_held
from testing_console.live.bot_calls import BotCalls
from testing_console.live.bot_sockets import BotSockets
from testing_console.live.breakers import Breakers
from testing_console.live.briefings import Briefings, Farewells
from testing_console.live.commands import Commands
from testing_console.live.notices import Attendance, Notices
from testing_console.live.other_processes import OtherProcesses
from testing_console.live.recovery import Recovery
from testing_console.live.switchboard import Switchboard

logger = logging.getLogger("huace.floor")

SWEEP_EVERY_S = 5.0
EXPEL_EVERY_S = 1.0
LEVELS_EVERY_S = 2.0
# Pages move to another server one by one, and over at least HAND_OVER_S: all at once would delay each other there. Welcoming
# one costs a server 4 ms, and up to 10 while other work shares its processor (docs/bench.md).
HAND_OVER_EACH_S = 0.02
HAND_OVER_S = 0.5
# At most this share of the time that turns in flight get.
HAND_OVER_SHARE = 1 / 3
HAND_OVER_LOOK_S = 0.05


class Floor:
    """One per process and event loop; made by `current()` on first use."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.owner = ProcessName()
        self._background = Background(self.loop)
        self.switchboard = Switchboard()
        self.briefings = Briefings(self._background)
        self.commits = GroupCommit(self.loop, LoopPost(self.loop), hold_free)
        self.door = Door(settings.OUTBOUND_ALLOW)
        self.breakers = Breakers(self.door, self.commits, self._background, self.owner.name)
        self.calls = BotCalls(self.door, self.commits, self.switchboard, self.briefings, self.breakers)
        self.commands = Commands(self.commits, self.briefings, self.calls, self.owner.name)
        self._recovery = Recovery(self.owner, self.calls.is_asking)
        # Sockets are told of a commit before the bot is asked: the acceptance always comes before the answer.
        # A call that the end of its dialogue stops is cancelled before its bot hears of that end.
        farewells = Farewells(self.door, self.briefings, self._background)
        self.commits.follow(self.switchboard.follow, self.calls.follow, farewells.follow)
        self._beat = Beat(self.owner, self.commits.submit)
        self._background.keep("The sweep for interrupted turns", self._sweep)
        self._background.keep("The closing of sockets of people who logged out", self._expel)
        self._background.keep("The levels that watchers read", self._note_levels)
        self._background.keep("The probes of paused bots", self.breakers.follow)
        notices = Notices(self.switchboard, self.briefings)
        attendance = Attendance(self.switchboard, self.commits, self.owner.name)
        self._background.keep("The announcements to open consoles", notices.follow)
        self._background.keep("The attendance of testers", attendance.follow)
        self.bots = BotSockets(self._background, self.commits, self.owner, own_channel_layer())
        if shares_database():
            self._background.keep("The beat of this process", self._beat.follow)
        OtherProcesses(self.switchboard, self.owner.name, get_channel_layer()).start(self._background)

    async def _sweep(self) -> None:
        """Fails turns that lost their process: at the start, as soon as a machine is found dead, and every few seconds."""
        while True:
            # Before the sweep: what is found during it is swept next.
            self._beat.has_found_dead.clear()
            try:
                recovered = await self.commits.submit(self._recovery.sweep)
                if recovered.told:
                    turns_that(FailureKind.INTERRUPTED, Fault.PLATFORM).inc(len(recovered.told))
                    logger.info("%d interrupted turns were failed, so that testers can go on.", len(recovered.told))
            except Unavailable:
                logger.warning("The sweep for interrupted turns waits for the database.")
            talking = set(self.switchboard.dialogues())
            self.briefings.drop(but=talking)
            self.calls.memory.forget(but=talking)
            with suppress(TimeoutError):
                async with asyncio.timeout(SWEEP_EVERY_S):
                    await self._beat.has_found_dead.wait()

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

    async def _note_levels(self) -> None:
        """Looked at, not counted along: no turn pays for them."""
        while True:
            n_taken, n_waiting = levels_of_places()
            PLACES_TAKEN.set(n_taken)
            PLACES_WAITING.set(n_waiting)
            COMMITS_WAITING.set(self.commits.n_waiting)
            await asyncio.sleep(LEVELS_EVERY_S)

    # -- the end --------------------------------------------------------------------------------------------------

    async def drain(self, limit_s: float) -> None:
        """Sends sockets elsewhere, then takes no new turns and waits for those in flight, a queued commit included.

        `limit_s` begins with the last turn that is taken: sending them takes up to `HAND_OVER_SHARE` of it more.
        """
        n_sockets = max(1, len(self.switchboard.listeners()))
        pause_s = min(max(HAND_OVER_EACH_S, HAND_OVER_S / n_sockets), HAND_OVER_SHARE * limit_s / n_sockets)
        # Testers talk on until their moment comes: a turn refused here would wait for all those before it.
        await self._hand_over(pause_s)
        self.commands.is_draining = True
        ends_at = self.loop.time() + limit_s
        # First: a turn whose commit is still queued has no call yet that could be waited for.
        await self.commits.flushed()
        while True:
            # Asked before the pass: a call that ends during it gets one more.
            is_last = not self.calls.n_in_flight or self.loop.time() >= ends_at
            await self._hand_over(pause_s)
            if is_last:
                return
            await self.calls.wait(HAND_OVER_LOOK_S)

    async def _hand_over(self, pause_s: float) -> None:
        """Sends each socket elsewhere whose dialogue waits for no reply: a slow bot holds up its own testers alone."""
        for dialogue_id, listener in self.switchboard.listeners():
            if self._may_leave(dialogue_id):
                listener.hand_over()
                await asyncio.sleep(pause_s)

    def _may_leave(self, dialogue_id: UUID) -> bool:
        """A bot that connects itself stays with this server to its end, and so do its testers: elsewhere it would not be found."""
        brief = self.briefings.known(dialogue_id)
        is_guest = brief is not None and brief.bot.protocol == DIAL_OUT
        return not is_guest and not self.calls.is_asking(dialogue_id)

    async def close(self) -> None:
        global _floor
        self._background.cancel()
        self.calls.cancel_all()
        if shares_database():
            await self._beat.end()
        # In a thread: the writer may wait for the database, and the loop must go on to hear that it did.
        await asyncio.to_thread(self.commits.close)
        await self.door.close()
        over_all = leases()
        if over_all is not None:
            await asyncio.to_thread(over_all.close)
        _floor = None


_floor: Floor | None = None


def announce(outcome: Outcome) -> None:
    """Tells the sockets at once what a page or the API committed; callable from any thread.

    Where no floor is in this process, those of others find it in the ledger within seconds.
    """
    here = _floor
    if here is not None and not here.loop.is_closed():
        here.commits.announce(outcome)


def expel_bot(bot: str) -> None:
    """Closes the socket that a bot has in this process; from any thread. Other processes find it out within a second."""
    here = _floor
    if here is not None and not here.loop.is_closed():
        # Not in the context of the request: what follows goes on after its end.
        here.loop.call_soon_threadsafe(here.bots.expel, bot, context=Context())


def own_channel_layer() -> Any:
    """A layer for one listener alone: a listener that restarts empties the whole layer."""
    return channel_layers.make_backend(DEFAULT_CHANNEL_LAYER) if DEFAULT_CHANNEL_LAYER in channel_layers else None


def current() -> Floor:
    """The floor of this process, made on first use on the running event loop."""
    global _floor
    if _floor is None or _floor.loop is not asyncio.get_running_loop():
        _floor = Floor()
    return _floor
