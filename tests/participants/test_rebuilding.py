"""The request of a turn is rebuilt through its adapter, and nothing is sent."""

import json
import shlex

import pytest

from participants.adapters import ADAPTERS, BotAddress, BotCall, Context, History, Utterance
from participants.adapters.rebuilding import request_of

SAID = History([Utterance("user", "你好"), Utterance("bot", "您好")])


def call(protocol, **changed):
    bot = BotAddress(protocol, "http://bot.example/v1", "***", {"model": "m"})
    said = {"dialogue": "d", "turn": 2, "text": "it's $HOME", "turn_key": "d:2", "history": SAID, "deadline_s": 5.0}
    return BotCall(bot=bot, context=Context({"kb": 1}), **said | changed)


def test_a_native_request_holds_what_was_said_and_the_whole_deadline():
    request = request_of(call("huace/1"), ADAPTERS)
    body = json.loads(request.content)
    assert (body["turn"], body["text"], body["deadline_ms"], body["context"]) == (2, "it's $HOME", 5000, {"kb": 1})
    assert body["history"] == [{"role": "user", "text": "你好"}, {"role": "bot", "text": "您好"}]
    assert request.headers == {"Idempotency-Key": "d:2", "Authorization": "Bearer ***"}


@pytest.mark.parametrize("protocol", ADAPTERS)
def test_every_protocol_can_be_rebuilt(protocol):
    assert b"$HOME" in request_of(call(protocol), ADAPTERS).content


def test_a_protocol_that_nobody_speaks_has_no_request():
    assert request_of(call("gone/1"), ADAPTERS) is None


def test_the_curl_line_says_the_same_to_a_shell():
    request = request_of(call("openai"), ADAPTERS)
    words = shlex.split(request.as_curl)
    assert words[:5] == ["curl", "-sS", "-X", "POST", "http://bot.example/v1/chat/completions"]
    assert words[-1].encode() == request.content
    assert "Authorization: Bearer ***" in words
