"""One request over aiohttp's connections, past its session: kept connections, connecting, TLS and the reading of answers are
aiohttp's; only the request is written here, in one piece, and nothing is built that nobody asks for.

A session makes a request object, a response object, timers, traces and cookies for every call, which cost three times
what the call itself does. Without one there is also nothing that could follow a redirect, keep a cookie or read a proxy
from the environment. This file alone leans on what a session does between connector and parser;
tests/participants/test_connections.py puts hostile answers through both ways with equal results. See decision 0002.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from typing import Any, Literal
from weakref import WeakKeyDictionary

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError
from multidict import CIMultiDictProxy
from yarl import URL

from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind
from participants.outbound.traffic import Traffic
from participants.outbound.web_socket import WebSocket
from reading.findings import sentence

Method = Literal["GET", "OPTIONS", "POST"]

CHUNK_BYTES = 16 * 1024
# The parser pauses when twice as much waits to be read, or a sixteenth as many pieces: a piece of one byte costs as much as one of a thousand.
READ_AHEAD_BYTES = 8 * 1024
# What an answer may have beside its body: its head, and the frame around each chunk. 20,000 chunks of one byte have as much.
FRAMING_LIMIT_BYTES = 128 * 1024
NO_TIMEOUT = aiohttp.ClientTimeout(total=None)
# What would end a header early, and begin another one.
NOT_IN_HEADERS = frozenset("\r\n\0")
PLACES_REMEMBERED = 1000
# Servers announce an answer once or twice (100, 102, 103).
ANNOUNCEMENTS_LIMIT = 20


class Response:
    """The status and headers of an answer, and its body, which is still to be read; `close()` it in any case."""

    def __init__(self, connection: Any, message: Any, body: aiohttp.StreamReader) -> None:
        self.status: int = message.code
        self.headers: CIMultiDictProxy[str] = message.headers
        self._connection = connection
        self._body = body

    def whole(self) -> bytes | None:
        """The body, if all of it is here already."""
        return self._body.read_nowait(-1) if self._body.is_eof() else None

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The body as it comes, in pieces of bounded size. Errors: `BotFailure` where it is little but framing.

        A bot that writes faster than we read never lets a read wait: who reads pauses for the other turns.
        """
        while read := await self._body.readany():
            for start in range(0, len(read), CHUNK_BYTES):
                yield read[start : start + CHUNK_BYTES]

    def close(self) -> None:
        """Leaves the connection to the next call, if the answer was read to its end and both sides keep it; else ends it."""
        protocol = self._connection.protocol
        if protocol is not None and self._body.is_eof():
            # What comes now was not asked for. Parsed, it would be an answer, and as many as come would be kept; unparsed
            # it lies in a buffer of bounded size.
            protocol._parser = None
            protocol.traffic = None
        self._connection.release()


class OneAnswerAtATime(ResponseHandler):
    """Hangs up on a bot that sends row upon row of answers: uvloop reads megabytes of them before anybody else runs.

    So it does where a body is cut into tiny chunks: the limit of its length comes late, and each chunk costs a microsecond.
    """

    traffic: Traffic | None = None

    def data_received(self, data: bytes) -> None:
        if self.traffic is not None:
            # The transport reads on only once all that came before is parsed.
            if data and self._payload is not None:
                n_framing = self.traffic.n_received - self._payload.total_bytes
                if n_framing > FRAMING_LIMIT_BYTES and self._payload.exception() is None:
                    self._pause_transport_reading()
                    self._payload.set_exception(BotFailure(FailureKind.TOO_LONG, sentence(sentences.TOO_MANY_CHUNKS)))
                    return
            self.traffic.received(data)
        super().data_received(data)
        if len(self) > ANNOUNCEMENTS_LIMIT:
            self.abort()

    def resume_reading(self, resume_parser: bool = True) -> None:
        """A body of tiny chunks asks for this at each of them, though nothing was paused: half of what such a body costs."""
        if self._reading_paused:
            super().resume_reading(resume_parser)


