"""OpenAI-compatible chat completions, whole or streamed as server-sent events.

The URL is the full endpoint (…/v1/chat/completions) or its base, which ends in a version (…/v1). `options` may hold `model`, `system` (a system
message), `opening` (what the user says to have the bot open a dialogue) and `max_tokens`. The dialogue id travels as
`user`, so that a bot may keep state by it.

There is one system message, `system` first and the campaign's words for the context after it: the chat templates of many
models allow no second one.

What is shown is `content` alone: not `reasoning_content`, which is what a model thinks before it speaks. A message
without content is an empty reply, whole or streamed, unless it calls tools, of which the platform has none.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants import failure_sentences as sentences
from participants.adapters.calls import (
    BotCall,
    Reply,
    bearer,
    is_json,
    json_body,
    json_of,
    list_of,
    object_of,
    string_of,
    text_of,
    to_json,
)
from participants.adapters.chat import BROKE_OFF, CHAT_OPTIONS, calls_tools, messages_of, refusal_of, said_or_empty
from participants.adapters.contract import Adapter, Heard, Question, object_in
from participants.adapters.streams import GrowingText, sent_events
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from participants.outbound import Answer, Line
from reading.findings import BODY, Finding, sentence

# A stream that ends at once leaves its connection to the next turn; one that does not is left.
GRACE_AFTER_DONE_S = 0.2
# Not every server sends [DONE], and some name a finish reason before the last part.
GRACE_AFTER_FINISH_S = 1.0
# …/v1, and what vendors have in its place: …/api/v3, …/paas/v4.
VERSION_AT_END = re.compile(r"/v[1-9]$")
MODELS: tuple[Question, ...] = (("GET", "models"), ("GET", "/v1/models"))


def endpoint_of(url: str) -> str:
    base = url.rstrip("/")
    return f"{base}/chat/completions" if VERSION_AT_END.search(base) else url


def request_of(call: BotCall, *, stream: bool) -> bytes:
    """The body of the call. The messages come last: the history among them as earlier turns encoded it."""
    request: dict[str, Any] = {
        "model": call.bot.options.get("model", "default"),
        "user": call.dialogue,
        "stream": stream,
    }
    if "max_tokens" in call.bot.options:
        request["max_tokens"] = call.bot.options["max_tokens"]
    return b'%b,"messages":[%b]}' % (to_json(request)[:-1], b",".join(messages_of(call)))


def _headers(call: BotCall) -> dict[str, str]:
    return {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}


def _first_choice(parsed: Any) -> dict[str, Any] | None:
    answer = object_of(parsed, BODY)
    error = answer.get("error") or (answer if answer.get("object") == "error" else None)
    if error:
        raise refusal_of(error)
    choices = list_of(answer.get("choices"), "choices")
    return object_of(choices[0], "choices[0]") if choices else None


# -- whole --------------------------------------------------------------------------------------------------------


def reply_of(parsed: Any) -> Reply:
    choice = _first_choice(parsed)
    if choice is None:
        raise BotFailure(FailureKind.EMPTY, sentence(sentences.NO_CHOICES))
    message = object_of(choice.get("message"), "choices[0].message")
    text, images = _said_in(message.get("content"), "choices[0].message.content")
    return replace(said_or_empty(text, is_calling_tools=calls_tools(message) and not images), images=images)


def _said_in(content: Any, place: str) -> tuple[str, tuple[str, ...]]:
    """Text and addresses of pictures; `content` may be a list of parts of `type` `text` and `image_url`."""
    if not isinstance(content, list):
        return "" if content is None else text_of(content, place), ()
    texts, images = [], []
    for i, part in enumerate(object_of(one, f"{place}[{i}]") for i, one in enumerate(content)):
        if part.get("type") == "image_url":
            url = object_of(part.get("image_url"), f"{place}[{i}].image_url").get("url")
            images.append(text_of(url, f"{place}[{i}].image_url.url"))
        elif part.get("type") == "text":
            texts.append(text_of(part.get("text"), f"{place}[{i}].text"))
    return "".join(texts), tuple(images)


async def reply_whole(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    content = request_of(call, stream=False)
    async with line.post(endpoint_of(call.bot.url), content, _headers(call)) as answer:
        return reply_of(await json_body(answer))


# -- streamed -----------------------------------------------------------------------------------------------------


async def reply_streamed(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    """Reads the stream to its `[DONE]` mark or finish reason; a server that ignores `stream` is read whole."""
    content = request_of(call, stream=True)
    async with line.post(endpoint_of(call.bot.url), content, _headers(call)) as answer:
        if is_json(answer):
            return reply_of(await json_body(answer))
        return await _read_stream(answer, line, on_delta)


async def _read_stream(answer: Answer, line: Line, on_delta: Callable[[str], None]) -> Reply:
    choice = _StreamedChoice()
    clock = asyncio.get_running_loop().time
    # The deadline of the call ends the block from outside. This limit begins with the end of the reply, once, so that
    # nothing that follows can prolong it; from there on the time is ours.
    with suppress(TimeoutError):
        async with asyncio.timeout(None) as rest, aclosing(sent_events(answer)) as events:
            async for _name, event in events:
                if event == b"[DONE]":
                    choice.is_complete = choice.is_done = True
                    line.answered()
                    rest.reschedule(clock() + GRACE_AFTER_DONE_S)
                elif not choice.is_done:
                    await _hear(event, choice, on_delta)
                    if choice.is_complete:
                        line.answered()
                    if choice.is_complete and rest.when() is None:
                        rest.reschedule(clock() + GRACE_AFTER_FINISH_S)
    return choice.reply()


async def _hear(event: bytes, choice: "_StreamedChoice", on_delta: Callable[[str], None]) -> None:
    try:
        part = choice.hear(await json_of(event))
    except BotFailure as failure:
        failure.evidence = event[:EVIDENCE_LIMIT].decode("utf-8", "backslashreplace")
        raise
    if part:
        on_delta(part)


class _StreamedChoice:
    """The first choice of an answer as its events tell it."""

    place = "choices[0].delta.content"

    def __init__(self) -> None:
        self.text = GrowingText()
        self.has_begun = self.is_complete = self.is_done = self.is_calling_tools = False

    def hear(self, parsed: Any) -> str:
        """What the event adds to the text that can be shown."""
        choice = _first_choice(parsed)
        if choice is None:
            return ""
        self.has_begun = True
        self.is_complete = self.is_complete or bool(choice.get("finish_reason"))
        delta = object_of(choice.get("delta") or {}, "choices[0].delta")
        self.is_calling_tools = self.is_calling_tools or calls_tools(delta)
        content = delta.get("content")
        return "" if content is None else self.text.hear(string_of(content, self.place), self.place)

    def reply(self) -> Reply:
        if not self.has_begun:
            raise BotFailure(FailureKind.EMPTY, sentence(sentences.NO_CHOICE_IN_STREAM))
        if not self.is_complete:
            raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, BROKE_OFF))
        return said_or_empty(self.text.whole(self.place), is_calling_tools=self.is_calling_tools)


def clue_in(heard: Mapping[Question, Heard]) -> Finding | None:
    for question in MODELS:
        listed = object_in(heard.get(question))
        if listed.get("object") == "list" and isinstance(listed.get("data"), list):
            return sentence(gettext_noop("It lists models as OpenAI-compatible servers do."))
    return None


STREAMED = Adapter(
    send=reply_streamed,
    name=_("OpenAI-compatible chat, streamed"),
    line=_("chat completions as server-sent events: vLLM, llama.cpp, most vendors"),
    options=CHAT_OPTIONS,
    questions=MODELS,
    clue_in=clue_in,
)
WHOLE = replace(
    STREAMED, send=reply_whole, name=_("OpenAI-compatible chat, in one piece"), line=_("the same without a stream")
)
