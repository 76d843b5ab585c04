"""The request of a turn is rebuilt through its adapter, and nothing is sent."""

import json
import shlex
import subprocess
from dataclasses import asdict, replace

import pytest

from participants.adapters import ADAPTERS, BotAddress, BotCall, Context, History, Utterance
from participants.adapters.contract import Adapter
from participants.adapters.gradio_functions import Function
from participants.adapters.shown_requests import (
    Request,
    failure_without,
    request_of,
    shown_request,
    value_without,
    without_secret,
)
from participants.failures import BotFailure, FailureKind
from reading.findings import Finding

SAID = History([Utterance("user", "你好"), Utterance("bot", "您好")], state={"session": "d"})
# Without these the protocol sends nothing.
OPTIONS = {"coze": {"bot_id": "7"}, "mapping": {"request": '{"q": "{{text}}"}', "reply": "a"}}
# Without these it asks where the bot's function is before it says anything.
STATES = {"gradio": {"function": asdict(Function("", 1, [None], 0, False, None, "pairs", 0))}}


def call(protocol, **changed):
    bot = BotAddress(protocol, "http://bot.example/v1", "***", OPTIONS.get(protocol, {"model": "m"}))
    said = {"dialogue": "d", "turn": 2, "text": "it's $HOME", "turn_key": "d:2", "history": SAID, "deadline_s": 5.0}
    return BotCall(bot=bot, context=Context({"kb": 1}), **said | changed)


def test_a_native_request_holds_what_was_said_and_the_whole_deadline():
    request = request_of(call("huace/1"), ADAPTERS)
    body = json.loads(request.content)
    assert (body["turn"], body["text"], body["deadline_ms"], body["context"]) == (2, "it's $HOME", 5000, {"kb": 1})
    assert body["history"] == [{"role": "user", "text": "你好"}, {"role": "bot", "text": "您好"}]
    assert request.headers["Idempotency-Key"] == "d:2"
    assert request.headers["Authorization"] == "Bearer ***"


@pytest.mark.parametrize("protocol", ADAPTERS)
def test_every_protocol_can_be_rebuilt(protocol):
    said = History(SAID.said, STATES.get(protocol, SAID.state))
    assert b"$HOME" in request_of(call(protocol, history=said), ADAPTERS).content


def test_a_protocol_that_nobody_speaks_has_no_request():
    assert request_of(call("gone/1"), ADAPTERS) is None


def test_a_bot_that_has_connected_was_handed_a_frame():
    request = request_of(call("dial-out"), ADAPTERS)
    assert json.loads(request.content)["type"] == "turn"
    assert request_of(replace(call("dial-out"), bot=BotAddress("dial-out", "dial-out:1")), ADAPTERS).as_curl.startswith(
        '{"type":"turn",'
    )


def test_the_curl_line_says_the_same_to_a_shell():
    request = request_of(call("openai"), ADAPTERS)
    words = shlex.split(request.as_curl)
    assert words[:5] == ["curl", "-sS", "-X", "POST", "http://bot.example/v1/chat/completions"]
    assert words[-1].encode() == request.content
    assert "Authorization: Bearer ***" in words


def test_a_shell_hands_websocat_the_message_as_it_is():
    said = b'{"q": "two\\nlines, 100 %s, it\'s $HOME"}'
    command, _, websocat = Request("ws://bot.example/live", said, {}).as_curl.partition(" | ")
    assert subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=True).stdout == said + b"\n"
    assert websocat == "websocat -n1 ws://bot.example/live"


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_a_question_is_rebuilt_without_a_body(method):
    async def send(call, line, on_delta):
        async with getattr(line, method.lower())(call.bot.url, {"A": "b"}, is_any_status_an_answer=True):
            pass

    request = request_of(call("asks/1"), {"asks/1": Adapter(send)})
    assert shlex.split(request.as_curl) == ["curl", "-sS", "-X", method, "http://bot.example/v1", "-H", "A: b"]


SECRET = 'hush"hush hush'


@pytest.mark.parametrize(
    ("text", "secret", "shown"),
    [
        ("Bearer s3cret!", "s3cret", "Bearer ***!"),
        ('{"key": "hush\\"hush hush"}', SECRET, '{"key": "***"}'),
        ("/?key=hush%22hush+hush&a", SECRET, "/?key=***&a"),
        ("it ends with s3cr", "s3cret", "it ends with ***"),
        ("it ends with s3c", "s3cret", "it ends with s3c"),
        ("abc abc", "abc", "abc abc"),
        ("nothing", "", "nothing"),
    ],
)
def test_a_secret_is_hidden_however_it_is_written(text, secret, shown):
    assert without_secret(text, secret) == shown


def test_a_failure_is_hidden_in_all_its_parts():
    finding = Finding("end", "must be true or false, not %(value)s", {"value": "s3cret", "n": 3})
    failure = failure_without(BotFailure(FailureKind.BAD_SHAPE, finding, evidence="s3cret"), "s3cret")
    assert (failure.detail.in_english, failure.evidence) == ("end: must be true or false, not ***", "***")
    assert failure.detail == replace(finding, values={"value": "***", "n": 3})
    assert str(failure) == "bad_shape: end: must be true or false, not ***"


def test_the_request_that_is_shown_has_the_secret_nowhere():
    history = History([Utterance("user", "a"), Utterance("bot", SECRET)], {"told": SECRET})
    mapping = {"request": '{"key": "{{secret}}", "all": "{{history}}", "state": "{{state}}"}', "reply": "a"}
    for protocol, options in (("mapping", mapping), ("huace/1", {}), ("openai", {})):
        bot = BotAddress(protocol, "https://bot.example/", SECRET, options)
        shown = shown_request(BotCall(bot, "d", 2, "b", "d:2", history), ADAPTERS)
        assert "hush" not in shown.as_curl


def test_a_json_value_without_the_secret_can_be_written_as_json():
    value = {"12345": ["12345", 12345, True, None], "told": {"key": "it is 12345"}}
    assert value_without(value, "12345") == {"***": ["***", 12345, True, None], "told": {"key": "it is ***"}}
