"""The WebSocket of a bot that connects to the platform (docs/dial-out.md). No rule is decided here."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from autobahn.exception import Disconnected
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import InterfaceError, OperationalError

from accounts.access import Access
from participants.dial_out import exchange
from participants.dial_out.frames import PING, PONG_FRAME, BadFrame, BotFrame, bot_frame, error_frame, ready_frame
from reading.strict_json import NotJson
from serving.commits.group_commit import Unavailable
from serving.large_texts import loads_apart
from serving.server.close_codes import CLOSE_DRAINING, CLOSE_LOG_IN, CLOSE_REPLACED, CLOSE_TOO_FAST
from serving.server.frames import SAY
from testing_console.live import floor
from testing_console.live.socket_limits import FrameBucket, TooManyTries, network_behind

logger = logging.getLogger("huace.bot_sockets")

# Streams of many dialogues share the one socket. What comes faster is read later: a refused reply would be lost.
FRAMES_PER_S, FRAME_BURST = 500.0, 1000
# Frames that no bot should send: a burst, then one per second; beyond that the socket is closed.
BAD_FRAMES_PER_S, BAD_FRAME_BURST = 1.0, 100


class BotConsumer(AsyncWebsocketConsumer):
    """One socket of one bot, which its key lets in."""

    access = Access("key")
    # The exchange serves all sockets; a channel layer for each would only cost memory.
    channel_layer_alias = "none"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Takes frames in order, one after the other."""
        self.scope, self.base_send, self.channel_layer = scope, send, None
        try:
            while True:
                message = await receive()
                await getattr(self, message["type"].replace(".", "_"))(message)
        except StopConsumer:
            pass
        except BaseException:
            # The socket ends without a `disconnect` then: the exchange would keep it for ever.
            self._leave()
            raise

    # -- coming and going -----------------------------------------------------------------------------------------

    async def connect(self) -> None:
        self.bot = self.connection = ""
        self._frames = FrameBucket(FRAMES_PER_S, FRAME_BURST)
        self._bad_frames = FrameBucket(BAD_FRAMES_PER_S, BAD_FRAME_BURST)
        self._say_now: Callable[[str], None] | None = self.scope.get("extensions", {}).get(SAY)
        self._last_said: asyncio.Task[None] | None = None
        await self.accept()
        try:
            admitted = await floor.current().bots.admit(key_in(self.scope), network_behind(self.scope))
        except (Unavailable, OperationalError, InterfaceError) as away:
            logger.warning("A bot is sent away for now: the database is not available: %s", away)
            await self.close(CLOSE_DRAINING)
            return
        except TooManyTries:
            await self.close(CLOSE_TOO_FAST)
            return
        if admitted is None:
            await self.close(CLOSE_LOG_IN)
            return
        self.connection, self.bot, name = admitted
        self.hand(ready_frame(name))
        # After the first frame: turns that wait for the bot are handed over now.
        floor.current().bots.enter(self)

    async def disconnect(self, code: int) -> None:
        self._leave()

    def _leave(self) -> None:
        if self.bot:
            floor.current().bots.leave(self)
            self.bot = ""

    def expel(self) -> None:
        self._end(CLOSE_LOG_IN)

    def replace(self) -> None:
        self._end(CLOSE_REPLACED)

    def _end(self, code: int) -> None:
        self._leave()
        self._closing = asyncio.ensure_future(self.close(code))

    # -- what the bot is told -------------------------------------------------------------------------------------

    def hand(self, frame: str) -> None:
        """Sends a frame at once, behind those before it."""
        if self._say_now is not None:
            self._say_now(frame)
        else:
            self._last_said = asyncio.ensure_future(self._say_after(self._last_said, frame))

    async def _say_after(self, before: "asyncio.Task[None] | None", frame: str) -> None:
        if before is not None:
            await asyncio.wait([before])
        with suppress(Disconnected):
            await self.send(text_data=frame)

    # -- what the bot says ----------------------------------------------------------------------------------------

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.bot:
            return
        if wait_s := self._frames.debt_s():
            await asyncio.sleep(wait_s)
        try:
            self._hear(await frame_in(text_data))
        except BadFrame as bad:
            if self._bad_frames.takes():
                self.hand(error_frame(bad.code, bad.message))
            else:
                self._end(CLOSE_TOO_FAST)

    def _hear(self, frame: BotFrame | str) -> None:
        if isinstance(frame, BotFrame):
            if not exchange.current().hear(self.bot, frame) and frame.is_last:
                text = "No turn of yours waits under this id: it is over, or was never handed to you."
                self.hand(error_frame("unknown_turn", text, frame.turn_id))
        elif frame == PING:
            self.hand(PONG_FRAME)


def key_in(scope: dict[str, Any]) -> str:
    """The key that the handshake carries as a bearer token; empty where there is none."""
    words = dict(scope["headers"]).get(b"authorization", b"").split()
    is_bearer = len(words) == 2 and words[0].lower() == b"bearer"
    return words[1].decode("latin-1") if is_bearer else ""


async def frame_in(text: str | None) -> BotFrame | str:
    """Errors: `BadFrame`."""
    if text is None:
        raise BadFrame("bad_frame", "Frames are JSON text, not binary.")
    try:
        return bot_frame(await loads_apart(text), len(text))
    except NotJson as bad:
        raise BadFrame("bad_json", bad.finding.in_english) from bad
