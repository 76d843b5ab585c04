"""What this process makes of bots that fail: those that fail together are excused, those that fail in a row are paused and probed."""

import asyncio
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from dialogues.actions.breaking import claim_probe, note_outage, pause_if_failing, record_probe
from dialogues.actions.ledger import WaitingTurn
from dialogues.queries import Briefing, ProbedBot, due_probes, last_answer, look_up
from participants import failure_sentences as sentences
from participants.adapters import ADAPTERS, BotCall, Farewell, Reply
from participants.adapters.asking import ask, say_goodbye
from participants.failures import BotFailure, FailureKind, Fault
from participants.outbound import Door
from participants.outbound.outages import OUTAGE_WINDOW_S, Outages, Place, is_unanswered
from reading.findings import sentence
from serving.background import Background
from serving.commits.group_commit import GroupCommit, Unavailable
from testing_console.live.briefings import DEADLINE_S

LOOK_EVERY_S = 5.0
SAID_EVERY_S = 5.0
# One word, in the campaign's language: an answer of any kind to it says that the bot is back.
WORD = {"zh": "你好", "en": "Hello"}


class Breakers:
    """Touched on the event loop only."""

    def __init__(self, door: Door, commits: GroupCommit, background: Background, process: str) -> None:
        self._now = asyncio.get_running_loop().time
        self._door = door
        self._commits = commits
        self._background = background
        self._process = process
        self._outages: Outages[WaitingTurn] = Outages()
        self._outage_began: datetime | None = None
        # Failures that were booked to their bots and are the platform's; `reviews` books them, since what counts follows.
        self.taken_back: asyncio.Queue[WaitingTurn] = asyncio.Queue()
        self._said_s = -SAID_EVERY_S

    # -- bots that fail together ----------------------------------------------------------------------------------

    async def hear(self, failure: BotFailure, turn: WaitingTurn, brief: Briefing) -> None:
        """Books the failure to the platform where bots of several teams fell silent just now, and their failures with it."""
        # A team may practise with bots of its own whenever it likes: it could excuse its failures for a whole day.
        if not brief.is_live:
            return
        if failure.heard_ago_s is not None:
            # Half an answer may be as old as the deadline is long, and the network have gone since.
            self._note_answer(brief, failure.heard_ago_s)
            return
        if not is_unanswered(failure):
            return
        if self._outages.is_outage(self._now(), and_silent=place_of(brief)):
            await self._hear_of_others()
        verdict = self._outages.unanswered(place_of(brief), turn, self._now())
        if not verdict.is_ours:
            return
        failure.fault = Fault.PLATFORM
        failure.detail = sentence(sentences.SEVERAL_FAILED, said=failure.detail)
        at = timezone.now()
        self._outage_began = self._outage_began or at
        self._say(at)
        for other in verdict.corrected:
            self.taken_back.put_nowait(other)

    def answered(self, brief: Briefing) -> None:
        """A bot that answers is not among those that failed together."""
        if brief.is_live:
            self._note_answer(brief)

    def _note_answer(self, asked: Briefing | ProbedBot, ago_s: float = 0.0) -> None:
        heard_at = self._now() - ago_s
        if ADAPTERS[asked.bot.protocol].frame is None:
            self._outages.answered(place_of(asked), heard_at)
        else:
            self._outages.recovered(place_of(asked), heard_at)
        self._end_outage()

    async def _hear_of_others(self) -> None:
        """Reads when any process last got an answer: only where an outage is to be told, so that no other turn asks the database."""
        at = timezone.now()
        with suppress(OperationalError, InterfaceError):
            heard_at = await look_up(last_answer, at - timedelta(seconds=OUTAGE_WINDOW_S))
            if heard_at is not None:
                self._outages.heard_elsewhere(self._now() - max(0.0, (at - heard_at).total_seconds()))

    def _end_outage(self) -> None:
        """Takes the notice back once nothing speaks for an outage any more."""
        if self._outage_began is None or self._outages.is_outage(self._now()):
            return
        began_at, self._outage_began, self._said_s = self._outage_began, None, -SAID_EVERY_S
        self._background.once("Saying that bots answer again", self._note(began_at, timezone.now()))

    def _say(self, at: datetime) -> None:
        if self._now() - self._said_s < SAID_EVERY_S:
            return
        self._said_s = self._now()
        until = at + timedelta(seconds=OUTAGE_WINDOW_S + SAID_EVERY_S)
        self._background.once("Saying that bots fail together", self._note(self._outage_began or at, until))

    async def _note(self, began_at: datetime, until: datetime) -> None:
        await self._stored(partial(note_outage, process=self._process, began_at=began_at, until=until))

    # -- bots that fail in a row ----------------------------------------------------------------------------------

    def failed(self, entry_id: int) -> None:
        """Starts a check whether the bot failed too often; answered turns skip it."""
        look = partial(pause_if_failing, entry_id=entry_id, at=timezone.now())
        self._background.once("Looking whether a bot is failing", self._stored(look))

    # -- bots that are asked again --------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Asks the bots that the platform paused, for as long as the process runs."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if self._outage_began is not None:
                await self._hear_of_others()
            self._end_outage()
            await self.look(timezone.now())

    async def look(self, at: datetime) -> None:
        """One look: begins the probes that are due. They run detached: a hung one would block all later ones.

        The claim prevents doubles: what the next look finds while this one's claim is queued is not due any more, and is not
        due again before this one's answer must have come.
        """
        for bot in await look_up(due_probes, at):
            self._background.once("Asking a paused bot again", self._probe(bot, at))

    async def _probe(self, bot: ProbedBot, at: datetime) -> None:
        if not await self._stored(partial(claim_probe, entry_id=bot.entry_id, at=at)):
            return
        failure = await self._failure_of(bot)
        await self._stored(partial(record_probe, entry_id=bot.entry_id, failure=failure, at=timezone.now()))

    async def _failure_of(self, bot: ProbedBot) -> BotFailure | None:
        dialogue = str(uuid.uuid4())
        call = BotCall(
            bot.bot,
            dialogue,
            1,
            WORD[bot.language],
            f"{dialogue}:1",
            language=bot.language,
            deadline_s=bot.deadline_s,
        )
        try:
            reply = await ask(call, self._door, lambda part: None, ADAPTERS)
        except BotFailure as failure:
            if failure.heard_ago_s is not None:
                self._note_answer(bot, failure.heard_ago_s)
            return failure
        except Exception as bug:
            return BotFailure(FailureKind.INTERRUPTED, sentence(sentences.UNFORESEEN, received=repr(bug)))
        self._note_answer(bot)
        self._background.once("Ending the dialogue of a probe", self._leave(call, reply))
        return None

    async def _leave(self, call: BotCall, reply: Reply) -> None:
        """Leaves nothing open at a bot whose protocol knows an end."""
        close = ADAPTERS[call.bot.protocol].close
        if close is not None:
            farewell = Farewell(call.bot, call.dialogue, reply.state, call.language)
            with suppress(BotFailure, TimeoutError):
                await say_goodbye(farewell, self._door, close, DEADLINE_S)

    async def _stored(self, action: Callable[[], object]) -> bool:
        """Whether the action did something; False while the database is away: the next failure or look does it again."""
        try:
            return bool(await self._commits.submit(action))
        except Unavailable:
            return False


def place_of(asked: Briefing | ProbedBot) -> Place:
    """Which bots fail for one reason of theirs: those of one team, and those on one host; a bot without an address is on one of its own.

    On the platform's own machine each port is another host: a demonstration has all bots there.
    """
    parts = urlsplit(asked.bot.url)
    host = parts.hostname or f"entry {asked.entry_id}"
    return Place(asked.team_id, parts.netloc if _is_loopback(host) else host)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
