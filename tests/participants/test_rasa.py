"""Rasa's REST channel, against a server that writes its bytes one by one."""

import json

import pytest

from participants.adapters import Context
from participants.adapters.contract import Heard
from participants.adapters.rasa import VERSION, clue_in, version_in
from tests.fakes.raw_bots import http
from tests.participants.talking import ask_raw


async def answered(body):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await ask_raw("rasa", http(content), path="webhooks/rest/webhook")


async def test_messages_together_are_one_turn():
    reply, asked = await answered(b'[{"recipient_id": "d", "text": "a"}, {"recipient_id": "d", "text": "b"}]')
    assert reply.texts == ("a", "b")
    assert (asked[0]["sender"], asked[0]["message"]) == ("huace-d-1", "订票")


async def test_a_bot_that_says_nothing_gives_an_empty_reply():
    reply, _ = await answered([])
    assert reply.texts == ("",)


async def test_buttons_and_custom_payloads_are_lines_of_text_and_pictures_are_fetched():
    """The messages as Rasa 3 sends them: one per `utter`, without what they have not."""
    reply, _ = await answered(
        [
            {"recipient_id": "d-1", "text": "坐火车还是飞机？", "buttons": [
                {"title": "火车", "payload": "/choose{\"by\": \"train\"}"},
                {"title": "飞机", "payload": "/choose{\"by\": \"plane\"}"},
            ]},
            {"recipient_id": "d-1", "image": "http://10.0.0.1/train.png"},
            {"recipient_id": "d-1", "custom": {"时刻": ["08:00", "09:30"], "n": 2}},
            {"recipient_id": "d-1", "attachment": "https://example.org/ticket.pdf"},
            {"recipient_id": "d-1", "text": "好吗？", "image": None, "custom": None},
        ]
    )  # fmt: skip
    assert reply.texts == (
        "坐火车还是飞机？\n火车\n飞机",
        '{"时刻":["08:00","09:30"],"n":2}',
        "https://example.org/ticket.pdf",
        "好吗？",
        # Fetched by the platform, whose guard refuses this address.
        "[image - blocked_address]",
    )
    # The titles of buttons are offered as answers: where they stand.
    assert reply.choices == ((0, 1), (0, 2))


@pytest.mark.parametrize(
    "body",
    [
        {"text": "a"},
        ["a"],
        [{"text": None}],
        [{"text": 1}],
        [{"recipient_id": "d-1"}],
        [{"buttons": [{"payload": "/x"}]}],
        [{"buttons": {}}],
        [{"custom": {"a": "\ud800"}}],
    ],
)
async def test_what_is_no_message_is_a_bad_shape(body):
    failure, _ = await answered(body)
    assert failure.kind == "bad_shape"
    assert failure.evidence == json.dumps(body)


async def test_language_and_context_travel_as_metadata():
    _, asked = await ask_raw("rasa", http(b"[]"), context=Context({"persona": ["爱猫"]}), language="en")
    assert asked[0] == {
        "sender": "huace-d-1",
        "message": "订票",
        "metadata": {"turn": 3, "language": "en", "context": {"persona": ["爱猫"]}},
    }


async def test_a_bot_that_opens_the_dialogue_is_sent_the_start_of_a_session():
    _, asked = await ask_raw("rasa", http(b"[]"), text="", turn=0)
    assert asked[0]["message"] == "/session_start"


def test_its_version_speaks_for_it():
    told = b'{"version": "3.6.20", "minimum_compatible_version": "3.6.0"}'
    assert clue_in({VERSION: Heard(200, {}, told)}).in_english == "It tells its version as Rasa does."
    assert clue_in({VERSION: Heard(200, {}, b'{"version": "0.9"}')}) is clue_in({}) is None


def test_its_version_is_the_number_that_it_tells():
    told = b'{"version": "3.6.20", "minimum_compatible_version": "3.5.0"}'
    assert version_in({VERSION: Heard(200, {}, told)}) == "Rasa 3.6.20"
    assert version_in({VERSION: Heard(503, {}, told)}) == ""
    assert version_in({VERSION: Heard(200, {}, b'{"version": 3}')}) == version_in({}) == ""
