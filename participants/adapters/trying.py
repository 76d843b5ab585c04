"""One call to a bot while it is being set up: what was sent, what came, and what the paths of a mapping found in it.

It goes the way of every turn, through `ask` and the door; a line that stands between remembers the answers.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from participants.adapters import mapping
from participants.adapters.asking import ask
from participants.adapters.calls import BotCall, Reply
from participants.adapters.contract import Adapter
from participants.adapters.shown_requests import reply_without, shown_request, without_secret
from participants.failures import EVIDENCE_LIMIT, BotFailure
from participants.outbound import Answer, Door, Line, WebSocket
from participants.outbound.line import OnWait, unheard
from participants.outbound.places import Places

FOUND_LIMIT = 500
# The status with which a WebSocket opens.
SWITCHED = 101


@dataclass(frozen=True, slots=True)
class Exchange:
    """One answer: to what, its status and kind, and its first kilobytes."""

    asked: str
    status: int
    content_type: str
    body: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a path of a mapping found, as JSON; in a stream the last thing, of `n` events that had one."""

    name: str
    path: str
    value: str
    n: int


@dataclass(slots=True)
class Tried:
    """`curl` is the first request, with the secret masked; empty where nothing could be sent."""

    curl: str = ""
    exchanges: list[Exchange] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    n_parts: int = 0
    reply: Reply | None = None
    state: str = ""
    failure: BotFailure | None = None

    @property
    def latency_ms(self) -> int:
        return self.reply.latency_ms if self.reply else self.failure.latency_ms if self.failure else 0


class _Finds:
    def __init__(self) -> None:
        self._last: dict[str, tuple[Any, int]] = {}

    def note(self, name: str, found: Any) -> None:
        last, n = self._last.get(name, (None, 0))
        is_something = found not in mapping.NOTHING
        self._last[name] = (found if is_something or n == 0 else last, n + is_something)

    def listed(self, paths: Mapping[str, Any], secret: str) -> list[Found]:
        return [
            Found(name, str(paths.get(name, "")), _as_json(last, secret), n) for name, (last, n) in self._last.items()
        ]


class _Listening:
    """A door whose lines remember the answers that came through them."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.heard: list[tuple[str, Answer | _ListeningSocket]] = []

    def places_at(self, bot: str, n_places: int) -> Places:
        return self._door.places_at(bot, n_places)

    def line(self, deadline_s: float, on_wait: OnWait = unheard) -> "_ListeningLine":
        return _ListeningLine(self._door.line(deadline_s, on_wait), self.heard)


class _ListeningLine:
    def __init__(self, line: Line, heard: list[tuple[str, "Answer | _ListeningSocket"]]) -> None:
        self._line = line
        self._heard = heard

    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> AbstractAsyncContextManager[Answer]:
        return self._listen(f"POST {url}", self._line.post(url, content, headers))

    def get(self, url: str, *arguments: Any, **named: Any) -> AbstractAsyncContextManager[Answer]:
        return self._listen(f"GET {url}", self._line.get(url, *arguments, **named))

    @asynccontextmanager
    async def socket(self, url: str, *arguments: Any) -> AsyncIterator["_ListeningSocket"]:
        async with self._line.socket(url, *arguments) as opened:
            listening = _ListeningSocket(opened)
            self._heard.append((url, listening))
            yield listening

    @asynccontextmanager
    async def _listen(self, asked: str, asking: AbstractAsyncContextManager[Answer]) -> AsyncIterator[Answer]:
        async with asking as answer:
            self._heard.append((asked, answer))
            yield answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._line, name)


class _ListeningSocket:
    """A WebSocket that remembers the beginning of what came."""

    def __init__(self, opened: WebSocket) -> None:
        self._opened = opened
        self.evidence = ""

    async def receive(self) -> str | bytes:
        message = await self._opened.receive()
        text = message if isinstance(message, str) else message.decode("utf-8", "backslashreplace")
        self.evidence = f"{self.evidence}{text}\n"[:EVIDENCE_LIMIT]
        return message

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened, name)


async def tried(call: BotCall, door: Door, adapters: Mapping[str, Adapter]) -> Tried:
    """What came of the call; a failure is part of it."""
    finds, parts, listening, result = _Finds(), list[str](), _Listening(door), Tried()
    noting = {**adapters, "mapping": Adapter(send=partial(mapping.reply, note=finds.note))}
    request, secret = shown_request(call, adapters), call.bot.secret
    result.curl = request.as_curl if request else ""
    try:
        result.reply = reply_without(await ask(call, cast(Door, listening), parts.append, noting), secret)
    except BotFailure as failure:
        result.failure = failure
    finally:
        await door.close()
    result.n_parts = len(parts)
    if result.reply and result.reply.state is not None:
        result.state = _as_json(result.reply.state, secret)
    result.exchanges = [_exchange(asked, answer, secret) for asked, answer in listening.heard]
    result.found = finds.listed(call.bot.options, secret)
    return result


def _exchange(asked: str, answer: Answer | _ListeningSocket, secret: str) -> Exchange:
    if isinstance(answer, _ListeningSocket):
        return Exchange(asked, SWITCHED, "", without_secret(answer.evidence, secret))
    content_type = answer.response.headers.get("content-type", "")
    return Exchange(asked, answer.response.status, content_type, without_secret(answer.evidence, secret))


def _as_json(value: Any, secret: str) -> str:
    text = without_secret(json.dumps(value, ensure_ascii=False), secret)
    shown = text if len(text) <= FOUND_LIMIT else f"{text[:FOUND_LIMIT]}…"
    return shown.encode("utf-8", "backslashreplace").decode()
