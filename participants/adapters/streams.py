"""What streamed answers share: the lines of server-sent events, and a text that comes in parts.

Both take time linear in what comes, however it is cut.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from participants import failure_sentences as sentences
from participants.adapters.calls import text_of
from participants.failures import BotFailure, FailureKind
from participants.outbound import Answer
from participants.outbound.answer import BODY_LIMIT_BYTES
from reading.findings import sentence

# Framing makes a stream many times longer than its text: 300 bytes per token are common.
STREAM_LIMIT_BYTES = 4 * 1024 * 1024
EVENT_LIMIT_BYTES = BODY_LIMIT_BYTES
TEXT_LIMIT_BYTES = BODY_LIMIT_BYTES
# So many events are read before the other turns come in between. A chunk may hold hundreds, each of which costs 15 µs: ten such bots would
# have everybody wait 50 ms at every step of a turn.
EVENTS_AT_A_TIME = 20


async def events_of(answer: Answer) -> AsyncGenerator[bytes, None]:
    """The payload of each `data:` line as it comes; comments, other fields and blank payloads are passed over."""
    lines = EventLines()
    async with aclosing(answer.chunks(STREAM_LIMIT_BYTES)) as chunks:
        async for chunk in chunks:
            for n, event in enumerate(lines.feed(chunk), start=1):
                yield event
                if n % EVENTS_AT_A_TIME == 0:
                    await asyncio.sleep(0)
            # A bot that writes faster than we read never lets a read wait: here the other turns come in between.
            await asyncio.sleep(0)
    for event in lines.feed(b"\n"):
        yield event


class EventLines:
    """Cuts a stream of bytes into the payloads of its `data:` lines."""

    def __init__(self) -> None:
        self._unfinished = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        """The payloads that this chunk completes. Errors: `BotFailure` where one event is too long."""
        first, *others = chunk.split(b"\n")
        self._unfinished += first
        if len(self._unfinished) > EVENT_LIMIT_BYTES:
            raise BotFailure(FailureKind.TOO_LONG, sentence(sentences.EVENT_TOO_LONG, n=EVENT_LIMIT_BYTES // 1024))
        if not others:
            return []
        lines = [bytes(self._unfinished), *others[:-1]]
        self._unfinished = bytearray(others[-1])
        return [payload for line in lines if line.startswith(b"data:") and (payload := line[5:].strip())]


class GrowingText:
    """A text that comes in parts, which may be cut between the two UTF-16 halves of one character."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._half = ""
        self._n_bytes = 0

    def hear(self, part: str, place: str) -> str:
        """What can be shown now, up to a whole character. Errors: `BotFailure` (`bad_shape`, `too_long`)."""
        text, self._half = self._half + part, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        whole = text_of(_paired(text), place)
        self._n_bytes += len(whole.encode())
        if self._n_bytes > TEXT_LIMIT_BYTES:
            raise BotFailure(FailureKind.TOO_LONG, sentence(sentences.TEXT_TOO_LONG, n=TEXT_LIMIT_BYTES // 1024))
        self._parts.append(whole)
        return whole

    def whole(self, place: str) -> str:
        """All of it. Errors: `BotFailure` (`bad_shape`) where it ends within a character."""
        return "".join(self._parts) + text_of(self._half, place)


def _paired(text: str) -> str:
    """`text` with every pair of UTF-16 halves made one character; a half without the other stays."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
