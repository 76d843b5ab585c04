"""Dify's chat-messages, in one piece or (with `options.stream`) as server-sent events. Written as a mapping.

POST …/v1/chat-messages {"query", "user", "conversation_id", "response_mode": "blocking|streaming", "inputs"}
blocking    {"event": "message", "mode": "chat", "answer", "conversation_id", "metadata", …}
streaming   `message` and `agent_message` with parts in `answer`, `message_replace` with another text in place of all parts (moderation),
            `message_end`; `error` with `message`; `ping` without data; events of workflows and agents, which say nothing

Source: the API page that each Dify app shows, docs.dify.ai "Send Chat Message". The URL is the endpoint or its base (…/v1). The
conversation's id is the state. Agent apps refuse `blocking`. A bot that opens the dialogue says its `opening_statement`
(GET …/v1/parameters), unless `options.opening` says what the user says for it.
"""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants.adapters.calls import EMPTY_REPLY, BotCall, Reply, bearer, json_body, object_of, text_of
from participants.adapters.contract import OPENING, Adapter, Hear, Heard, Option, Question
from participants.adapters.mapping import reply_by
from participants.mappings.mapping import Mapping, mapping_of
from participants.mappings.presets import dify_options
from participants.outbound import Line
from reading.findings import BODY, Finding, sentence
from reading.kinds import FLAG
from reading.strict_json import NotJson, loads

ENDPOINT = "/chat-messages"


def base_of(url: str) -> str:
    return url.rstrip("/").removesuffix(ENDPOINT)


def endpoint_of(url: str) -> str:
    return url if not base_of(url).endswith("/v1") else f"{base_of(url)}{ENDPOINT}"


def mapping_for(call: BotCall) -> Mapping:
    mapping = mapping_of(dify_options(is_stream=bool(call.bot.options.get("stream"))))
    if isinstance(mapping, Finding):
        raise TypeError(mapping.in_english)
    return replace(mapping, opening=str(call.bot.options.get("opening") or ""))


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    there = replace(call, bot=replace(call.bot, url=endpoint_of(call.bot.url)))
    return await reply_by(mapping_for(call), there, line, on_delta)


async def opening(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    if call.bot.options.get("opening"):
        return await reply(call, line, on_delta)
    async with line.get(f"{base_of(call.bot.url)}/parameters", bearer(call.bot.secret)) as answer:
        said = object_of(await json_body(answer), BODY).get("opening_statement")
        return Reply((text_of(said, "opening_statement"),) if said else EMPTY_REPLY)


# A base that is the endpoint's own is asked beside it: clues are read where the URL is the base.
ASKED: Question = ("GET", "parameters")


def clue_in(heard: Any) -> Finding | None:
    answer: Heard | None = heard.get(ASKED)
    try:
        said = loads(answer.body) if answer is not None else None
    except NotJson:
        return None
    if not isinstance(said, dict) or answer is None:
        return None
    is_open = answer.status == 200 and "opening_statement" in said
    asks_for_a_key = answer.status == 401 and said.get("code") == "unauthorized" and "message" in said
    return (
        sentence(gettext_noop("GET parameters is answered as Dify's API does.")) if is_open or asks_for_a_key else None
    )


ADAPTER = Adapter(
    send=reply,
    name="Dify",
    line=_("an app of Dify, by its chat-messages API"),
    options={"stream": Option(FLAG, _("answers are streamed")), "opening": OPENING},
    open=opening,
    questions=(ASKED,),
    clue_in=clue_in,
)
