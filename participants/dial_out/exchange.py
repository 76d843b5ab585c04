"""The bots that are connected to this process, and the turns that wait for their replies. Knows no database and no Redis.

    adapter ── open ──▶ OpenTurn ── handed to ──▶ the bot's socket here, or (Elsewhere) in another process
                           ▲                                  │
                           └────────── hear ◀─────────────────┘

A bot has one socket at a time: the newer one takes the place of the older (docs/decisions/0025-bots-that-dial-out.md).
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from participants import failure_sentences as sentences
from participants.dial_out.frames import BotFrame, handed_again
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence

# A bot that is away for no longer than this loses no turn.
RECONNECT_S = 10.0
# How many frames about one turn may wait to be read.
HEARD_LIMIT = 10_000
# What a bot may say about one turn in all, frames and all: as much as in a stream that is framed otherwise.
SAID_LIMIT_CHARACTERS = 4 * 1024 * 1024


class BotSocket(Protocol):
    """An open socket of a bot in this process."""

    def hand(self, frame: str) -> None: ...

    def replace(self) -> None:
        """Closes it: another socket has taken its place."""


class Elsewhere(Protocol):
    """The way to bots that are connected to other server processes."""

    async def follow(self, turn: "OpenTurn") -> None:
        """Hands the turn over wherever its bot is connected, or loses it."""

    def end(self, turn: "OpenTurn") -> None:
        """The turn is over: nobody has to serve it any more."""

    async def tell(self, bot: str, frame: str) -> None:
        """Hands over a frame that wants no answer, once, as soon as the bot is connected. Errors: `BotFailure`."""


class OpenTurn:
    """One turn that waits for its bot. Touched on the event loop only.

    `is_handed` once its bot may have read it: from then on it only ever leaves again under the same id and marked.
    """

    def __init__(self, bot: str, turn_id: str, frame: str, limit_s: float) -> None:
        self._now = asyncio.get_running_loop().time
        self.bot, self.turn_id, self._frame = bot, turn_id, frame
        self._ends_at = self._now() + limit_s
        self._heard: asyncio.Queue[BotFrame | BotFailure] = asyncio.Queue(HEARD_LIMIT)
        self._n_said = 0
        self._has_failed = False
        self.is_handed = False
        # The other processes that it was handed to.
        self.servers: set[str] = set()
        # Looks for the bot while it is not connected to this process.
        self.search: asyncio.Task[None] | None = None

    @property
    def left_s(self) -> float:
        return max(0.0, self._ends_at - self._now())

    def frame(self) -> str:
        """What is handed over now."""
        frame = handed_again(self._frame, self.left_s) if self.is_handed else self._frame
        self.is_handed = True
        return frame

    def hear(self, heard: BotFrame) -> None:
        if self._has_failed:
            return
        self._n_said += heard.n_characters
        if self._n_said > SAID_LIMIT_CHARACTERS:
            detail = sentence(sentences.FRAMES_TOO_LONG, n=f"{SAID_LIMIT_CHARACTERS:,}")
            self.fail(BotFailure(FailureKind.TOO_LONG, detail))
        elif self._heard.full():
            self.fail(BotFailure(FailureKind.TOO_LONG, sentence(sentences.FRAMES_WAIT, n=HEARD_LIMIT)))
        else:
            self._heard.put_nowait(heard)

    def fail(self, failure: BotFailure) -> None:
        """What the bot said before is read first; what it says from now on is not heard."""
        self._has_failed = True
        while self._heard.full():
            self._heard.get_nowait()
        self._heard.put_nowait(failure)

    def lose(self) -> None:
        """The bot is not connected, and has not been for too long."""
        detail = sentence(sentences.NOT_BACK_IN_TIME, seconds=f"{RECONNECT_S:g}")
        self.fail(BotFailure(FailureKind.CONNECT, detail) if self.is_handed else not_connected())

    def end_search(self) -> None:
        if self.search is not None:
            self.search.cancel()
            self.search = None

    async def heard(self) -> BotFrame:
        """What the bot says next about this turn. Errors: `BotFailure`."""
        heard = await self._heard.get()
        if isinstance(heard, BotFailure):
            raise heard
        return heard


def not_connected() -> BotFailure:
    return BotFailure(FailureKind.CONNECT, sentence(sentences.NOT_DIALED_IN), reached_bot=False)


class Exchange:
    """One per process and event loop; made by `current()` on first use. Touched on the event loop only."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.elsewhere: Elsewhere | None = None
        self._sockets: dict[str, BotSocket] = {}
        # A bot that was never here may be about to come back after a restart of the server.
        self._began = self.loop.time()
        self._left_at: dict[str, float] = {}
        self._turns: dict[str, OpenTurn] = {}

    # -- bots come and go -----------------------------------------------------------------------------------------

    def enter(self, bot: str, socket: BotSocket) -> None:
        """The bot's socket from now on: the older one is closed, and turns that wait are handed to the new one."""
        older = self._sockets.get(bot)
        self._sockets[bot] = socket
        self._left_at.pop(bot, None)
        if older is not None and older is not socket:
            older.replace()
        for turn in self._turns_of(bot):
            turn.end_search()
            socket.hand(turn.frame())

    def leave(self, bot: str, socket: BotSocket) -> None:
        # A socket that was replaced leaves later than its successor came.
        if self._sockets.get(bot) is not socket:
            return
        del self._sockets[bot]
        self._left_at[bot] = self.loop.time()
        for turn in self._turns_of(bot):
            self._search(turn)

    def tell_here(self, bot: str, frame: str) -> bool:
        """Hands over a frame that wants no answer; False where the bot is not connected to this process."""
        socket = self._sockets.get(bot)
        if socket is not None:
            socket.hand(frame)
        return socket is not None

    async def tell(self, bot: str, frame: str) -> None:
        """The same wherever the bot is connected. Errors: `BotFailure` where it is nowhere."""
        if self.tell_here(bot, frame):
            return
        if self.elsewhere is None:
            raise not_connected()
        await self.elsewhere.tell(bot, frame)

    def _search(self, turn: OpenTurn) -> None:
        turn.search = self.loop.create_task(self._look_for_bot(turn))

    async def _look_for_bot(self, turn: OpenTurn) -> None:
        if self.elsewhere is not None:
            await self.elsewhere.follow(turn)
        else:
            left_at = self._left_at.get(turn.bot, self._began)
            await asyncio.sleep(left_at + RECONNECT_S - self.loop.time())
            turn.lose()

    def _turns_of(self, bot: str) -> list[OpenTurn]:
        return [turn for turn in self._turns.values() if turn.bot == bot]

    # -- turns come and go ----------------------------------------------------------------------------------------

    @contextmanager
    def open(self, bot: str, turn_id: str, frame: str, limit_s: float) -> Iterator[OpenTurn]:
        """A turn that is handed to its bot now, or as soon as it connects within the time that it has for that."""
        turn = self._turns[turn_id] = OpenTurn(bot, turn_id, frame, limit_s)
        try:
            socket = self._sockets.get(bot)
            if socket is not None:
                socket.hand(turn.frame())
            else:
                self._search(turn)
            yield turn
        finally:
            turn.end_search()
            del self._turns[turn_id]
            if self.elsewhere is not None:
                self.elsewhere.end(turn)

    def hear(self, bot: str, heard: BotFrame) -> bool:
        """False where no turn of this bot waits under that id: it is over, or another bot's."""
        turn = self._turns.get(heard.turn_id)
        if turn is None or turn.bot != bot:
            return False
        turn.hear(heard)
        return True

    def fail(self, bot: str, turn_id: str, failure: BotFailure) -> None:
        """The turn cannot go on; nothing happens where it is over."""
        turn = self._turns.get(turn_id)
        if turn is not None and turn.bot == bot:
            turn.fail(failure)

    def has_turn(self, turn_id: str) -> bool:
        return turn_id in self._turns


_exchange: Exchange | None = None


def current() -> Exchange:
    """The exchange of this process, made on first use on the running event loop."""
    global _exchange
    if _exchange is None or _exchange.loop is not asyncio.get_running_loop():
        _exchange = Exchange()
    return _exchange
