"""Dialogues with commands: each with a process of its own, or all with one."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from participants.bridge.line_forms import FORMS, Json, LineForm, NotAReply, object_in
from participants.bridge.processes import NoReply, Process

LOOK_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class Options:
    """`gather_s`: a reply of plain lines ends after so long a silence; 0 takes one line. `greets`: the command speaks first."""

    command: tuple[str, ...]
    lines: str = "plain"
    is_shared: bool = False
    greets: bool = False
    gather_s: float = 0.0
    reply_s: float = 60.0
    idle_s: float = 1800.0
    n_dialogues: int = 50

    @property
    def form(self) -> LineForm:
        return FORMS[self.lines]


class Bot(Protocol):
    """A command that is talked to."""

    async def answer(self, request: Json) -> Json:
        """The reply to a huace/1 request. Errors: `NoReply`."""

    async def close(self, dialogue: str) -> None:
        """The dialogue is over."""

    async def end(self) -> None: ...


def bot_of(options: Options) -> Bot:
    return Together(options) if options.is_shared else Apart(options)


def limit_of(request: Json, options: Options) -> float:
    """Seconds for one reply: a little less than the bot is given, so that the error still arrives."""
    deadline_ms = request.get("deadline_ms")
    if isinstance(deadline_ms, bool) or not isinstance(deadline_ms, int | float) or deadline_ms <= 0:
        return options.reply_s
    return min(options.reply_s, deadline_ms / 1000 * 0.95)


def hangs(limit_s: float) -> NoReply:
    return NoReply(504, f"The command gave no reply within {limit_s:g} s, and was ended.")


# -- a process for each dialogue ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Talk:
    """A dialogue, its process, and what was said last: the same turn is not put to the command twice.

    `n_users` have it or wait for its lock, which is free for a step between two of them.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    n_users: int = 0
    process: Process | None = None
    used_at: float = field(default_factory=time.monotonic)
    last: tuple[object, object] | None = None
    reply: Json = field(default_factory=dict)


class Apart:
    def __init__(self, options: Options) -> None:
        self._options = options
        self._talks: dict[str, Talk] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._looking = asyncio.create_task(self._end_idle())

    async def answer(self, request: Json) -> Json:
        dialogue = str(request["dialogue"])
        while True:
            if dialogue not in self._talks:
                if len(self._talks) >= self._options.n_dialogues:
                    self._make_room()
                self._talks[dialogue] = Talk()
            talk = self._talks[dialogue]
            async with self._used(talk):
                # One that was dropped while this waited is in no list: nobody would end a process that it starts now.
                if self._talks.get(dialogue) is talk:
                    return await self._answer_in(talk, request)

    async def _answer_in(self, talk: Talk, request: Json) -> Json:
        asked = (request.get("turn"), request["text"])
        talk.used_at = time.monotonic()
        if talk.last != asked:
            talk.reply = await self._reply(talk, request)
            talk.last = asked
            if talk.reply.get("end") is True:
                # The talk stays without a process: the turn may come once more.
                self._end_later(talk, "The dialogue is over.")
        return talk.reply

    async def close(self, dialogue: str) -> None:
        talk = self._talks.get(dialogue)
        if talk is not None:
            async with self._used(talk):
                await self._drop(dialogue, talk, "The dialogue is over.")

    @asynccontextmanager
    async def _used(self, talk: Talk) -> AsyncIterator[None]:
        talk.n_users += 1
        try:
            async with talk.lock:
                yield
        finally:
            talk.n_users -= 1

    @property
    def n_dialogues(self) -> int:
        return len(self._talks)

    def _make_room(self) -> None:
        """Ends a dialogue without a process, else the one that has been idle longest: nobody may have said that it is over."""
        idle = [named for named in self._talks.items() if not named[1].n_users]
        if not idle:
            raise NoReply(503, f"All {self._options.n_dialogues} dialogues of this bridge are in use.")
        dialogue, talk = min(idle, key=lambda named: (named[1].process is not None, named[1].used_at))
        del self._talks[dialogue]
        self._end_later(talk, "Another dialogue took its place.")

    def _end_later(self, talk: Talk, why: str) -> None:
        """Takes the process from the talk and ends it; no reply waits for that."""
        if talk.process is not None:
            ending = asyncio.create_task(talk.process.end(why))
            talk.process = None
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def _reply(self, talk: Talk, request: Json) -> Json:
        limit_s = limit_of(request, self._options)
        try:
            async with asyncio.timeout(limit_s):
                lines = await self._lines(talk, request)
            return self._options.form.reply_of(lines)
        except TimeoutError as late:
            await self._drop(str(request["dialogue"]), talk, "It hung.")
            raise hangs(limit_s) from late
        except NoReply:
            await self._drop(str(request["dialogue"]), talk, "It ended.")
            raise
        except NotAReply as bad:
            raise NoReply(502, str(bad)) from bad

    async def _lines(self, talk: Talk, request: Json) -> Sequence[bytes]:
        if talk.process is None:
            greeting = await self._start(talk, request)
            if greeting is not None and request.get("turn") == 0:
                return [greeting]
        process = talk.process
        assert process is not None, "started above"
        for line in process.forget_lines():
            print("Not asked for:", line.decode(errors="replace"), file=sys.stderr)
        await process.write(self._options.form.line_of(request))
        lines = [await process.line(None)]
        while self._options.gather_s and process.is_running:
            try:
                lines.append(await process.line(self._options.gather_s))
            except (TimeoutError, NoReply):
                break
        return lines

    async def _start(self, talk: Talk, request: Json) -> bytes | None:
        """Starts the dialogue's process; gives what it says first, where it does. Errors: `NoReply`."""
        if self._options.lines == "plain" and any(said.get("role") == "user" for said in request.get("history") or ()):
            # A command of plain lines is told no history: it would answer out of context.
            raise NoReply(
                500, "The process of this dialogue has ended, and plain lines cannot tell another what was said."
            )
        talk.process = await Process.start(self._options.command)
        return await talk.process.line(None) if self._options.greets else None

    async def _drop(self, dialogue: str, talk: Talk, why: str) -> None:
        """The dialogue's place is free again; in JSON lines its next turn starts another process."""
        if self._talks.get(dialogue) is talk:
            del self._talks[dialogue]
        if talk.process is not None:
            await talk.process.end(why)

    async def _end_idle(self) -> None:
        while True:
            await asyncio.sleep(min(LOOK_EVERY_S, self._options.idle_s))
            ends_before = time.monotonic() - self._options.idle_s
            for dialogue, talk in list(self._talks.items()):
                if talk.used_at < ends_before and not talk.n_users:
                    await self._drop(dialogue, talk, "It was idle.")

    async def end(self) -> None:
        self._looking.cancel()
        dropping = [self._drop(*named, "The bridge ends.") for named in list(self._talks.items())]
        await asyncio.gather(*dropping, *self._ending)


