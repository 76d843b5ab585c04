"""OpenAI-compatible chat completions, whole or streamed as server-sent events.

The URL is the full endpoint (…/v1/chat/completions). `options` may hold `model`, `system` (a system message) and
`max_tokens`. The dialogue id travels as `user`, so that a bot may keep state by it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from participants.adapters.calls import (
    BotCall,
    Reply,
    bearer,
    json_body,
    list_of,
    object_of,
    strict_json,
    text_of,
    to_json,
)
from participants.failures import BotFailure, FailureKind
from participants.outbound import Answer, Line

END_GRACE_S = 0.2
ROLES = {"user": "user", "bot": "assistant"}


def request_of(call: BotCall, *, stream: bool) -> dict[str, Any]:
    system = call.bot.options.get("system")
    messages = [{"role": "system", "content": system}] if system else []
    messages += [{"role": ROLES[said.role], "content": said.text} for said in call.history]
    messages.append({"role": "user", "content": call.text})
    request: dict[str, Any] = {
        "model": call.bot.options.get("model", "default"),
        "messages": messages,
        "user": call.dialogue,
        "stream": stream,
    }
    if "max_tokens" in call.bot.options:
        request["max_tokens"] = call.bot.options["max_tokens"]
    return request


def _headers(call: BotCall) -> dict[str, str]:
    return {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}


def _first_choice(parsed: Any) -> dict[str, Any] | None:
    answer = object_of(parsed, "The answer")
    if "error" in answer:
        raise BotFailure(FailureKind.BAD_SHAPE, "The bot answered with an error object.")
    choices = list_of(answer.get("choices"), "`choices`")
    return object_of(choices[0], "choices[0]") if choices else None


def reply_of(parsed: Any) -> Reply:
    choice = _first_choice(parsed)
    if choice is None:
        raise BotFailure(FailureKind.EMPTY, "`choices` is empty.")
    message = object_of(choice.get("message"), "choices[0].message")
    return Reply((text_of(message.get("content"), "choices[0].message.content"),))


async def reply_whole(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    content = to_json(request_of(call, stream=False))
    async with line.post(call.bot.url, content, _headers(call)) as answer:
        return reply_of(await json_body(answer))


async def reply_streamed(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    """Reads the stream to its `[DONE]` mark or finish reason; a server that ignores `stream` is read whole."""
    content = to_json(request_of(call, stream=True))
    async with line.post(call.bot.url, content, _headers(call)) as answer:
        if answer.response.headers.get("content-type", "").startswith("application/json"):
            return reply_of(await json_body(answer))
        return await _read_stream(answer, on_delta)


async def _read_stream(answer: Answer, on_delta: Callable[[str], None]) -> Reply:
    parts: list[str] = []
    is_complete = False
    events = _event_lines(answer)
    async for event in events:
        if event == b"[DONE]":
            is_complete = True
            await _let_end(events)
            break
        choice = _first_choice(strict_json(event, evidence=answer.evidence))
        if choice is None:
            continue
        content = object_of(choice.get("delta", {}), "choices[0].delta").get("content")
        if content:
            parts.append(text_of(content, "choices[0].delta.content"))
            on_delta(parts[-1])
        is_complete = is_complete or choice.get("finish_reason") is not None
    if not is_complete:
        raise BotFailure(FailureKind.BAD_SHAPE, "The stream broke off before its end.", evidence=answer.evidence)
    if not parts:
        raise BotFailure(FailureKind.EMPTY, "The stream held no text.")
    return Reply(("".join(parts),))


async def _let_end(events: AsyncIterator[bytes]) -> None:
    """Reads to the end of a stream that ends at once, so that its connection can be kept; one that does not is left."""
    with suppress(TimeoutError):
        async with asyncio.timeout(END_GRACE_S):
            async for _event in events:
                pass


async def _event_lines(answer: Answer) -> AsyncIterator[bytes]:
    """The payload of each `data:` line; comments, other fields and blank lines are passed over."""
    rest = b""
    async for chunk in answer.chunks():
        *lines, rest = (rest + chunk).replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip()
    if rest.startswith(b"data:"):
        yield rest[5:].strip()
