"""Coze's chat, version 3, streamed. Written as a mapping.

POST …/v3/chat?conversation_id=… {"bot_id", "user_id", "stream": true, "auto_save_history": true, "additional_messages": […]}
events      conversation.chat.created, …in_progress; conversation.message.delta with parts in `content`, of which those of `type`
            answer are shown (not function_call, tool_response, verbose, follow_up); conversation.message.completed;
            conversation.chat.completed, …failed with `last_error`, …requires_action; `done` with "[DONE]"
refusals    status 200 with {"code", "msg"}, code not 0

Source: docs.coze.cn, "发起对话" (chat_v3). The URL is the endpoint or the host alone; `options.bot_id` is required. The conversation's
id, which the first turn does not send, is the state. `options.opening` is what the user says to have the bot open.
"""

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants.adapters.calls import BotCall, Reply
from participants.adapters.contract import OPENING, Adapter, Hear, Heard, Option, Options, Question
from participants.adapters.mapping import reply_by
from participants.failures import BotFailure, FailureKind
from participants.mappings.mapping import Mapping, mapping_of
from participants.mappings.presets import coze_options
from participants.outbound import Line
from reading.findings import Finding, sentence
from reading.kinds import Notes, Text
from reading.strict_json import NotJson, loads

ENDPOINT = "/v3/chat"


def endpoint_of(url: str) -> str:
    return url.rstrip("/") + ENDPOINT if urlsplit(url).path in ("", "/") else url


def mapping_for(call: BotCall) -> Mapping:
    """Errors: `BotFailure` without the bot's id; nothing was sent then."""
    bot_id = str(call.bot.options.get("bot_id") or "")
    mapping = mapping_of(coze_options(bot_id))
    if not bot_id or isinstance(mapping, Finding):
        finding = Finding("options.bot_id", gettext_noop("is missing"))
        raise BotFailure(FailureKind.BAD_SHAPE, finding, reached_bot=False)
    return replace(mapping, opening=str(call.bot.options.get("opening") or ""))


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    there = replace(call, bot=replace(call.bot, url=endpoint_of(call.bot.url)))
    return await reply_by(mapping_for(call), there, line, on_delta)


ASKED: Question = ("GET", "")


def clue_in(heard: Any) -> Finding | None:
    answer: Heard | None = heard.get(ASKED)
    try:
        said = loads(answer.body) if answer is not None else None
    except NotJson:
        return None
    # Coze names its log's id in every refusal.
    is_coze = isinstance(said, dict) and {"code", "msg"} <= said.keys() and "logid" in str(said.get("detail"))
    return sentence(gettext_noop("A refusal names a code, a message and a logid, as Coze's does.")) if is_coze else None


def needs_bot_id(options: Options, problems: Notes) -> None:
    if not options.get("bot_id"):
        problems.note("options.bot_id", gettext_noop("is missing"))


ADAPTER = Adapter(
    send=reply,
    name=_("Coze"),
    line=_("a bot of Coze, by its chat API; needs the bot's id"),
    options={"bot_id": Option(Text(200), _("the id of the system there; required")), "opening": OPENING},
    check=needs_bot_id,
    questions=(ASKED,),
    clue_in=clue_in,
)
