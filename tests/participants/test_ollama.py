"""Ollama's chat API, against a server that writes its bytes one by one."""

import json

import pytest

from participants.adapters import Context, History, Utterance
from participants.adapters.contract import Heard
from participants.adapters.ollama import ITSELF, TAGS, clue_in, endpoint_of
from tests.fakes.raw_bots import CLOSE, http
from tests.participants.talking import ask_raw

LINES = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
END = b'{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}\n'


def part(content, **fields):
    message = {"role": "assistant", "content": content, **fields}
    return json.dumps({"model": "m", "message": message, "done": False}, ensure_ascii=False).encode() + b"\n"


async def stream(*pieces, **named):
    return await ask_raw("ollama", [LINES, *pieces, CLOSE], **named)


async def whole(said, **named):
    body = json.dumps(said, ensure_ascii=False).encode()
    return await ask_raw("ollama", http(body, "Content-Type: application/json; charset=utf-8"), **named)


async def test_lines_are_heard_as_they_come_even_if_cut_inside_a_character():
    content, heard = part("您好") + part("，请问") + END, []
    half = content.index("请".encode()) + 1
    reply, asked = await stream(content[:half], 0.02, content[half:], heard=heard)
    assert reply.texts == ("您好，请问",)
    assert heard == ["您好", "，请问"]
    assert asked[0] == {"model": "default", "stream": True, "messages": [{"role": "user", "content": "订票"}]}


@pytest.mark.parametrize(("think", "sent"), [("false", False), ("true", True), ("low", "low")])
async def test_history_system_context_and_options_have_their_places(think, sent):
    said = History((Utterance("user", "你好"), Utterance("bot", "您好")))
    options = {"model": "qwen3", "system": "简短", "max_tokens": 9, "whole": True, "think": think}
    answer = {"message": {"role": "assistant", "content": "好"}, "done": True}
    reply, asked = await whole(answer, history=said, options=options, context=Context({"kb": 1}, "知识：{context}"))
    assert reply.texts == ("好",)
    assert asked[0] == {
        "model": "qwen3", "stream": False, "think": sent, "options": {"num_predict": 9},
        "messages": [
            {"role": "system", "content": '简短\n\n知识：{"kb":1}'}, {"role": "user", "content": "你好"},
            {"role": "assistant", "content": "您好"}, {"role": "user", "content": "订票"},
        ],
    }  # fmt: skip


async def test_what_a_model_thinks_is_neither_shown_nor_counted():
    heard = []
    reply, _ = await stream(part("", thinking="嗯" * 300_000), part("好", thinking="…"), END, heard=heard, deadline_s=9)
    assert reply.kind == "too_long", "one line is one event"
    reply, _ = await stream(*[part("", thinking="嗯" * 50_000)] * 8, part("好", thinking="…"), END, heard=heard)
    assert (reply.texts, heard) == (("好",), ["好"])
    reply, _ = await whole({"message": {"content": "好", "thinking": "嗯"}, "done": True})
    assert reply.texts == ("好",)


@pytest.mark.parametrize("content", [END, part(None) + END])
async def test_a_model_that_says_nothing_gives_an_empty_reply(content):
    reply, _ = await stream(content)
    assert reply.texts == ("",)


async def test_an_error_after_the_first_part_keeps_its_message():
    failure, _ = await stream(part("您好"), b'{"error": "llama runner process has terminated"}\n')
    assert (failure.kind, failure.status) == ("bad_shape", 200)
    assert failure.detail.in_english.endswith("llama runner process has terminated")
    assert failure.evidence == '{"error": "llama runner process has terminated"}'


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (part("您好"), "bad_shape"),
        (b"{not json}\n", "bad_json"),
        (b'{"message": "x"}\n', "bad_shape"),
        (part(7), "bad_shape"),
        (part("", tool_calls=[{"function": {"name": "f"}}]) + END, "bad_shape"),
        (b"[1]\n", "bad_shape"),
    ],
)
async def test_a_stream_that_breaks_off_or_breaks_the_protocol_is_a_failure(content, kind):
    failure, _ = await stream(content)
    assert failure.kind == kind


@pytest.mark.parametrize(("said", "kind"), [({"done": True}, "empty"), ({"error": "no such model"}, "bad_shape")])
async def test_an_answer_without_a_message_is_a_failure(said, kind):
    failure, _ = await whole(said)
    assert failure.kind == kind


async def test_nothing_that_follows_the_last_line_is_heard():
    heard = []
    reply, _ = await stream(part("好"), END, part("后话"), heard=heard)
    assert (reply.texts, heard) == (("好",), ["好"])


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("http://a.example:11434", "http://a.example:11434/api/chat"),
        ("http://a.example/", "http://a.example/api/chat"),
        ("http://a.example/api", "http://a.example/api/chat"),
        ("http://a.example/api/chat", "http://a.example/api/chat"),
        ("http://a.example/proxy/chat?key=1", "http://a.example/proxy/chat?key=1"),
    ],
)
def test_the_url_is_the_servers_or_the_endpoint(given, asked):
    assert endpoint_of(given) == asked


def test_its_greeting_and_its_models_speak_for_it():
    assert clue_in({ITSELF: Heard(200, {}, b"Ollama is running")}).in_english == "It says that Ollama is running."
    assert clue_in({TAGS: Heard(200, {}, b'{"models": []}')}).in_english == "It lists models as Ollama does."
    assert clue_in({TAGS: Heard(404, {}, b'{"models": []}'), ITSELF: Heard(200, {}, b"<html>")}) is None
