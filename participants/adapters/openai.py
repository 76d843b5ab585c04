"""OpenAI-compatible chat completions, whole or streamed as server-sent events.

The URL is the full endpoint (…/v1/chat/completions) or its base (…/v1). `options` may hold `model`, `system` (a system
message), `opening` (what the user says to have the bot open a dialogue) and `max_tokens`. The dialogue id travels as
`user`, so that a bot may keep state by it.

There is one system message, `system` first and the campaign's words for the context after it: the chat templates of many
models allow no second one.

What is shown is `content` alone: not `reasoning_content`, which is what a model thinks before it speaks. A message
without content is an empty reply, whole or streamed, unless it calls tools, of which the platform has none.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import Any

from django.utils.translation import gettext_noop

from participants.adapters.calls import (
    EMPTY_REPLY,
    BotCall,
    Context,
    Reply,
    Utterance,
    bearer,
    json_body,
    json_of,
    list_of,
    object_of,
    string_of,
    text_of,
    to_json,
)
from participants.adapters.streams import GrowingText, events_of
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from participants.outbound import Answer, Line
from scoring.findings import BODY, Finding

# A stream that ends at once leaves its connection to the next turn; one that does not is left.
GRACE_AFTER_DONE_S = 0.2
# Not every server sends [DONE], and some name a finish reason before the last part.
GRACE_AFTER_FINISH_S = 1.0
ROLES = {"user": "user", "bot": "assistant"}
ERROR_MESSAGE_LIMIT = 500
NO_TOOLS = gettext_noop("calls tools and says nothing; the platform has no tools")
BROKE_OFF = gettext_noop("broke off before its end")


def endpoint_of(url: str) -> str:
    base = url.rstrip("/")
    return f"{base}/chat/completions" if base.endswith("/v1") else url


def request_of(call: BotCall, *, stream: bool) -> bytes:
    """The body of the call. The messages come last: the history among them as earlier turns encoded it."""
    request: dict[str, Any] = {
        "model": call.bot.options.get("model", "default"),
        "user": call.dialogue,
        "stream": stream,
    }
    if "max_tokens" in call.bot.options:
        request["max_tokens"] = call.bot.options["max_tokens"]
    return b'%b,"messages":[%b]}' % (to_json(request)[:-1], b",".join(_messages(call)))


def _messages(call: BotCall) -> list[bytes]:
    messages = _system_message(call)
    # Who has the user open the dialogue needs that on every turn: roles that do not alternate are refused by many.
    opening = call.bot.options.get("opening", "")
    if opening and (call.turn == 0 or call.history.is_opened_by_bot):
        messages.append(_user_message(opening))
    if call.history.said:
        messages.append(call.history.encoded(message_of))
    if call.turn or not messages:
        messages.append(_user_message(call.text))
    return messages


def _system_message(call: BotCall) -> list[bytes]:
    """The bot's own words, then the campaign's for the context, joined as what stands between the quotes of a JSON string."""
    own = to_json(str(call.bot.options.get("system") or ""))[1:-1]
    said = [part for part in (own, call.context.encoded(words_in_quotes)) if part]
    return [b'{"role":"system","content":"%b"}' % b"\\n\\n".join(said)] if said else []


def words_in_quotes(context: Context) -> bytes:
    return to_json(context.in_words)[1:-1]


def _user_message(text: str) -> bytes:
    return to_json({"role": "user", "content": text})


def message_of(said: Utterance) -> bytes:
    return to_json({"role": ROLES[said.role], "content": said.text})


def _headers(call: BotCall) -> dict[str, str]:
    return {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}


def _first_choice(parsed: Any) -> dict[str, Any] | None:
    answer = object_of(parsed, BODY)
    error = answer.get("error") or (answer if answer.get("object") == "error" else None)
    if error:
        text = gettext_noop("is an error of the bot's: %(message)s")
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, text, {"message": _message_of(error)}))
    choices = list_of(answer.get("choices"), "choices")
    return object_of(choices[0], "choices[0]") if choices else None


def _message_of(error: Any) -> str:
    message = error.get("message") if isinstance(error, dict) else error
    shown = message if isinstance(message, str) and message else json.dumps(error, ensure_ascii=False)
    return shown[:ERROR_MESSAGE_LIMIT].encode("utf-8", "backslashreplace").decode()


def _calls_tools(said: dict[str, Any]) -> bool:
    return bool(said.get("tool_calls") or said.get("function_call"))


def _reply(text: str, *, calls_tools: bool) -> Reply:
    if not text and calls_tools:
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, NO_TOOLS))
    return Reply((text,) if text else EMPTY_REPLY)


# -- whole --------------------------------------------------------------------------------------------------------


def reply_of(parsed: Any) -> Reply:
    choice = _first_choice(parsed)
    if choice is None:
        raise BotFailure(FailureKind.EMPTY, "`choices` is empty.")
    message = object_of(choice.get("message"), "choices[0].message")
    content = message.get("content")
    text = "" if content is None else text_of(content, "choices[0].message.content")
    return _reply(text, calls_tools=_calls_tools(message))


async def reply_whole(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    content = request_of(call, stream=False)
    async with line.post(endpoint_of(call.bot.url), content, _headers(call)) as answer:
        return reply_of(await json_body(answer))


# -- streamed -----------------------------------------------------------------------------------------------------


async def reply_streamed(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    """Reads the stream to its `[DONE]` mark or finish reason; a server that ignores `stream` is read whole."""
    content = request_of(call, stream=True)
    async with line.post(endpoint_of(call.bot.url), content, _headers(call)) as answer:
        if answer.response.headers.get("content-type", "").startswith("application/json"):
            return reply_of(await json_body(answer))
        return await _read_stream(answer, line, on_delta)


async def _read_stream(answer: Answer, line: Line, on_delta: Callable[[str], None]) -> Reply:
    choice = _StreamedChoice()
    clock = asyncio.get_running_loop().time
    # The deadline of the call ends the block from outside. This limit begins with the end of the reply, once, so that
    # nothing that follows can prolong it; from there on the time is ours.
    with suppress(TimeoutError):
        async with asyncio.timeout(None) as rest, aclosing(events_of(answer)) as events:
            async for event in events:
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
        self.has_begun = self.is_complete = self.is_done = self.calls_tools = False

    def hear(self, parsed: Any) -> str:
        """What the event adds to the text that can be shown."""
        choice = _first_choice(parsed)
        if choice is None:
            return ""
        self.has_begun = True
        self.is_complete = self.is_complete or bool(choice.get("finish_reason"))
        delta = object_of(choice.get("delta") or {}, "choices[0].delta")
        self.calls_tools = self.calls_tools or _calls_tools(delta)
        content = delta.get("content")
        return "" if content is None else self.text.hear(string_of(content, self.place), self.place)

    def reply(self) -> Reply:
        if not self.has_begun:
            raise BotFailure(FailureKind.EMPTY, "The stream held no choice.")
        if not self.is_complete:
            raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, BROKE_OFF))
        return _reply(self.text.whole(self.place), calls_tools=self.calls_tools)
