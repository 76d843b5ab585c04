"""Carries out replays beside the sockets of a server process, or for a command, and keeps the rounds of the sentinel.

A replay is a talk like any other at the system: through the same adapters, the same door and the same places. It waits for a place before each
line, however far it is, while people would wait for it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from dialogues.models import Turn
from dialogues.queries import utterances
from participants import failure_sentences as sentences
from participants.adapters import ADAPTERS, BotCall, Farewell, History, Reply
from participants.adapters.asking import ask, say_goodbye
from participants.failures import BotFailure, FailureKind, Try
from participants.outbound import Door
from participants.secrets import SecretLost
from reading.findings import sentence
from replays.actions.running import (
    NOT_CALLED,
    ReplayBrief,
    brief_of,
    claim_replay,
    end_replay,
    give_back,
    may_ask_now,
    note_failure,
    note_reply,
)
from replays.actions.sentinel import begin_due_rounds, end_finished_rounds
from replays.models import Replay, ReplayState
from serving.actions import end_leases
from serving.database_threads import DatabaseThread, look_again_and_again
from serving.jobs import carry_out_due, job
from serving.processes import ProcessName

logger = logging.getLogger("huace.replays")

LOOK_EVERY_S = 1.0
LOOK_FOR_ROUNDS_EVERY_S = 30.0
REPLAYS_AT_ONCE = 4
# A system that fails so often in a row is left alone: each call could take the whole deadline.
FAILURES_IN_A_ROW = 2
GOODBYE_S = 5.0


async def keep_replays() -> None:
    """Carries out replays for as long as the server process runs."""
    keeper = ReplayKeeper()
    try:
        await keeper.run()
    finally:
        await keeper.close()


async def keep_sentinel() -> None:
    """Begins and ends the rounds of the sentinel for as long as the server process runs."""
    await look_again_and_again(look_for_rounds, every_s=LOOK_FOR_ROUNDS_EVERY_S, name="sentinel")


def look_for_rounds() -> int:
    return end_finished_rounds(at=timezone.now()) + begin_due_rounds(at=timezone.now())


@dataclass(slots=True)
class _Talk:
    """What was said so far in a replay, and whether it goes on."""

    history: History
    n_failures: int = 0
    is_over: bool = False


class ReplayKeeper:
    """The door and the database thread. `only` limits it to replays that a command waits for; it ends once none of them is due or running."""

    def __init__(self, only: Sequence[UUID] | None = None) -> None:
        self._process = ProcessName()
        self.name = self._process.name
        self._only = only
        self._door = Door(settings.OUTBOUND_ALLOW)
        self._thread = DatabaseThread("replays")
        self.in_database = self._thread.run

    async def close(self) -> None:
        self._thread.end()
        await self._door.close()

    async def run(self, is_enough: Callable[[], Awaitable[bool]] | None = None) -> None:
        """Runs until `is_enough` says so, by default for ever."""
        running = Replay.objects.filter(state=ReplayState.RUNNING)
        await self.in_database(end_leases, running, is_dead=self._process.is_ended, at=timezone.now())
        await carry_out_due(
            lambda: self.in_database(claim_replay, worker=self.name, at=timezone.now(), only=self._only),
            self._carry_out, at_once=REPLAYS_AT_ONCE, every_s=LOOK_EVERY_S, is_enough=is_enough,
        )  # fmt: skip

    async def _carry_out(self, replay: Replay) -> None:
        with job("replay", replay=replay.pk):
            await self.carry_out(replay)

    async def carry_out(self, replay: Replay) -> None:
        """One replay from claim to end; whatever breaks, it gets a state that moves on."""
        try:
            brief = await self.in_database(brief_of, replay)
            if brief is None:
                await self.in_database(end_replay, replay=replay, at=timezone.now(), failure=sentence(NOT_CALLED))
            elif await self._talk(replay, brief):
                await self.in_database(end_replay, replay=replay, at=timezone.now())
        except SecretLost:
            await self.in_database(end_replay, replay=replay, at=timezone.now(), failure=sentence(NOT_CALLED))
        except asyncio.CancelledError:
            with contextlib.suppress(RuntimeError):
                await self.in_database(give_back, replay=replay)
            raise
        except Exception:
            logger.exception("Replay %s broke off (attempt %s).", replay.pk, replay.n_attempts)
            await self.in_database(give_back, replay=replay)

    async def _talk(self, replay: Replay, brief: ReplayBrief) -> bool:
        """Puts line after line; False where the replay was stopped, or is another's by now."""
        talk = _Talk(History())
        try:
            for line in brief.lines:
                if not await self._may_ask(replay):
                    return False
                if not await self._put(replay, brief, line, talk):
                    return False
                if talk.is_over or talk.n_failures >= FAILURES_IN_A_ROW:
                    break
        finally:
            if talk.history.said:
                await self._leave(replay, brief, talk)
        return True

    async def _may_ask(self, replay: Replay) -> bool:
        while not (may := await self.in_database(may_ask_now, replay=replay, at=timezone.now())):
            if may is None:
                return False
            await asyncio.sleep(LOOK_EVERY_S)
        return True

    async def _put(self, replay: Replay, brief: ReplayBrief, line: Turn, talk: _Talk) -> bool:
        """Puts one line and stores what came; False where the replay is no longer ours."""
        try:
            reply = await self._ask(replay, brief, line, talk.history)
        except BotFailure as failure:
            talk.n_failures += 1
            said = {"replay": replay, "line": line, "failure": failure, "at": timezone.now()}
            return await self.in_database(note_failure, **said) is not None
        talk.n_failures = 0
        talk.history = talk.history.and_then(*utterances(line.number, line.text, reply.texts), state=reply.state)
        talk.is_over = reply.end and brief.may_end
        said = {"replay": replay, "line": line, "reply": reply, "masker": brief.masker, "secret": brief.bot.secret}
        return await self.in_database(note_reply, **said, at=timezone.now()) is not None

    async def _ask(self, replay: Replay, brief: ReplayBrief, line: Turn, history: History) -> Reply:
        talk = replay.talk_id
        call = BotCall(
            bot=brief.bot,
            dialogue=talk,
            turn=line.number,
            text=line.text,
            turn_key=f"{talk}:{line.number}",
            history=history,
            context=brief.context,
            language=brief.language,
            deadline_s=brief.deadline_s,
        )
        tries: list[Try] = []
        try:
            return await ask(call, self._door, lambda part: None, ADAPTERS, tries)
        except BotFailure:
            raise
        except Exception as bug:
            logger.exception("The adapter for %s failed in an unforeseen way.", brief.bot.protocol)
            raise BotFailure(FailureKind.INTERRUPTED, sentence(sentences.UNFORESEEN, received=repr(bug))) from bug

    async def _leave(self, replay: Replay, brief: ReplayBrief, talk: _Talk) -> None:
        """Leaves nothing open at a system whose protocol knows an end."""
        close = ADAPTERS[brief.bot.protocol].close
        if close is not None:
            farewell = Farewell(brief.bot, replay.talk_id, talk.history.state, brief.language)
            with contextlib.suppress(BotFailure, TimeoutError):
                await say_goodbye(farewell, self._door, close, GOODBYE_S)
