"""Ollama's own chat API: POST /api/chat, answered by one JSON object per line, or by one alone with `"stream": false`.

Each line holds a part of the reply in `message.content`; the last one has `"done": true`. What stands in `message.thinking` is
neither shown nor counted. An error after the first part comes as a line `{"error": "…"}` with status 200. Source: Ollama's
docs/api.md.

The URL is the server's (http://host:11434), its …/api, or the full endpoint. `options` may hold `model`, `system`, `opening`
and `max_tokens` as for `openai`; `whole`, to be answered in one piece, and `think` (true, false, or how much: low, medium, high).
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

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
    object_of,
    string_of,
    text_of,
    to_json,
)
from participants.adapters.chat import BROKE_OFF, CHAT_OPTIONS, calls_tools, messages_of, refusal_of, said_or_empty
from participants.adapters.contract import Adapter, Hear, Heard, Option, Question, object_in
from participants.adapters.streams import GrowingText, heard_to_end, json_lines
from participants.failures import BotFailure, FailureKind
from participants.outbound import Line
from reading.findings import BODY, Finding, sentence
from reading.kinds import FLAG, Choice

PLACE = "message.content"
SWITCHES = {"true": True, "false": False}
THINK = ("true", "false", "low", "medium", "high")
TAGS: Question = ("GET", "/api/tags")
# Asked of every server anyway. Not of its root: a GET there ends the agents that ConvLab deploys on an old Flask.
ITSELF: Question = ("GET", "")


def endpoint_of(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    if path.endswith("/api"):
        path += "/chat"
    return urlunsplit(parts._replace(path=path or "/api/chat"))


def request_of(call: BotCall) -> bytes:
    """The body of the call. The messages come last: the history among them as earlier turns encoded it."""
    options = call.bot.options
    request: dict[str, Any] = {"model": options.get("model", "default"), "stream": not options.get("whole")}
    if "think" in options:
        request["think"] = SWITCHES.get(options["think"], options["think"])
    if "max_tokens" in options:
        request["options"] = {"num_predict": options["max_tokens"]}
    return b'%b,"messages":[%b]}' % (to_json(request)[:-1], b",".join(messages_of(call)))


def _message_in(parsed: Any) -> dict[str, Any]:
    answer = object_of(parsed, BODY)
    if answer.get("error"):
        raise refusal_of(answer["error"])
    return object_of(answer.get("message") or {}, "message")


def reply_of(parsed: Any) -> Reply:
    message = _message_in(parsed)
    if not message:
        raise BotFailure(FailureKind.EMPTY, sentence(sentences.NO_MESSAGE))
    content = message.get("content")
    return said_or_empty("" if content is None else text_of(content, PLACE), is_calling_tools=calls_tools(message))


class _Streamed:
    """The reply as its lines tell it."""

    def __init__(self, on_delta: Hear) -> None:
        self.text = GrowingText()
        self.is_calling_tools = False
        self._on_delta = on_delta

    async def hear(self, name: str, line: bytes) -> bool:
        parsed = await json_of(line)
        message = _message_in(parsed)
        self.is_calling_tools = self.is_calling_tools or calls_tools(message)
        content = message.get("content")
        part = "" if content is None else self.text.hear(string_of(content, PLACE), PLACE)
        if part:
            self._on_delta(part)
        return parsed.get("done") is True


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    headers = {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}
    async with line.post(endpoint_of(call.bot.url), request_of(call), headers) as answer:
        if is_json(answer):
            return reply_of(await json_body(answer))
        said = _Streamed(on_delta)
        if not await heard_to_end(json_lines(answer), line, said.hear):
            raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, BROKE_OFF))
        return said_or_empty(said.text.whole(PLACE), is_calling_tools=said.is_calling_tools)


def clue_in(heard: Mapping[Question, Heard]) -> Finding | None:
    greeting = heard.get(ITSELF)
    if greeting is not None and greeting.body.strip() == b"Ollama is running":
        return sentence(gettext_noop("It says that Ollama is running."))
    models = object_in(heard.get(TAGS)).get("models")
    return sentence(gettext_noop("It lists models as Ollama does.")) if isinstance(models, list) else None


ADAPTER = Adapter(
    send=reply,
    name="Ollama",
    line=_("the chat API of an Ollama server (/api/chat)"),
    options={
        **CHAT_OPTIONS,
        "whole": Option(FLAG, _("ask for the reply in one piece")),
        "think": Option(Choice(THINK)),
    },
    questions=(TAGS,),
    clue_in=clue_in,
)
