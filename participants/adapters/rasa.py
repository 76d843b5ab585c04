"""Rasa's REST channel: POST {"sender", "message"}, answered by an array of messages, which together are one turn."""

from collections.abc import Callable
from typing import Any

from participants.adapters.calls import (
    BotCall,
    Reply,
    bearer,
    json_body,
    list_of,
    object_of,
    text_of,
    to_json,
)
from participants.failures import BotFailure, FailureKind
from participants.outbound import Line


def request_of(call: BotCall) -> dict[str, Any]:
    return {"sender": call.dialogue, "message": call.text, "metadata": {"turn": call.turn}}


def reply_of(parsed: Any) -> Reply:
    messages = [object_of(message, f"[{i}]") for i, message in enumerate(list_of(parsed, "The answer"))]
    texts = tuple(text_of(message["text"], f"[{i}].text") for i, message in enumerate(messages) if "text" in message)
    if not messages:
        raise BotFailure(FailureKind.EMPTY, "The array holds no message.")
    if not texts:
        raise BotFailure(FailureKind.BAD_SHAPE, "No message of the array has a `text`.")
    return Reply(texts)


async def reply(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    headers = {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}
    async with line.post(call.bot.url, to_json(request_of(call)), headers) as answer:
        return reply_of(await json_body(answer))
