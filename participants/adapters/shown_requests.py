"""The request that a call makes, without making it: its adapter runs up to where it would ask. And a bot's secret kept out of what is
shown and stored: who reads that need not be who knows the secret.

The platform's own part is easy: what is shown is built with `HIDDEN_SECRET` in the secret's place. But some servers repeat
what they were sent, in answers, errors and the state that goes back to them.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn, cast
from urllib.parse import quote_plus

from participants.adapters.calls import BotCall, Reply
from participants.adapters.contract import Adapter
from participants.bot_form import SOCKET_SCHEMES
from participants.failures import BotFailure
from participants.outbound import Line
from participants.outbound.connections import Method
from participants.outbound.door import TYPE_OF
from participants.outbound.line import NO_HEADERS
from reading.findings import Finding

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
    """Stands for a socket that was opened; the first message on it is the request."""

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


# A secret of a few letters stands in many words by chance.
MASKED_FROM = 4


def without_secret(text: str, secret: str) -> str:
    """The text with the secret hidden, also as JSON and addresses write it, and where the text was cut within it."""
    if len(secret) < MASKED_FROM:
        return text
    for written in {json.dumps(secret)[1:-1], quote_plus(secret), secret}:
        text = text.replace(written, HIDDEN_SECRET)
    cut = next((n for n in range(len(secret) - 1, MASKED_FROM - 1, -1) if text.endswith(secret[:n])), 0)
    return text[: len(text) - cut] + HIDDEN_SECRET if cut else text


def value_without(value: Any, secret: str) -> Any:
    """The JSON value with the secret hidden in its texts and names; numbers stay, so that it can be written as JSON again."""
    if isinstance(value, dict):
        return {without_secret(name, secret): value_without(one, secret) for name, one in value.items()}
    if isinstance(value, list):
        return [value_without(one, secret) for one in value]
    return without_secret(value, secret) if isinstance(value, str) else value


def reply_without(reply: Reply, secret: str) -> Reply:
    return replace(reply, texts=tuple(without_secret(text, secret) for text in reply.texts))


def failure_without(failure: BotFailure, secret: str) -> BotFailure:
    """The same failure, changed."""
    failure.detail, failure.evidence = finding_without(failure.detail, secret), without_secret(failure.evidence, secret)
    return failure


def finding_without(finding: Finding, secret: str) -> Finding:
    return finding.with_texts(partial(without_secret, secret=secret))


def shown_request(call: BotCall, adapters: Mapping[str, Adapter]) -> Request | None:
    """The first request of the call as it may be shown. None and errors as of `request_of`."""
    secret = call.bot.secret
    request = request_of(replace(call, bot=replace(call.bot, secret=HIDDEN_SECRET if secret else "")), adapters)
    if request is None:
        return None
    content = without_secret(request.content.decode(), secret).encode()
    headers = {name: without_secret(value, secret) for name, value in request.headers.items()}
    return replace(request, url=without_secret(request.url, secret), content=content, headers=headers)
