"""Rasa's REST channel, against a server that writes its bytes one by one."""

import pytest

from tests.fakes.raw_bots import http
from tests.participants.talking import ask_raw


async def answered(body: bytes):
    return await ask_raw("rasa", http(body), path="webhooks/rest/webhook")


async def test_messages_together_are_one_turn():
    reply, asked = await answered(b'[{"recipient_id": "d", "text": "a"}, {"recipient_id": "d", "text": "b"}]')
    assert reply.texts == ("a", "b")
    assert (asked[0]["sender"], asked[0]["message"]) == ("d-1", "订票")


@pytest.mark.parametrize("body", [b'{"text": "a"}', b'[{"text": null}]', b'[{"text": 1}]'])
async def test_what_is_no_message_is_a_bad_shape(body):
    failure, _ = await answered(body)
    assert failure.kind == "bad_shape"
