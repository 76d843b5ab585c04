"""One request at a time through the guard: total deadline, raw byte cap, no redirect, cookie, proxy or decompression.

    Door ── line(deadline_s) ──▶ Line ── request ──▶ place at the host ──▶ look-up ──▶ connection ──▶ Answer
                                                       └── waits of ours ──┘

Below it is aiohttp's pool, whose cost does not grow with the number of connections (connections.py).
"""

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

import aiohttp
import httpx

from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind, Fault
from participants.outbound.address_guard import AddressGuard, BlockedAddress
from participants.outbound.answer import BODY_LIMIT_BYTES, Answer, refuse_unless_ok
from participants.outbound.connections import Connections, Method
from participants.outbound.line import Line, OnWait, Question, current_line, unheard
from participants.outbound.look_ups import LookUps
from participants.outbound.openings import opened
from participants.outbound.places import Places, places_at
from participants.outbound.web_socket import WebSocket
from reading.findings import sentence
from serving.monitoring.loop_watch import LoopWatch

# A guard against running out of file descriptors, above what one bot may declare: several may share a host.
CONNECTIONS_PER_HOST = 1000
# uvicorn closes a connection that was idle for 5 s; the rest is for the way there and back, so that no request
# meets the close.
IDLE_LIMIT_S = 3.5
# Questions without a body have no type of it.
TYPE_OF: dict[Method, dict[str, str]] = {"GET": {}, "OPTIONS": {}, "POST": {"Content-Type": "application/json"}}

# ws:// is http:// until it is open, wss:// https://.
WEB_SCHEME_OF = re.compile(r"\Aws(?=s?://)", re.IGNORECASE)


