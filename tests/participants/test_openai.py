"""OpenAI-compatible chat completions, against servers that write their bytes one by one."""

import json

import pytest

from participants.adapters import Utterance
from tests.fakes.raw_bots import CLOSE, http
from tests.participants.talking import ask_raw

SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
DONE = b"data: [DONE]\n\n"
HISTORY = (Utterance("user", "你好"), Utterance("bot", "您好"))


def event(**choice) -> bytes:
    return f"data: {json.dumps({'choices': [choice]}, ensure_ascii=False)}\n\n".encode()


def piece(text: str, finish: str | None = None) -> bytes:
    return event(delta={"content": text} if text else {}, finish_reason=finish)


async def stream(*pieces, heard=None, **named):
    return await ask_raw("openai", [SSE, *pieces, CLOSE], path="v1/chat/completions", heard=heard, **named)


async def whole(body: bytes, protocol="openai-plain", **named):
    return await ask_raw(protocol, http(body, "Content-Type: application/json"), path="v1/chat/completions", **named)


def message(**fields) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", **fields}}]}).encode()


async def test_a_stream_is_heard_as_it_comes_even_if_cut_inside_a_character():
    content = b": comment\n\n" + piece("您好") + piece("，请问") + piece("", "stop") + DONE
    half, heard = content.index("请".encode()) + 1, []
    reply, asked = await stream(content[:half], 0.02, content[half:], heard=heard, history=HISTORY)
    assert reply.texts == ("您好，请问",)
    assert heard == ["您好", "，请问"]
    assert [message["role"] for message in asked[0]["messages"]] == ["user", "assistant", "user"]
    assert asked[0]["stream"] is True


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (piece("您好"), "bad_shape"),
        (b"data: {not json}\n\n", "bad_json"),
        (b'data: {"error": {"message": "x"}}\n\n', "bad_shape"),
        (b'data: {"choices": [{"delta": {"content": 7}}]}\n\n', "bad_shape"),
    ],
)
async def test_a_stream_that_breaks_off_or_breaks_the_protocol_is_a_failure(content, kind):
    failure, _ = await stream(content)
    assert failure.kind == kind


async def test_a_server_that_does_not_stream_is_read_whole():
    reply, _ = await whole(message(content="您好"), "openai")
    assert reply.texts == ("您好",)