# -- one process for all dialogues ------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Question:
    """What was put to the command; its reply is `done` also where nobody waits for it any more."""

    dialogue: str
    turn: object
    reply: asyncio.Future[bytes]


class Together:
    """JSON lines with `dialogue`: a reply names its dialogue, or answers what was asked first.

    A question that timed out stays in the row until the command answers it: its reply must not go to the next one.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._process: Process | None = None
        self._starting = asyncio.Lock()
        self._waiting: set[str] = set()
        # The questions of the running process that it has not answered, in the order in which it reads them.
        self._row: list[Question] = []
        self._hearing: asyncio.Task[None] | None = None

    async def answer(self, request: Json) -> Json:
        dialogue, limit_s = str(request["dialogue"]), limit_of(request, self._options)
        if dialogue in self._waiting:
            raise NoReply(503, "The command is still busy with this dialogue.")
        if len(self._waiting) >= self._options.n_dialogues:
            raise NoReply(503, f"All {self._options.n_dialogues} places of this bridge are in use.")
        self._waiting.add(dialogue)
        try:
            async with asyncio.timeout(limit_s):
                return self._options.form.reply_of([await self._ask(request)])
        except TimeoutError as late:
            await self._end_if_hung()
            raise NoReply(504, f"The command gave no reply within {limit_s:g} s.") from late
        except NotAReply as bad:
            raise NoReply(502, str(bad)) from bad
        finally:
            self._waiting.remove(dialogue)

    async def _ask(self, request: Json) -> bytes:
        process = await self._running()
        reply = asyncio.get_running_loop().create_future()
        # Nothing is awaited in between: the row has the order of the lines.
        self._row.append(Question(str(request["dialogue"]), request.get("turn"), reply))
        try:
            await process.write(self._options.form.line_of(request))
            return await reply
        finally:
            reply.cancel()

    async def _end_if_hung(self) -> None:
        """Ends a process that owes more late replies than there are places; the next question starts another."""
        n_late = sum(question.reply.done() for question in self._row)
        if n_late > self._options.n_dialogues and self._process is not None:
            await self._process.end("The command hung.")

    async def _running(self) -> Process:
        async with self._starting:
            if self._process is None or not self._process.is_running:
                self._process = await Process.start(self._options.command)
                self._row = []
                self._hearing = asyncio.create_task(self._hear(self._process, self._row))
            return self._process

    async def close(self, dialogue: str) -> None:
        """The one process goes on, and was never told of dialogues that end."""

    async def _hear(self, process: Process, row: list[Question]) -> None:
        try:
            while True:
                settle(row, await process.line(None))
        except NoReply as ended:
            for question in row:
                if not question.reply.done():
                    question.reply.set_exception(ended)

    async def end(self) -> None:
        if self._hearing is not None:
            self._hearing.cancel()
        if self._process is not None:
            await self._process.end("The bridge ends.")


def settle(row: list[Question], line: bytes) -> None:
    """Takes the question that the line answers from the row, and answers it where somebody still waits."""
    question = asked_with(row, line)
    if question is not None:
        row.remove(question)
    if question is not None and not question.reply.done():
        question.reply.set_result(line)
    else:
        why = "Not asked for:" if question is None else "Too late:"
        print(why, line.decode(errors="replace")[:200], file=sys.stderr)


def asked_with(row: Sequence[Question], line: bytes) -> Question | None:
    """The first question of the dialogue that the line names, of its turn if it names that; else the first of all."""
    try:
        said = object_in(line)
    except NotAReply:
        said = {}  # whoever waits longest is told what is wrong with it
    dialogue, turn = said.get("dialogue"), said.get("turn")
    return next((one for one in row if dialogue in (None, one.dialogue) and turn in (None, one.turn)), None)
