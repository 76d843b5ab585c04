"""The request that a call makes, without making it: its adapter runs up to where it would post."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn, cast

from participants.adapters.calls import Adapter, BotCall
from participants.outbound import Line

HIDDEN_SECRET = "***"


@dataclass(frozen=True, slots=True)
class Request:
    """What is posted: the body, and the headers that the adapter adds."""

    url: str
    content: bytes
    headers: Mapping[str, str]

    @property
    def as_curl(self) -> str:
        """A command for a shell that posts the same."""
        headers = {"Content-Type": "application/json", **self.headers}
        words = ["curl", "-sS", "-X", "POST", self.url]
        for name, value in headers.items():
            words += ["-H", f"{name}: {value}"]
        return shlex.join([*words, "--data-binary", self.content.decode()])


class _Caught(Exception):
    def __init__(self, request: Request) -> None:
        super().__init__()
        self.request = request


class _RecordingLine:
    """Stands for a line on which the whole deadline is left, and lets nothing out."""

    def __init__(self, left_s: float) -> None:
        self.left_s = left_s

    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> NoReturn:
        raise _Caught(Request(url, content, headers))


def request_of(call: BotCall, adapters: Mapping[str, Adapter]) -> Request | None:
    """The first request of the call; None where no adapter speaks the bot's protocol.

    No adapter waits for anything before it posts, so one step of its coroutine leads there.
    """
    adapter = adapters.get(call.bot.protocol)
    if adapter is None:
        return None
    asking = adapter(call, cast(Line, _RecordingLine(call.deadline_s)), lambda part: None)
    try:
        asking.__await__().send(None)
    except _Caught as caught:
        return caught.request
    raise RuntimeError(f"The adapter for {call.bot.protocol} waits before it posts.")
