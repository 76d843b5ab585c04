"""Coze's chat, against a server that writes what its documentation shows."""

import json

import pytest

from participants.adapters import ADAPTERS, History
from participants.adapters.contract import Heard
from participants.adapters.coze import ASKED, clue_in
from tests.fakes.raw_bots import CLOSE, http, raw_bot
from tests.participants.talking import ask_raw, call_of, reply_to

SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
BOT = {"bot_id": "7379462189365198898"}
CHAT = {"id": "7382159487131697202", "conversation_id": "7381473525342978089", "last_error": {"code": 0, "msg": ""}}


def said(content, kind="answer"):
    return {"id": "1", "conversation_id": "7381473525342978089", "role": "assistant", "type": kind, "content": content}


def event(name, told):
    return f"event:{name}\ndata:{json.dumps(told, ensure_ascii=False)}\n\n".encode()


def delta(content, kind="answer"):
    return event("conversation.message.delta", said(content, kind))


CREATED, COMPLETED = event("conversation.chat.created", CHAT), event("conversation.chat.completed", CHAT)
DONE = b'event:done\ndata:"[DONE]"\n\n'


async def streamed(*events, heard=None, options=BOT, **named):
    answer = [SSE, b"".join(events), CLOSE]
    return await ask_raw("coze", answer, path="v3/chat", options=options, heard=heard, **named)


async def test_parts_of_the_answer_are_heard_and_what_stands_beside_it_is_not():
    heard = []
    verbose = event("conversation.message.completed", said('{"msg_type":"generate_answer_finish"}', "verbose"))
    whole = event("conversation.message.completed", said("您好"))
    events = (CREATED, delta("{}", "function_call"), delta("您"), delta("好"), whole, verbose, COMPLETED, DONE)
    reply, asked = await streamed(*events, heard=heard)
    assert (reply.texts, heard, reply.state) == (("您好",), ["您", "好"], "7381473525342978089")
    assert asked[0]["bot_id"] == BOT["bot_id"]
    assert (asked[0]["user_id"], asked[0]["stream"], asked[0]["auto_save_history"]) == ("d-1", True, True)
    assert asked[0]["additional_messages"] == [{"role": "user", "content": "订票", "content_type": "text"}]


async def test_the_conversation_goes_into_the_address_of_the_next_turn():
    async with raw_bot([SSE, CREATED + delta("好") + COMPLETED + DONE, CLOSE]) as raw:
        for state in (None, "738 147"):
            call = call_of(raw, "好", protocol="coze", options=BOT, history=History(state=state))
            await reply_to(call, ("127.0.0.1", raw.port))
    assert raw.paths == ["/v3/chat", "/v3/chat?conversation_id=738+147"]


@pytest.mark.parametrize(
    ("events", "detail"),
    [
        (
            [CREATED, event("conversation.chat.failed", CHAT | {"last_error": {"code": 5, "msg": "no tokens"}})],
            "no tokens",
        ),
        ([event("error", {"code": 4000, "msg": "bad request"})], "bad request"),
        ([CREATED, event("conversation.chat.requires_action", CHAT)], "asks for tools"),
        ([CREATED, delta("您")], "broke off"),
    ],
)
async def test_an_error_or_an_end_too_early_is_a_failure(events, detail):
    failure, _ = await streamed(*events)
    assert failure.kind == "bad_shape"
    assert detail in failure.detail.in_english


REFUSAL = b'{"code":4101,"msg":"The token you entered is incorrect.","detail":{"logid":"2024"}}'


async def test_a_refusal_with_status_200_keeps_its_words():
    failure, _ = await ask_raw("coze", http(REFUSAL, "Content-Type: application/json"), options=BOT)
    assert failure.detail.in_english.endswith("The token you entered is incorrect.")


async def test_without_the_bots_id_nothing_is_sent():
    failure, asked = await streamed(COMPLETED, options={})
    assert (failure.reached_bot, asked) == (False, [])


def test_the_logid_of_a_refusal_is_the_clue():
    assert clue_in({ASKED: Heard(200, {}, REFUSAL)})
    assert not clue_in({ASKED: Heard(200, {}, b'{"code":1,"msg":"x"}')})
    assert not clue_in({ASKED: Heard(200, {}, b"<html>")})
    assert not clue_in({})
    assert ADAPTERS["coze"].questions == (ASKED,)