class Door:
    """Calls bots. One per process and event loop; `close()` it at the end."""

    def __init__(
        self,
        allowed: frozenset[tuple[str, int]] = frozenset(),
        *,
        body_limit_bytes: int = BODY_LIMIT_BYTES,
        connections_per_host: int = CONNECTIONS_PER_HOST,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = AddressGuard(allowed)
        self._body_limit_bytes = body_limit_bytes
        self._connections_per_host = connections_per_host
        # Hosts are forgotten when their last call has ended.
        self._places: WeakValueDictionary[str, Places] = WeakValueDictionary()
        self._ssl = ssl_context or httpx.create_ssl_context(trust_env=False)
        self._opened: Connections | None = None
        self._watch: LoopWatch | None = None

    @property
    def _connections(self) -> Connections:
        """Made with the first call, on the event loop that makes it."""
        if self._opened is None:
            self._opened = Connections(
                LookUps(self._guard), self._make_socket, self._ssl, IDLE_LIMIT_S, lambda: opened.generation
            )
        return self._opened

    def _make_socket(self, address_info: tuple[Any, ...]) -> socket.socket:
        current_line.get().is_on_new_connection = True
        return self._guard.make_socket(address_info)

    async def close(self) -> None:
        if self._watch is not None:
            self._watch.close()
        if self._opened is not None:
            await self._opened.close()
        await self._guard.close()

    @property
    def watch(self) -> LoopWatch:
        """What sees standstills of the event loop: who measures a bot or a service reads its clock."""
        if self._watch is None:
            self._watch = LoopWatch(asyncio.get_running_loop())
        return self._watch

    def line(self, deadline_s: float, on_wait: OnWait = unheard) -> Line:
        """A turn's way to its bot; the bot's time begins now. `on_wait` hears when it waits for something of ours."""
        return Line(deadline_s, self._ask, self._socket, self.watch, on_wait)

    def places_at(self, bot: str, n_places: int) -> Places:
        """The places of all calls with a bot, through whichever door, also of other processes."""
        return places_at(bot, n_places)

    def n_waiting(self, url: str) -> int:
        """How many calls wait for a place among the connections to the bot at `url`."""
        places = self._places.get(target_of(url)[1])
        return places.n_waiting if places else 0

    @asynccontextmanager
    async def _ask(self, line: Line, question: Question) -> AsyncIterator[Answer]:
        answer: Answer | None = None
        try:
            target, places = self._checked(question.url)
            # Taken before the deadline begins to run: to wait for a place is not the bot's time.
            await places.take(line)
            try:
                async with line.limit():
                    current_line.set(line)
                    traffic = line.begin_traffic()
                    ours = {"Accept-Encoding": "identity", "X-Request-Id": traffic.request_id}
                    headers = {**TYPE_OF[question.method], **question.headers, **ours}
                    response = await self._connections.request(
                        question.method, target, question.content, headers, traffic
                    )
                    try:
                        line.answer = answer = Answer(response, self._body_limit_bytes)
                        if not question.is_any_status_an_answer:
                            await refuse_unless_ok(answer)
                        yield answer
                    finally:
                        response.close()
            finally:
                places.give_back()
        except Exception as error:
            failure = failure_of(error, answer, line)
            if failure is None or failure is error:
                raise
            raise failure from error

    @asynccontextmanager
    async def _socket(self, line: Line, url: str, headers: Mapping[str, str]) -> AsyncIterator[WebSocket]:
        try:
            target, places = self._checked(WEB_SCHEME_OF.sub("http", url, count=1))
            await places.take(line)
            try:
                async with line.limit():
                    current_line.set(line)
                    traffic = line.begin_traffic()
                    ours = {**headers, "X-Request-Id": traffic.request_id}
                    async with self._connections.socket(target, ours, self._body_limit_bytes, traffic) as opened:
                        yield opened
            finally:
                places.give_back()
        except Exception as error:
            failure = failure_of(error, None, line)
            if failure is None or failure is error:
                raise
            raise failure from error

    def _checked(self, url: str) -> tuple[str, Places]:
        self._guard.check_url(url)
        target, host = target_of(url)
        places = self._places.get(host)
        if places is None:
            places = self._places[host] = Places(
                self._connections_per_host, sentence(sentences.CONNECTION_TO_HOST, host=host)
            )
        return target, places


@lru_cache(maxsize=1000)
def target_of(url: str) -> tuple[str, str]:
    """The URL as it is requested, and its host as connections are counted. Errors: `httpx.InvalidURL`."""
    target = httpx.URL(url)
    return str(target), f"{target.scheme}://{target.netloc.decode('ascii')}"


def failure_of(error: Exception, answer: Answer | None, line: Line) -> BotFailure | None:
    """The typed failure behind an error of a call, with what came of an answer; None for a bug of ours."""
    failure = _typed(error, answer, line)
    if failure is not None:
        explain(failure, answer, line)
    return failure


def explain(failure: BotFailure, answer: Answer | None, line: Line) -> None:
    """Adds the status and the first bytes of what came: of the body, or of what was to become an answer."""
    if answer is not None:
        failure.status = answer.response.status
        failure.evidence = failure.evidence or answer.evidence
    elif line.traffic.head and not failure.evidence:
        failure.evidence = line.traffic.head.decode("utf-8", "backslashreplace")


def _typed(error: Exception, answer: Answer | None, line: Line) -> BotFailure | None:
    if isinstance(error, BotFailure):
        return error
    if isinstance(error, TimeoutError):
        return timed_out(answer, line)
    if isinstance(error, BlockedAddress):
        return BotFailure(FailureKind.BLOCKED_ADDRESS, error.detail, reached_bot=False)
    if isinstance(error, httpx.InvalidURL):
        detail = sentence(sentences.NO_USABLE_URL, received=error)
        return BotFailure(FailureKind.BLOCKED_ADDRESS, detail, reached_bot=False)
    if isinstance(error, aiohttp.ClientError | OSError | ValueError):
        return broken_off(error, answer, line)
    return None


def timed_out(answer: Answer | None, line: Line) -> BotFailure:
    if line.is_looking_up:
        detail = sentence(sentences.NO_ADDRESS_IN_TIME, seconds=f"{line.deadline_s:g}")
        return BotFailure(FailureKind.DNS, detail, reached_bot=False)
    if not line.traffic.is_sent:
        detail = sentence(sentences.NO_CONNECTION_IN_TIME, seconds=f"{line.deadline_s:g}")
        return BotFailure(FailureKind.TIMEOUT_FIRST_BYTE, detail, reached_bot=False)
    if answer is None:
        detail = sentence(sentences.NO_ANSWER_IN_TIME, seconds=f"{line.deadline_s:g}")
        return BotFailure(FailureKind.TIMEOUT_FIRST_BYTE, detail)
    detail = sentence(sentences.NOT_COMPLETE_BYTES, seconds=f"{line.deadline_s:g}", n=answer.n_read)
    return BotFailure(FailureKind.TIMEOUT_TOTAL, detail)


def broken_off(cause: Exception, answer: Answer | None, line: Line) -> BotFailure:
    """Names what broke: only failures of the connection step are certain not to have reached the bot."""
    received = str(cause) or type(cause).__name__
    if isinstance(cause, aiohttp.ClientConnectorDNSError):
        return BotFailure(FailureKind.DNS, sentence(sentences.NOT_RESOLVED, received=received), reached_bot=False)
    if isinstance(cause, aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError):
        return BotFailure(FailureKind.TLS, sentence(sentences.NOT_ENCRYPTED, received=received), reached_bot=False)
    if isinstance(cause, aiohttp.ClientConnectorError):
        return BotFailure(FailureKind.CONNECT, sentence(sentences.NOT_CONNECTED, received=received), reached_bot=False)
    if isinstance(cause, aiohttp.InvalidURL):
        return BotFailure(
            FailureKind.BLOCKED_ADDRESS, sentence(sentences.NO_USABLE_URL, received=received), reached_bot=False
        )
    if isinstance(cause, aiohttp.ServerConnectionError | aiohttp.ClientOSError | OSError):
        if answer is None and not line.is_on_new_connection and not has_begun(cause):
            # Most likely the bot closed the connection as idle while the request was on its way. It may also have
            # read it, so nothing is sent again.
            return BotFailure(
                FailureKind.CONNECT, sentence(sentences.KEPT_CONNECTION_BROKE, received=received), fault=Fault.NOBODY
            )
        if line.is_just_out_of_a_standstill:
            # A peer that nobody reads from hangs up.
            detail = sentence(sentences.STOOD_STILL, said=sentence(sentences.CONNECTION_BROKE, received=received))
            return BotFailure(FailureKind.CONNECT, detail, fault=Fault.PLATFORM)
        return BotFailure(FailureKind.CONNECT, sentence(sentences.CONNECTION_BROKE, received=received))
    return BotFailure(FailureKind.BAD_SHAPE, sentence(sentences.NOT_HTTP, received=received))


def has_begun(broken: BaseException) -> bool:
    """Whether part of an answer's head had come: aiohttp hands it over in place of a message."""
    return isinstance(broken, aiohttp.ServerDisconnectedError) and not isinstance(broken.message, str)
