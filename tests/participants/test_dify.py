"""Dify's chat-messages, against a server that writes what its API's page shows."""

import json

import pytest

from participants.adapters import ADAPTERS, Context, History
from participants.adapters.contract import Heard
from participants.adapters.dify import ASKED, clue_in
from tests.fakes.raw_bots import CLOSE, http
from tests.participants.talking import ask_raw

SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"
WHOLE = {
    "event": "message",
    "task_id": "c3800678",
    "message_id": "9da23599",
    "conversation_id": "45701982",
    "mode": "chat",
    "answer": "您好",
    "metadata": {"usage": {"total_tokens": 1161}},
    "created_at": 1705407629,
}


def part(answer, event="message"):
    return {"event": event, "task_id": "c38", "conversation_id": "45701982", "answer": answer, "created_at": 1}


END = {"event": "message_end", "conversation_id": "45701982", "metadata": {"usage": {}}}


async def whole(body, *, path="v1", **named):
    return await ask_raw("dify", http(json.dumps(body).encode(), "Content-Type: application/json"), path=path, **named)


async def streamed(*events, heard=None, **named):
    content = b"event: ping\n\n" + b"".join(b"data: %s\n\n" % json.dumps(one).encode() for one in events)
    return await ask_raw("dify", [SSE, content, CLOSE], path="v1", options={"stream": True}, heard=heard, **named)


async def test_an_answer_in_one_piece_carries_the_conversation():
    reply, asked = await whole(WHOLE, context=Context({"kb": 1}))
    assert (reply.texts, reply.state) == (("您好",), "45701982")
    assert asked == [
        {
            "query": "订票",
            "user": "d-1",
            "conversation_id": "",
            "response_mode": "blocking",
            "inputs": {"context": '{"kb":1}', "language": "zh"},
        }
    ]
    _, asked = await whole(WHOLE, history=History(state="45701982"))
    assert asked[0]["conversation_id"] == "45701982"


async def test_messages_of_chats_and_of_agents_are_heard_as_parts():
    heard, thought = [], {"event": "agent_thought", "thought": "想", "conversation_id": "45701982"}
    reply, asked = await streamed(part("您"), thought, part("好", "agent_message"), END, heard=heard)
    assert (reply.texts, heard, reply.state) == (("您好",), ["您", "好"], "45701982")
    assert asked[0]["response_mode"] == "streaming"


async def test_a_moderated_text_takes_the_place_of_its_parts():
    reply, _ = await streamed(part("坏话"), part("抱歉", "message_replace"), END)
    assert reply.texts == ("抱歉",)


@pytest.mark.parametrize(
    ("events", "detail"),
    [
        ([part("您"), {"event": "error", "status": 400, "code": "x", "message": "quota exceeded"}], "quota exceeded"),
        ([part("您")], "broke off"),
        ([part(7), END], "must be a text"),
    ],
)
async def test_an_error_or_an_end_too_early_is_a_failure(events, detail):
    failure, _ = await streamed(*events)
    assert failure.kind == "bad_shape"
    assert detail in failure.detail.in_english


async def test_a_stream_without_an_answer_is_an_empty_reply():
    reply, _ = await streamed(END)
    assert reply.texts == ("",)


async def test_a_server_that_answers_in_the_other_way_is_heard_too():
    reply, _ = await whole(WHOLE, options={"stream": True})
    assert reply.texts == ("您好",)


async def test_a_bot_that_opens_says_its_opening_statement():
    reply, asked = await whole({"opening_statement": "您好，要订什么？"}, turn=0, text="", path="v1/chat-messages")
    assert (reply.texts, asked) == (("您好，要订什么？",), [{}])
    reply, asked = await whole(WHOLE, turn=0, text="", options={"opening": "/start"})
    assert (reply.texts, asked[0]["query"]) == (("您好",), "/start")
    reply, _ = await whole({"opening_statement": ""}, turn=0, text="")
    assert reply.texts == ("",)


def test_a_refusal_without_a_key_or_an_opening_statement_is_the_clue():
    refusal = b'{"code":"unauthorized","message":"Authorization header must be provided","status":401}'
    assert clue_in({ASKED: Heard(401, {}, refusal)})
    assert clue_in({ASKED: Heard(200, {}, b'{"opening_statement":""}')})
    assert not clue_in({ASKED: Heard(404, {}, refusal)})
    assert not clue_in({ASKED: Heard(401, {}, b"no")})
    assert not clue_in({})
    assert ADAPTERS["dify"].questions == (ASKED,)
