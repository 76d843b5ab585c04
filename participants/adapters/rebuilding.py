"""The request that a call makes, without making it: its adapter runs up to where it would ask."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from participants.adapters.calls import BotCall
from participants.adapters.contract import Adapter
from participants.bot_form import SOCKET_SCHEMES
from participants.failures import BotFailure
from participants.outbound import Line
from participants.outbound.connections import Method
from participants.outbound.door import TYPE_OF
from participants.outbound.line import NO_HEADERS

HIDDEN_SECRET = "***"


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: the body of a POST, and the headers that the adapter adds. A bot that has connected is handed the body alone."""

    url: str
    content: bytes
    headers: Mapping[str, str]
    method: Method = "POST"

    @property
    def as_curl(self) -> str:
        """A command for a shell that asks the same; of a frame, the frame."""
        if self.url.startswith(SOCKET_SCHEMES):
            return self._as_websocat
        if not self.url.startswith("http"):
            return self.content.decode()
        words = ["curl", "-sS", "-X", self.method, self.url]
        for name, value in {**TYPE_OF[self.method], **self.headers}.items():
            words += ["-H", f"{name}: {value}"]
        body = ["--data-binary", self.content.decode()] if self.method == "POST" else []
        return shlex.join([*words, *body])

    @property
    def _as_websocat(self) -> str:
        """One message over a WebSocket: curl sends none."""
        headers = [word for name, value in self.headers.items() for word in ("-H", f"{name}: {value}")]
        # Not echo: those of dash and zsh make a line break of the \n in a JSON string.
        said = shlex.join(["printf", r"%s\n", self.content.decode()])
        return f"{said} | {shlex.join(['websocat', '-n1', *headers, self.url])}"


class _Caught(Exception):
    def __init__(self, request: Request) -> None:
        super().__init__()
        self.request = request


class _RecordingLine:
    """Stands for a line on which the whole deadline is left, and lets nothing out."""

    def __init__(self, left_s: float) -> None:
        self.left_s = left_s
        self.noted: Any = None

    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> NoReturn:
        raise _Caught(Request(url, content, headers))

    def get(self, url: str, headers: Mapping[str, str] = NO_HEADERS, **_how: object) -> NoReturn:
        raise _Caught(Request(url, b"", headers, "GET"))

    def options(self, url: str, headers: Mapping[str, str] = NO_HEADERS, **_how: object) -> NoReturn:
        raise _Caught(Request(url, b"", headers, "OPTIONS"))

    def socket(self, url: str, headers: Mapping[str, str] = NO_HEADERS) -> "_RecordingSocket":
        return _RecordingSocket(url, headers)


class _RecordingSocket:
    """Stands for a socket that was opened; what is said on it first is the request."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url, self._headers = url, headers

    async def __aenter__(self) -> "_RecordingSocket":
        return self

    async def __aexit__(self, *_why: object) -> None:
        pass

    async def send(self, message: str) -> NoReturn:
        raise _Caught(Request(self._url, message.encode(), self._headers))


def request_of(call: BotCall, adapters: Mapping[str, Adapter]) -> Request | None:
    """The first request of the call; None where no adapter speaks the bot's protocol, or its options let nothing be sent.

    No adapter waits for anything before it asks through the line, so one step of its coroutine leads there.
    """
    adapter = adapters.get(call.bot.protocol)
    if adapter is None:
        return None
    if adapter.frame is not None:
        return Request(call.bot.url, adapter.frame(call).encode(), {})
    asking = adapter.asks(call)(call, cast(Line, _RecordingLine(call.deadline_s)), lambda part: None)
    try:
        asking.__await__().send(None)
    except _Caught as caught:
        return caught.request
    except BotFailure:
        return None
    raise RuntimeError(f"The adapter for {call.bot.protocol} waits before it asks.")
