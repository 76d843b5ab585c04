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
from typing import Any, NamedTuple

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
    bubbles = [_bubble(one, place) for one, place in said]
    # A message that is pictures alone has no line.
    spoken = [one for one in bubbles if one.lines or not one.images]
    texts = tuple("\n".join(one.lines) for one in spoken)
    choices = choices_in(texts, [one.titles for one in spoken])
    images = tuple(url for one in bubbles for url in one.images)
    return Reply(texts or EMPTY_REPLY, ends, choices=choices, images=images)


class Bubble(NamedTuple):
    lines: list[str]
    titles: list[str]
    images: list[str]


def _bubble(activity: dict[str, Any], place: str) -> Bubble:
    lines = [text_of(activity["text"], f"{place}.text")] if activity.get("text") is not None else []
    images: list[str] = []
    for i, listed in enumerate(list_of(activity.get("attachments") or [], f"{place}.attachments")):
        where = f"{place}.attachments[{i}]"
        attachment = object_of(listed, where)
        pictures = _pictures(attachment)
        images += pictures
        lines += _card_lines(attachment, where, is_shown=bool(pictures))
    suggested = object_of(activity.get("suggestedActions") or {}, f"{place}.suggestedActions")
    titles = _titles(suggested.get("actions"), f"{place}.suggestedActions.actions")
    lines += titles
    if not lines and not images and "text" not in activity:
        text = gettext_noop("holds no text and nothing that can be shown as one")
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(place, text))
    return Bubble(lines, titles, images)


def _pictures(attachment: dict[str, Any]) -> list[str]:
    """The addresses of an attached picture and of those on a card; a content of another make is no card."""
    kind, url = attachment.get("contentType"), attachment.get("contentUrl")
    is_picture = isinstance(kind, str) and kind.startswith("image/")
    listed = _card_of(attachment).get("images")
    of_card = [one.get("url") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [one for one in ([url] * is_picture + of_card) if isinstance(one, str) and one]


def _card_of(attachment: dict[str, Any]) -> dict[str, Any]:
    content = attachment.get("content")
    return content if isinstance(content, dict) else {}


def _card_lines(attachment: dict[str, Any], place: str, *, is_shown: bool) -> list[str]:
    """The words of a card and of its buttons; unless `is_shown` as pictures: the address of a file, what only a channel could draw as compact JSON."""
    content, card = attachment.get("content"), _card_of(attachment)
    lines = [text_of(card[name], f"{place}.content.{name}") for name in CARD_TEXTS if card.get(name)]
    lines += _titles(card.get("buttons"), f"{place}.content.buttons")
    if lines or is_shown:
        return lines
    if attachment.get("contentUrl"):
        return [text_of(attachment["contentUrl"], f"{place}.contentUrl")]
    if content is not None:
        return [text_of(json.dumps(content, ensure_ascii=False, separators=(",", ":")), f"{place}.content")]
    return []


def _titles(actions: Any, place: str) -> list[str]:
    listed = [object_of(one, f"{place}[{i}]").get("title") for i, one in enumerate(list_of(actions or [], place))]
    return [text_of(title, f"{place}[{i}].title") for i, title in enumerate(listed) if title]


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
