"""Streamed answers: their events, each with its name, read to the one that completes the reply; and texts that come in parts.

Server-sent events as the HTML standard has them (a name on its `event:` line, a blank line ends the event), but for one
thing that many servers do: each `data:` line is an event. Or JSON lines, or messages of a WebSocket, which have no names.
All of it takes time linear in what comes, however it is cut.

What a tester has seen cannot be taken back while the reply comes. So a rewritten text is shown on only where it begins with
what was shown; the reply that is stored is what the text became, and takes the place of what was shown.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress

from participants import failure_sentences as sentences
from participants.adapters.calls import text_of
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from participants.outbound import Answer, Line, WebSocket
from participants.outbound.answer import BODY_LIMIT_BYTES
from reading.findings import sentence

# Framing makes a stream many times longer than its text: 300 bytes per token are common.
STREAM_LIMIT_BYTES = 4 * 1024 * 1024
EVENT_LIMIT_BYTES = BODY_LIMIT_BYTES
TEXT_LIMIT_BYTES = BODY_LIMIT_BYTES
# Events that are read before other turns get the loop. A chunk may hold hundreds, each of which costs 15 µs: ten such bots would
# have everybody wait 50 ms at every step of a turn.
EVENTS_AT_A_TIME = 20
# Repeating a text costs its length each time; a reply that is rewritten at every word stays far below.
REWRITTEN_LIMIT = 32 * 1024 * 1024
# A stream that ends at once leaves its connection to the next turn; one that does not is left.
GRACE_AFTER_END_S = 0.2

Event = tuple[str, bytes]
Events = AsyncGenerator[Event, None]


async def lines_of(answer: Answer) -> AsyncGenerator[bytes, None]:
    """The lines as they come, without their ends; the last one may lack it. Errors: `BotFailure` for one that is too long."""
    unfinished = bytearray()
    async with aclosing(answer.chunks(STREAM_LIMIT_BYTES)) as chunks:
        async for chunk in chunks:
            first, *others = chunk.split(b"\n")
            unfinished += first
            if len(unfinished) > EVENT_LIMIT_BYTES:
                raise BotFailure(FailureKind.TOO_LONG, sentence(sentences.EVENT_TOO_LONG, n=EVENT_LIMIT_BYTES // 1024))
            if others:
                yield bytes(unfinished)
                for n, line in enumerate(others[:-1], start=1):
                    yield line
                    if n % EVENTS_AT_A_TIME == 0:
                        await asyncio.sleep(0)
                unfinished = bytearray(others[-1])
            # A bot that writes faster than we read never lets a read wait: here the other turns come in between.
            await asyncio.sleep(0)
    yield bytes(unfinished)


async def sent_events(answer: Answer) -> Events:
    """The payload of each `data:` line with the name of its event; comments, other fields and blank payloads are passed over."""
    name = ""
    async with aclosing(lines_of(answer)) as lines:
        async for line in lines:
            field, _, value = line.partition(b":")
            if not line.strip():
                name = ""
            elif field == b"event":
                name = value.strip().decode("utf-8", "backslashreplace")
            elif field == b"data" and (payload := value.strip()):
                yield name, payload


async def json_lines(answer: Answer) -> Events:
    async with aclosing(lines_of(answer)) as lines:
        async for line in lines:
            if payload := line.strip():
                yield "", payload


async def messages_of(socket: WebSocket) -> Events:
    """The messages until the bot closes its socket as one that has said all."""
    while True:
        try:
            message = await socket.receive()
        except BotFailure:
            if socket.is_ended:
                return
            raise
        yield "", message.encode() if isinstance(message, str) else message


async def heard_to_end(
    events: Events,
    line: Line,
    hear: Callable[[str, bytes], Awaitable[bool]],
    grace_s: float = GRACE_AFTER_END_S,
) -> bool:
    """Whether one of the events completed the reply, of which `hear` tells. An event that is wrong is the evidence."""
    clock, is_complete = asyncio.get_running_loop().time, False
    # The deadline of the call ends the block from outside. This limit begins with the end of the reply, once, so that
    # nothing that follows can prolong it; from there on the time is ours.
    with suppress(TimeoutError):
        async with asyncio.timeout(None) as rest, aclosing(events):
            async for name, payload in events:
                if is_complete:
                    continue
                try:
                    is_complete = await hear(name, payload)
                except BotFailure as failure:
                    failure.evidence = payload[:EVIDENCE_LIMIT].decode("utf-8", "backslashreplace")
                    raise
                if is_complete:
                    line.answered()
                    if not grace_s:
                        break
                    rest.reschedule(clock() + grace_s)
    return is_complete


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
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class ChangingText:
    """A text that comes in parts, or whole again and again: what of it can be shown as it comes."""

    def __init__(self) -> None:
        self._text = GrowingText()
        self._shown: list[str] = []
        self._is_shown = True
        self._n_rewritten = 0

    def add(self, part: str, place: str) -> str:
        """What can be shown of a part that follows what came before. Errors: `BotFailure`."""
        heard = self._text.hear(part, place)
        return self._show(heard) if self._is_shown else ""

    def become(self, whole: str, place: str) -> str:
        """What can be shown of a text that takes the place of all that came before. Errors: `BotFailure`."""
        self._n_rewritten += len(whole)
        if self._n_rewritten > REWRITTEN_LIMIT:
            raise BotFailure(FailureKind.TOO_LONG, sentence(sentences.TEXT_REWRITTEN))
        self._text = GrowingText()
        heard, shown = self._text.hear(whole, place), "".join(self._shown)
        self._is_shown = heard.startswith(shown)
        return self._show(heard[len(shown) :]) if self._is_shown else ""

    def _show(self, part: str) -> str:
        if part:
            self._shown.append(part)
        return part

    def whole(self, place: str) -> str:
        """All of it. Errors: `BotFailure` (`bad_shape`) where it ends within a character."""
        return self._text.whole(place)