class Connections:
    """The connections to all bots. How many may be open at a time is for the caller to limit."""

    def __init__(
        self,
        resolver: AbstractResolver,
        make_socket: Callable[[tuple[Any, ...]], socket.socket],
        ssl_context: ssl.SSLContext,
        kept_s: float,
        generation: Callable[[], int] = lambda: 0,
    ) -> None:
        self._connector = aiohttp.TCPConnector(
            resolver=resolver,
            socket_factory=make_socket,
            use_dns_cache=False,
            ssl=ssl_context,
            limit=0,
            keepalive_timeout=kept_s,
        )
        made: Callable[..., ResponseHandler] = OneAnswerAtATime
        self._connector._factory = partial(made, loop=asyncio.get_running_loop())
        # Connections that have carried a request, with the generation of the rules under which they were made.
        self._used: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self._generation = generation
        self._loop = asyncio.get_running_loop()
        self._place_of = lru_cache(PLACES_REMEMBERED)(self._made_place)

    async def close(self) -> None:
        await self._connector.close()

    async def request(
        self, method: Method, url: str, content: bytes, headers: Mapping[str, str], traffic: Traffic | None = None
    ) -> Response:
        """The head of the answer; only a POST has `content`. `traffic` is filled in. Errors: aiohttp's, `OSError`, `ValueError`.

        A kept connection that is found closed is an error too: the bot may have read the request, nothing is sent again.
        """
        place, head = self._place_of(method, url)
        length = b"Content-Length: %d\r\n" % len(content) if method == "POST" else b""
        accept = b"" if "Accept" in headers else b"Accept: */*\r\n"
        request = b"%b%b%b%b\r\n" % (head, accept, length, b"".join(map(_line, headers.items())))
        connection, is_new = await self._connected(place)
        try:
            protocol, transport = connection.protocol, connection.transport
            if protocol is None or transport is None:
                raise aiohttp.ServerDisconnectedError
            protocol.set_response_params(read_until_eof=True, auto_decompress=False, read_bufsize=READ_AHEAD_BYTES)
            whole = request + content
            if traffic is not None:
                protocol.traffic = traffic
                traffic.sent(len(whole), is_new_connection=is_new)
            transport.write(whole)
            return Response(connection, *await _answer_of(protocol))
        except BaseException:
            connection.close()
            raise

    @asynccontextmanager
    async def socket(
        self, url: str, headers: Mapping[str, str], message_limit_bytes: int, traffic: Traffic
    ) -> AsyncIterator[WebSocket]:
        """An open WebSocket; its connection serves nothing else afterwards. Errors: those of `request`, `BotFailure`."""
        place, _head = self._place_of("GET", url)
        for header in headers.items():
            _line(header)
        connection, is_new = await self._connected(place)
        try:
            transport = connection.transport
            if transport is None:
                raise aiohttp.ServerDisconnectedError
            traffic.sent(0, is_new_connection=is_new)
            opened = WebSocket(transport, url, message_limit_bytes, traffic)
            transport.set_protocol(opened)
            try:
                await opened.open(headers)
                yield opened
            finally:
                opened.say_goodbye()
        finally:
            connection.close()

    async def _connected(self, place: aiohttp.ClientRequest) -> tuple[Any, bool]:
        """A connection to that place, and whether it is new; but none on which the bot has said something since its last answer.

        That would be taken for the answer to this request, and this one's for the answer to the next. One that was made under
        other rules may lead where nothing is opened any more.
        """
        while True:
            generation = self._generation()
            connection = await self._connector.connect(place, traces=[], timeout=NO_TIMEOUT)
            protocol = connection.protocol
            if protocol is None:
                raise aiohttp.ServerDisconnectedError
            made_under = self._used.get(protocol)
            if made_under is None:
                self._used[protocol] = generation
                return connection, True
            if made_under == self._generation() and not protocol.should_close:
                return connection, False
            connection.close()

    def _made_place(self, method: Method, url: str) -> tuple[aiohttp.ClientRequest, bytes]:
        """What the connector needs to know of a URL, and the first lines of every such request to it."""
        place = aiohttp.ClientRequest(method, URL(url, encoded=True), loop=self._loop)
        host = place.headers["Host"]
        head = f"{method} {place.url.raw_path_qs} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Huace\r\n"
        return place, head.encode("ascii")


async def _answer_of(protocol: Any) -> tuple[Any, aiohttp.StreamReader]:
    """The head of the answer, and its body to come; what a server says before it (1xx) is passed over.

    No byte of that counts as body, so without its own limit a bot could keep the loop reading until the deadline.
    """
    for _ in range(ANNOUNCEMENTS_LIMIT):
        try:
            message, body = await protocol.read()
        except HttpProcessingError as broken:
            raise ValueError(broken.message) from broken
        if not 100 <= message.code <= 199 or message.code == 101:
            return message, body
    raise ValueError(f"the answer was announced {ANNOUNCEMENTS_LIMIT} times (1xx) and did not begin")


def _line(header: tuple[str, str]) -> bytes:
    name, value = header
    if not NOT_IN_HEADERS.isdisjoint(name + value):
        raise ValueError("a header holds a line break or NUL")
    return f"{name}: {value}\r\n".encode("ascii")
