"""Bot Framework (Azure Bot Service, botbuilder): an activity in, the bot's activities in the same answer.

POST …/api/messages {"type": "message", "text", "deliveryMode": "expectReplies", …} → {"activities": [{"type", "text", …}, …]}

With `expectReplies` nothing is sent to a `serviceUrl`. `type`, `channelId`, `conversation.id`, `from.id` and `recipient.id` are required:
without them botbuilder answers 400 or 500, and a body without `type` can end the bot's process (stack.md 16). State of the bot is kept
by conversation and by user, so both are the dialogue's own. Source: the Bot Framework activity specification (microsoft/botframework-sdk,
specs/botframework-activity) and botbuilder 4, whose answer is an `ExpectedReplies`.

Each `message` is a bubble: its text, what its cards say, the titles of suggested actions, line by line; the tester can press these. Attached pictures and those of cards are fetched. `endOfConversation` ends the
dialogue. `typing`, `trace`, `event` and what else is no message are passed over. A bot that opens is told that the user joined.
"""

import json
from collections.abc import Iterator
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
from participants.adapters.contract import Adapter, Hear, Heard, Question
from participants.adapters.echoes import check_name, name_of
from participants.failures import BotFailure, FailureKind
from participants.outbound import Line
from reading.findings import BODY, Finding, sentence

CHANNEL, BOT = "huace", "bot"
LOCALES = {"zh": "zh-CN", "en": "en-US"}
CARD_TEXTS = ("title", "subtitle", "text")


def request_of(call: BotCall) -> bytes:
    """The body of the call. The context comes last, as earlier turns encoded it."""
    user = {"id": f"user-{call.dialogue}", "name": "Tester"}
    said = {"type": "message", "text": call.text, "textFormat": "plain"}
    joined = {"type": "conversationUpdate", "membersAdded": [user]}
    activity = {
        **(said if call.turn else joined),
        "id": call.turn_key,
        "channelId": CHANNEL,
        "conversation": {"id": name_of(call.dialogue)},
        "from": user,
        "recipient": {"id": BOT},
        "locale": LOCALES.get(call.language, call.language),
        # Some versions make a connection of it before they see that none is needed.
        "serviceUrl": "https://huace.invalid/",
        "deliveryMode": "expectReplies",
    }
    about = to_json({"turn": call.turn, "language": call.language})
    return b'%b,"channelData":%b,"context":%b}}' % (
        to_json(activity)[:-1],
        about[:-1],
        call.context.encoded(given_context),
    )


def reply_of(parsed: Any, dialogue: str) -> Reply:
    # Before it was named expectReplies, the answer was the array itself.
    listed = parsed if isinstance(parsed, list) else object_of(parsed, BODY).get("activities")
    activities = [object_of(one, f"activities[{i}]") for i, one in enumerate(list_of(listed, "activities"))]
    for i, one in enumerate(activities):
        # An activity that names its conversation is for that one: botbuilder repeats the one that it was asked in.
        conversation = one.get("conversation")
        if isinstance(conversation, dict):
            check_name(conversation.get("id"), dialogue, f"activities[{i}].conversation.id")
    ends = any(one.get("type") == "endOfConversation" for one in activities)
    said = [(one, f"activities[{i}]") for i, one in enumerate(activities) if one.get("type") == "message"]
    images = tuple(url for one, place in said for url in _images(one, place))
    shown = [(_shown(one, place), list(_suggested(one, place))) for one, place in said]
    texts = tuple(text for text, _ in shown if text is not None)
    choices = choices_in(texts, [titles for text, titles in shown if text is not None])
    return Reply(texts or EMPTY_REPLY, ends, choices=choices, images=images)


def _shown(activity: dict[str, Any], place: str) -> str | None:
    """None for a message that is pictures alone."""
    lines = list(_lines(activity, place))
    if not lines and any(_images(activity, place)):
        return None
    if not lines and "text" not in activity:
        text = gettext_noop("holds no text and nothing that can be shown as one")
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(place, text))
    return "\n".join(lines)


def _lines(activity: dict[str, Any], place: str) -> Iterator[str]:
    if activity.get("text") is not None:
        yield text_of(activity["text"], f"{place}.text")
    for attachment, where in _attachments(activity, place):
        yield from _card_lines(attachment, where)
    yield from _suggested(activity, place)


def _attachments(activity: dict[str, Any], place: str) -> Iterator[tuple[dict[str, Any], str]]:
    for i, attachment in enumerate(list_of(activity.get("attachments") or [], f"{place}.attachments")):
        where = f"{place}.attachments[{i}]"
        yield object_of(attachment, where), where


def _images(activity: dict[str, Any], place: str) -> Iterator[str]:
    """The addresses of attached pictures and of those on cards; a content of another make is no card."""
    for attachment, _where in _attachments(activity, place):
        if _is_picture(attachment):
            yield attachment["contentUrl"]
        yield from _images_of_card(attachment)


def _images_of_card(attachment: dict[str, Any]) -> list[str]:
    listed = _card_of(attachment).get("images")
    urls = [one.get("url") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [url for url in urls if isinstance(url, str) and url]


def _is_picture(attachment: dict[str, Any]) -> bool:
    kind, url = attachment.get("contentType"), attachment.get("contentUrl")
    return isinstance(kind, str) and kind.startswith("image/") and isinstance(url, str) and bool(url)


def _card_of(attachment: dict[str, Any]) -> dict[str, Any]:
    content = attachment.get("content")
    return content if isinstance(content, dict) else {}


def _suggested(activity: dict[str, Any], place: str) -> Iterator[str]:
    suggested = object_of(activity.get("suggestedActions") or {}, f"{place}.suggestedActions")
    yield from _titles(suggested.get("actions"), f"{place}.suggestedActions.actions")


def _card_lines(attachment: dict[str, Any], place: str) -> Iterator[str]:
    """The words of a card and of its buttons, the address of a file; what only a channel could draw, as compact JSON."""
    content, card = attachment.get("content"), _card_of(attachment)
    lines = [text_of(card[name], f"{place}.content.{name}") for name in CARD_TEXTS if card.get(name)]
    lines += _titles(card.get("buttons"), f"{place}.content.buttons")
    if not lines and (_is_picture(attachment) or _images_of_card(attachment)):
        return
    if not lines and attachment.get("contentUrl"):
        lines = [text_of(attachment["contentUrl"], f"{place}.contentUrl")]
    if not lines and content is not None:
        lines = [text_of(json.dumps(content, ensure_ascii=False, separators=(",", ":")), f"{place}.content")]
    yield from lines


def _titles(actions: Any, place: str) -> Iterator[str]:
    for i, action in enumerate(list_of(actions or [], place)):
        title = object_of(action, f"{place}[{i}]").get("title")
        if title:
            yield text_of(title, f"{place}[{i}].title")


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    headers = {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}
    async with line.post(call.bot.url, request_of(call), headers) as answer:
        return reply_of(await json_body(answer), call.dialogue)


ASKED: Question = ("GET", "")


def clue_in(heard: Any) -> Finding | None:
    """Nothing answers a GET, but express names the path in its refusal, and that path is a habit of these bots alone."""
    answer: Heard | None = heard.get(ASKED)
    is_express = answer is not None and answer.status in {404, 405} and b"GET /api/messages" in answer.body
    return (
        sentence(gettext_noop("The path /api/messages does not accept GET, as with Bot Framework's bots."))
        if is_express
        else None
    )


ADAPTER = Adapter(
    send=reply,
    name="Bot Framework",
    line=_("activities that are answered at once (expectReplies)"),
    questions=(ASKED,),
    clue_in=clue_in,
)
