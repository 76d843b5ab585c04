"""Bot Framework's activities, against a server that writes its bytes one by one; tests/real_bots asks botbuilder itself."""

import json

import pytest

from participants.adapters import ADAPTERS, Context
from participants.adapters.botframework import ASKED, clue_in, reply_of
from participants.adapters.contract import Heard
from tests.fakes.raw_bots import http
from tests.participants.talking import ask_raw


async def answered(*activities, body=None, **named):
    content = json.dumps({"activities": list(activities)}).encode() if body is None else body
    return await ask_raw("botframework", http(content), path="api/messages", **named)


def message(**fields):
    return {"type": "message", "id": "1", **fields}


async def test_each_message_is_a_bubble_and_what_is_none_is_passed_over():
    reply, _ = await answered(
        {"type": "typing"}, message(text="一"), {"type": "trace", "label": "x"}, message(text="二")
    )
    assert (reply.texts, reply.end) == (("一", "二"), False)


async def test_a_request_has_all_that_a_bot_needs():
    _, asked = await answered(message(text="好"), context=Context({"kb": 1}), language="en")
    (activity,) = asked
    assert (activity["type"], activity["text"], activity["deliveryMode"]) == ("message", "订票", "expectReplies")
    assert activity["conversation"] == {"id": "huace-d-1"}
    assert activity["from"]["id"] == "user-d-1"
    assert activity["channelId"]
    assert activity["recipient"]["id"]
    assert (activity["locale"], activity["channelData"]) == (
        "en-US",
        {"turn": 3, "language": "en", "context": {"kb": 1}},
    )


async def test_a_bot_that_opens_is_told_that_the_user_joined():
    _, asked = await answered(message(text="您好"), turn=0, text="")
    assert (asked[0]["type"], asked[0]["membersAdded"][0]["id"]) == ("conversationUpdate", "user-d-1")
    assert "text" not in asked[0]


async def test_the_end_of_the_conversation_ends_the_dialogue():
    reply, _ = await answered(message(text="再见"), {"type": "endOfConversation", "code": "completedSuccessfully"})
    assert (reply.texts, reply.end) == (("再见",), True)


async def test_a_bot_that_says_nothing_gives_an_empty_reply():
    reply, _ = await answered({"type": "typing"})
    assert reply.texts == ("",)
    reply, _ = await answered(message(text=""))
    assert reply.texts == ("",)


async def test_cards_files_and_suggestions_are_shown_as_lines_of_text():
    hero = {"contentType": "application/vnd.microsoft.card.hero", "content": {
        "title": "高铁", "text": "08:00", "buttons": [{"type": "imBack", "title": "订", "value": "book"}],
    }}  # fmt: skip
    adaptive = {"contentType": "application/vnd.microsoft.card.adaptive", "content": {"body": [{"n": 1}]}}
    reply, _ = await answered(
        message(text="选一个", suggestedActions={"actions": [{"title": "是"}, {"title": "否"}]}),
        message(attachments=[hero, {"contentType": "text/csv", "contentUrl": "https://example.org/a.csv"}, adaptive]),
    )
    assert reply.texts == ("选一个\n是\n否", '高铁\n08:00\n订\nhttps://example.org/a.csv\n{"body":[{"n":1}]}')
    assert reply.choices == ((0, 1), (0, 2))


def test_attached_pictures_and_those_of_cards_are_named_and_no_line_of_text():
    photo = {"contentType": "image/png", "contentUrl": "https://example.org/a.png"}
    hero = {"contentType": "application/vnd.microsoft.card.hero", "content": {
        "title": "酒店", "images": [{"url": "https://example.org/b.jpg", "alt": "x"}, {"alt": "none"}],
    }}  # fmt: skip
    reply = reply_of({"activities": [message(attachments=[photo]), message(text="看", attachments=[hero])]}, "d")
    assert reply.texts == ("看\n酒店",)
    assert reply.images == ("https://example.org/a.png", "https://example.org/b.jpg")
    assert reply_of({"activities": [message(attachments=[photo])]}, "d").texts == ("",)


def test_what_is_called_images_elsewhere_is_shown_as_it_is():
    own = {"contentType": "application/json", "content": {"images": {"n": 1}}}
    reply = reply_of({"activities": [message(attachments=[own])]}, "d")
    assert (reply.texts, reply.images) == (('{"images":{"n":1}}',), ())


async def test_the_older_form_of_the_answer_is_an_array():
    reply, _ = await answered(body=json.dumps([message(text="好")]).encode())
    assert reply.texts == ("好",)


@pytest.mark.parametrize(
    "body",
    [
        {"text": "a"},
        {"activities": {}},
        {"activities": ["a"]},
        {"activities": [message(text=1)]},
        {"activities": [message()]},
    ],
)
async def test_what_is_no_activity_is_a_bad_shape(body):
    failure, _ = await answered(body=json.dumps(body).encode())
    assert failure.kind == "bad_shape"


async def test_a_bot_that_answers_elsewhere_gave_no_answer():
    """botbuilder without expectReplies: status 200 or 202 with nothing in it, the words to a serviceUrl."""
    failure, _ = await answered(body=b"")
    assert failure.kind == "empty"


def test_the_refusal_of_a_get_is_the_clue():
    assert clue_in({ASKED: Heard(404, {}, b"<pre>Cannot GET /api/messages</pre>")})
    assert not clue_in({ASKED: Heard(404, {}, b"Cannot GET /chat")})
    assert not clue_in({})
    assert ADAPTERS["botframework"].questions == (ASKED,)
