"""A WebSocket over a connection that the guard let through: the framing is that of the `websockets` library, which does no I/O here."""

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any

import aiohttp
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus, InvalidURI, PayloadTooBig
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from participants import failure_sentences as sentences
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from participants.outbound.traffic import Traffic
from reading.findings import sentence

# A peer that says more than is listened to is read from again when this much has been heard.
MESSAGES_AHEAD = 16
# Close codes of a peer that has said all: done, and none given.
SAID_ALL = (1000, 1005)
# All that one call may receive, in messages of the greatest size.
MESSAGES_OF_GREATEST_SIZE = 16
# A frame of two bytes costs 2 to 4 µs, and one read may hold 100,000. The other turns come in between.
BYTES_AT_A_TIME = 1024
# Control frames and parts of messages count as well.
FRAMES_LIMIT = 20_000


class WebSocket(asyncio.Protocol):
    """One WebSocket to a bot. Errors of all methods: `BotFailure`, aiohttp's, `OSError`."""

    def __init__(self, transport: Any, url: str, message_limit_bytes: int, traffic: Traffic) -> None:
        self._transport = transport
        self._traffic = traffic
        self._limit_bytes = message_limit_bytes
        self._framing = _framing_of(url, message_limit_bytes)
        self._heard: deque[Frame] = deque()
        self._whole: deque[str | bytes] = deque()
        self._loop = asyncio.get_running_loop()
        self._unparsed = memoryview(b"")
        # How the connection ended, while something that came before is unparsed.
        self._ending: Exception | None = None
        self._is_paused = False
        self._n_frames = 0
        self._response: Response | None = None
        self._lost: Exception | None = None
        # Whether the peer left as one that has said all.
        self.is_ended = False
        self._changed = asyncio.Event()
        self._may_write = asyncio.Event()
        self._may_write.set()

    async def open(self, headers: Mapping[str, str]) -> None:
        request = self._framing.connect()
        for name, value in {"User-Agent": "Huace", **headers}.items():
            request.headers[name] = value
        self._framing.send_request(request)
        self._flush()
        while self._response is None and self._framing.handshake_exc is None:
            await self._change()
        if self._framing.handshake_exc is not None:
            raise refusal_of(self._framing.handshake_exc, self._response)

    async def send(self, message: str | bytes) -> None:
        if self._lost is not None:
            raise self._lost
        if isinstance(message, str):
            self._framing.send_text(message.encode())
        else:
            self._framing.send_binary(message)
        self._flush()
        await self._may_write.wait()

    async def receive(self) -> str | bytes:
        """The next message."""
        while not self._whole:
            await self._change()
        if len(self._whole) == MESSAGES_AHEAD:
            self._loop.call_soon(self._parse)
        return self._whole.popleft()

    def say_goodbye(self) -> None:
        """Says that we leave, and waits for nothing: who closes the connection comes next."""
        if self._lost is None and self._framing.handshake_exc is None and self._response is not None:
            self._framing.send_close(1000)
            self._flush()
        if self._transport.get_write_buffer_size():
            # A bot that does not read would keep the connection open behind us.
            self._transport.abort()

    async def _change(self) -> None:
        if self._lost is not None:
            raise self._lost
        self._changed.clear()
        await self._changed.wait()

    # -- called by the transport ----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._lost is not None:
            return
        self._traffic.received(data)
        self._unparsed = memoryview(data)
        self._parse()

    def _parse(self) -> None:
        """Parses some of what was read, and reads on when all of it is parsed and few messages wait."""
        if self._lost is not None or len(self._whole) >= MESSAGES_AHEAD:
            return
        some, self._unparsed = self._unparsed[:BYTES_AT_A_TIME], self._unparsed[BYTES_AT_A_TIME:]
        self._framing.receive_data(bytes(some))
        try:
            self._take_in()
        except UnicodeDecodeError:
            self._end(BotFailure(FailureKind.BAD_SHAPE, sentence(sentences.NOT_UTF8)))
        if self._n_frames > FRAMES_LIMIT:
            self._end(BotFailure(FailureKind.TOO_LONG, sentence(sentences.TOO_MANY_FRAMES)))
        elif self._traffic.n_received > self._limit_bytes * MESSAGES_OF_GREATEST_SIZE:
            self._end(BotFailure(FailureKind.TOO_LONG, sentence(sentences.SOCKET_SAID_TOO_MUCH)))
        elif self._framing.parser_exc is not None:
            self._end(failure_of_framing(self._framing.parser_exc, self._limit_bytes))
        elif self._framing.close_rcvd is not None:
            code, reason = self._framing.close_rcvd.code, self._framing.close_rcvd.reason
            closed = BotFailure(
                FailureKind.CONNECT, sentence(sentences.SOCKET_CLOSED, received=f"{code} {reason}".strip())
            )
            # Not after a message that broke the socket in the same read: the reply would pass for whole.
            self.is_ended = self._end(closed) and code in SAID_ALL
        self._flush()
        self._changed.set()
        self._pause(is_behind=bool(self._unparsed) or len(self._whole) >= MESSAGES_AHEAD)
        if self._unparsed:
            self._loop.call_soon(self._parse)
        elif self._ending is not None:
            self._end(self._ending)

    def _pause(self, *, is_behind: bool) -> None:
        if is_behind != self._is_paused and not self._transport.is_closing():
            self._is_paused = is_behind
            (self._transport.pause_reading if is_behind else self._transport.resume_reading)()

    def eof_received(self) -> None:
        if not self._unparsed:
            self._framing.receive_eof()
            self._take_in()
        self._end_parsed(aiohttp.ServerDisconnectedError())

    def connection_lost(self, error: Exception | None) -> None:
        self._end_parsed(error or aiohttp.ServerDisconnectedError())

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    def _take_in(self) -> None:
        for event in self._framing.events_received():
            self._n_frames += 1
            if isinstance(event, Response):
                self._response = event
            elif isinstance(event, Frame) and event.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
                self._heard.append(event)
                if event.fin:
                    content = b"".join(bytes(frame.data) for frame in self._heard)
                    self._whole.append(content.decode() if self._heard[0].opcode is Opcode.TEXT else content)
                    self._heard.clear()

    def _end_parsed(self, why: Exception) -> None:
        if self._unparsed:
            self._ending = self._ending or why
        else:
            self._end(why)

    def _end(self, why: Exception) -> bool:
        """From here on nothing more comes; what came whole before can still be received. False where it had ended before."""
        is_first = self._lost is None
        if is_first:
            self._lost = why
        self._may_write.set()
        self._changed.set()
        return is_first

    def _flush(self) -> None:
        if written := b"".join(self._framing.data_to_send()):
            self._traffic.n_sent += len(written)
            self._transport.write(written)


