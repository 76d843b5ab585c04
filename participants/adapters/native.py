"""The native protocol, huace/1 (design §7): `{"text": …}` or `{"texts": […], "end": false}` answers a POST."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_noop

from participants.adapters.calls import (
    EMPTY_REPLY,
    BotCall,
    Reply,
    Utterance,
    bearer,
    given_context,
    json_body,
    list_of,
    object_of,
    of_kind,
    text_of,
    to_json,
)
from participants.failures import BotFailure, FailureKind
from participants.outbound import Line
from scoring.findings import BODY, Finding
from scoring.kinds import FLAG


def request_of(call: BotCall, left_s: float) -> bytes:
    """The body of the call. Context and history come last, as earlier turns encoded them."""
    said_now = to_json(
        {
            "protocol": "huace/1",
            "dialogue": call.dialogue,
            "turn": call.turn,
            "text": call.text,
            "language": call.language,
            "deadline_ms": int(left_s * 1000),
        }
    )
    context, history = call.context.encoded(given_context), call.history.encoded(said_before)
    return b'%b,"context":%b,"history":[%b]}' % (said_now[:-1], context, history)


def said_before(said: Utterance) -> bytes:
    return to_json({"role": said.role, "text": said.text})


def reply_of(parsed: Any) -> Reply:
    answer = object_of(parsed, BODY)
    end = of_kind(FLAG, answer.get("end", False), "end")
    if "texts" in answer:
        texts = tuple(text_of(text, f"texts[{i}]") for i, text in enumerate(list_of(answer["texts"], "texts")))
        return Reply(texts or EMPTY_REPLY, end)
    if "text" not in answer:
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, gettext_noop("has neither text nor texts")))
    return Reply((text_of(answer["text"], "text"),), end)


async def reply(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    headers = {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}
    async with line.post(call.bot.url, request_of(call, line.left_s), headers) as answer:
        return reply_of(await json_body(answer))
