"""The events of a streamed answer, each with its name, read to the one that completes the reply.

Server-sent events as the HTML standard has them (a name on its `event:` line, a blank line ends the event), but for one
thing that many servers do: each `data:` line is an event. Or JSON lines, which have no names.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress

from participants import failure_sentences as sentences
from participants.adapters.streams import EVENT_LIMIT_BYTES, EVENTS_AT_A_TIME, STREAM_LIMIT_BYTES
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from participants.outbound import Answer, Line, WebSocket
from reading.findings import sentence

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
