"""The native protocol, huace/1, against a bot on a real socket."""

import json

import pytest

from participants.adapters import Context, History, Utterance, native
from tests.fakes.raw_bots import CLOSE, http
from tests.participants.talking import ask_raw, talk

SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"


async def test_the_native_protocol_carries_what_design_says(bot):
    history = History((Utterance("user", "你好"), Utterance("bot", "您好")))
    reply = await talk(bot, "订票", history=history, context=Context({"kb": [1]}), language="en")
    assert reply.texts == ("收到：订票",)
    request, headers = bot.requests[-1], bot.headers[-1]
    assert request == {
        "protocol": "huace/1", "dialogue": "d-1", "turn": 3, "text": "订票",
        "history": [{"role": "user", "text": "你好"}, {"role": "bot", "text": "您好"}],
        "context": {"kb": [1]}, "language": "en", "deadline_ms": request["deadline_ms"],
    }  # fmt: skip
    assert 0 < request["deadline_ms"] <= 2000
    assert headers["idempotency-key"] == "d-1:3"
    assert headers["authorization"] == "Bearer s3cret"
    assert headers["accept-encoding"] == "identity"
    assert headers["accept"] == "text/event-stream, application/json"
    assert "cookie" not in headers


async def test_several_texts_are_one_turn(bot):
    assert (await talk(bot, "!two")).texts == ("一", "二")


async def test_offered_answers_are_the_last_lines_of_what_is_said(bot):
    reply = await talk(bot, "!choices")
    assert (reply.texts, reply.choices) == (("去哪里？\n北京\n上海",), ((0, 1), (0, 2)))


@pytest.mark.parametrize(
    ("answer", "texts", "choices"),
    [
        ({"texts": ["一", "二"], "choices": ["好"]}, ("一", "二\n好"), ((1, 1),)),
        ({"texts": [], "choices": ["好"]}, ("好",), ((0, 0),)),
        # A title of two lines is no button; nor is a blank one.
        ({"text": "一", "choices": ["a\nb", " "]}, ("一\na\nb\n ",), ()),
        ({"text": "好", "choices": []}, ("好",), ()),
    ],
)
def test_where_offered_answers_stand(answer, texts, choices):
    reply = native.reply_of(answer)
    assert (reply.texts, reply.choices) == (texts, choices)


async def test_a_blank_text_is_a_reply(bot):
    assert (await talk(bot, "!blank")).texts == ("  ",)


async def test_no_message_at_all_in_a_proper_answer_is_an_empty_reply(bot):
    assert (await talk(bot, "!no-texts")).texts == ("",)


async def test_a_bot_that_opens_the_dialogue_gets_turn_0_with_an_empty_text(bot):
    await talk(bot, "", turn=0)
    assert (bot.requests[-1]["turn"], bot.requests[-1]["text"], bot.requests[-1]["history"]) == (0, "", [])


def event(**fields) -> bytes:
    return f"data: {json.dumps(fields, ensure_ascii=False)}\n\n".encode()


async def stream(*pieces, **named):
    return await ask_raw("huace/1", [SSE, *pieces, CLOSE], **named)


async def test_a_stream_is_shown_as_it_comes_and_its_last_event_is_the_reply():
    content, heard = (
        b": hello\n\n" + event(delta="您") + event(delta="好") + event(texts=["您好", "请问"], end=True),
        [],
    )
    half = content.index("好".encode()) + 1
    reply, _ = await stream(content[:half], 0.02, content[half:], heard=heard)
    assert (reply.texts, reply.end, heard) == (("您好", "请问"), True, ["您", "好"])


@pytest.mark.parametrize(("end", "is_end"), [(False, False), (True, True)])
async def test_an_end_alone_means_what_was_shown(end, is_end):
    reply, _ = await stream(
        event(delta="您好"), b'data: {"delta":"\\ud83d"}\n\n', b'data: {"delta":"\\ude00"}\n\n', event(end=end)
    )
    assert (reply.texts, reply.end) == (("您好😀",), is_end)


async def test_what_follows_the_last_event_is_not_heard():
    heard = []
    reply, _ = await stream(event(delta="a"), event(text="a"), event(delta="b"), event(text="c"), heard=heard)
    assert (reply.texts, heard) == (("a",), ["a"])


@pytest.mark.parametrize(
    ("content", "kind", "detail"),
    [
        (event(delta="您好"), "bad_shape", "broke off before its end"),
        (event(delta="您好") + b"data: [DONE]\n\n", "bad_json", ""),
        (event(delta=7), "bad_shape", ""),
        (event(said="好"), "bad_shape", "neither text nor texts"),
        (event(delta="您好") + event(error="out of memory"), "bad_shape", "out of memory"),
    ],
)
async def test_a_stream_that_breaks_off_or_breaks_the_protocol_is_a_failure(content, kind, detail):
    failure, _ = await stream(content)
    assert failure.kind == kind
    assert detail in failure.detail.in_english


async def test_one_json_object_is_an_answer_whatever_it_calls_itself():
    reply, _ = await ask_raw("huace/1", http('{"text": "好"}'.encode(), "Content-Type: text/plain"))
    assert reply.texts == ("好",)
