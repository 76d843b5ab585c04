"""Rasa's REST channel: POST {"sender", "message"}, answered by an array of messages, which together are one turn.

A bot that says nothing answers `[]`, which is an empty reply. A message is shown as lines of text: its text, the title of each button,
which the tester can press, and what only the bot's own page could draw (`custom`, `attachment`) as compact JSON. Pictures are fetched.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants.adapters.calls import (
    EMPTY_REPLY,
    BotCall,
    Reply,
    bearer,
    choices_in,
    given_context,
    json_body,
    list_of,
    object_of,
    text_of,
    to_json,
)
from participants.adapters.contract import Adapter, Heard, Question, object_in
from participants.adapters.echoes import check_name, name_of
from participants.failures import BotFailure, FailureKind
from participants.outbound import Line
from reading.findings import BODY, Finding, sentence

# Rasa's own intent for a session that the user begins without saying anything.
OPENING = "/session_start"
VERSION: Question = ("GET", "/version")


def request_of(call: BotCall) -> bytes:
    """The body of the call. The context comes last, as earlier turns encoded it."""
    said_now = to_json({"sender": name_of(call.dialogue), "message": call.text if call.turn else OPENING})
    about = to_json({"turn": call.turn, "language": call.language})
    return b'%b,"metadata":%b,"context":%b}}' % (said_now[:-1], about[:-1], call.context.encoded(given_context))


def reply_of(parsed: Any, dialogue: str) -> Reply:
    messages = list_of(parsed, BODY)
    for i, message in enumerate(messages):
        # Rasa repeats the sender so.
        check_name(object_of(message, f"[{i}]").get("recipient_id"), dialogue, f"[{i}].recipient_id")
    shown = [(_shown(message, f"[{i}]"), message) for i, message in enumerate(messages)]
    texts = tuple(text for text, _ in shown if text is not None)
    titles = [[button["title"] for button in one.get("buttons") or ()] for text, one in shown if text is not None]
    images = [text_of(one["image"], f"[{i}].image") for i, one in enumerate(messages) if one.get("image") is not None]
    return Reply(texts or EMPTY_REPLY, choices=choices_in(texts, titles), images=tuple(images))


def _shown(message: Any, place: str) -> str | None:
    """None for a message that is a picture alone."""
    # Rasa leaves out what a message has not; a null is read as left out.
    fields = {name: value for name, value in object_of(message, place).items() if value is not None}
    lines = list(_lines(fields, place))
    if not lines and "image" in fields:
        return None
    if not lines:
        text = gettext_noop("holds no text and nothing that can be shown as one")
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(place, text))
    return "\n".join(lines)


def _lines(fields: dict[str, Any], place: str) -> Iterator[str]:
    if "text" in fields:
        yield text_of(fields["text"], f"{place}.text")
    for i, button in enumerate(list_of(fields.get("buttons", []), f"{place}.buttons")):
        where = f"{place}.buttons[{i}]"
        yield text_of(object_of(button, where).get("title"), f"{where}.title")
    for name in ("attachment", "custom"):
        if name in fields:
            yield _as_line(fields[name], f"{place}.{name}")


def _as_line(value: Any, place: str) -> str:
    return text_of(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":")), place
    )


async def reply(call: BotCall, line: Line, on_delta: Callable[[str], None]) -> Reply:
    headers = {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}
    async with line.post(call.bot.url, request_of(call), headers) as answer:
        return reply_of(await json_body(answer), call.dialogue)


def clue_in(heard: Mapping[Question, Heard]) -> Finding | None:
    return (
        sentence(gettext_noop("It tells its version as Rasa does."))
        if "minimum_compatible_version" in object_in(heard.get(VERSION))
        else None
    )


def version_in(heard: Mapping[Question, Heard]) -> str:
    said = object_in(heard.get(VERSION)).get("version")
    return f"Rasa {said}" if isinstance(said, str) else ""


ADAPTER = Adapter(
    send=reply,
    name="Rasa",
    line=_("the REST channel of a Rasa server (/webhooks/rest/webhook)"),
    questions=(VERSION,),
    clue_in=clue_in,
    version_in=version_in,
)