def refusal_of(error: Exception, response: Response | None) -> BotFailure:
    """Why there is no WebSocket: only 101 opens one."""
    if not isinstance(error, InvalidStatus) or response is None:
        return BotFailure(FailureKind.BAD_SHAPE, sentence(sentences.SOCKET_NOT_OPENED, received=error))
    status = response.status_code
    kinds = {4: FailureKind.HTTP_4XX, 5: FailureKind.HTTP_5XX}
    kind = kinds.get(status // 100, FailureKind.BAD_SHAPE)
    evidence = bytes(response.body or b"")[:EVIDENCE_LIMIT].decode("utf-8", "backslashreplace")
    detail = sentence(sentences.STATUS_NO_SOCKET, status=status)
    return BotFailure(kind, detail, status=status, evidence=evidence)


def failure_of_framing(error: Exception, limit_bytes: int) -> Exception:
    if isinstance(error, PayloadTooBig):
        return BotFailure(FailureKind.TOO_LONG, sentence(sentences.MESSAGE_TOO_LONG, n=limit_bytes // 1024))
    if isinstance(error, EOFError):
        return aiohttp.ServerDisconnectedError()
    return BotFailure(FailureKind.BAD_SHAPE, sentence(sentences.NO_VALID_FRAME, received=error))


def _framing_of(url: str, limit_bytes: int) -> ClientProtocol:
    scheme, _, rest = url.partition("://")
    try:
        place = parse_uri(f"{'wss' if scheme == 'https' else 'ws'}://{rest}")
    except InvalidURI as bad:
        detail = sentence(sentences.NO_USABLE_URL, received=bad)
        raise BotFailure(FailureKind.BLOCKED_ADDRESS, detail, reached_bot=False) from bad
    return ClientProtocol(place, max_size=limit_bytes)
