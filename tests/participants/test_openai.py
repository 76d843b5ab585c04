"""OpenAI-compatible chat completions, against servers that write their bytes one by one."""

import json

import pytest

from participants.adapters import Context, History, Utterance
from participants.adapters.contract import Heard
from participants.adapters.openai import MODELS, clue_in, endpoint_of
from tests.fakes.raw_bots import CLOSE, http, raw_bot
from tests.participants.talking import ask_raw, call_of, reply_to

SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
DONE = b"data: [DONE]\n\n"
HISTORY = History((Utterance("user", "你好"), Utterance("bot", "您好")))


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


async def test_an_emoji_cut_between_its_halves_is_judged_joined_and_shown_whole():
    """`ensure_ascii` of a server that streams UTF-16 units: the high half ends one event, the low half begins the next."""
    halves = [
        b'data: {"choices":[{"delta":{"content":"\\u4f60\\u597d\\ud83d"}}]}\n\n',
        b'data: {"choices":[{"delta":{"content":"\\ude00\\ud83d"}}]}\n\n',
        b'data: {"choices":[{"delta":{"content":"\\ude00!"},"finish_reason":"stop"}]}\n\n',
    ]
    heard = []
    reply, _ = await stream(*halves, DONE, heard=heard)
    assert reply.texts == ("你好😀😀!",)
    assert heard == ["你好", "😀", "😀!"]


@pytest.mark.parametrize(
    "texts", [["你好\ud83d"], ["\ud83d", "好"], ["\ude00"], ["a\udc00b"], ["\ud83d\ud83d", "\ude00"]]
)
async def test_a_text_that_keeps_half_a_character_is_a_bad_shape(texts):
    events = [b"data: %s\n\n" % json.dumps({"choices": [{"delta": {"content": text}}]}).encode() for text in texts]
    failure, _ = await stream(*events, piece("", "stop"), DONE)
    assert failure.kind == "bad_shape"
    assert "half a surrogate pair" in failure.detail.in_english


async def test_the_framing_of_a_stream_does_not_count_against_the_length_of_its_text():
    """2,000 tokens of 300 bytes of framing each: 700 KiB of stream, 6 kB of text."""
    framed = [
        event(delta={"content": "字"}, index=0, logprobs={"padding": "x" * 300}, finish_reason=None)
        for _ in range(2000)
    ]
    reply, _ = await stream(*framed, piece("", "stop"), DONE, deadline_s=20)
    assert reply.texts == ("字" * 2000,)


@pytest.mark.parametrize(
    ("pieces", "what"),
    [
        ([piece("x" * 30_000)] * 9, "The text is longer than 256 KiB"),
        ([event(delta={}, padding="x" * 262_144)], "An event is longer than 256 KiB"),
        ([b": " + b"x" * 60_000 + b"\n"] * 80, "The answer is longer than 4096 KiB"),
    ],
)
async def test_text_event_and_raw_bytes_of_a_stream_have_limits_of_their_own(pieces, what):
    failure, _ = await stream(*pieces, piece("", "stop"), DONE, deadline_s=20)
    assert failure.kind == "too_long"
    assert what in failure.detail.in_english


ERRORS = [
    ({"error": {"message": "CUDA out of memory", "type": "server_error", "code": 500}}, "CUDA out of memory"),
    ({"error": "model not found"}, "model not found"),
    ({"error": {"code": 7}}, '{"code": 7}'),
    ({"object": "error", "message": "too many tokens", "code": 400}, "too many tokens"),
]


@pytest.mark.parametrize(("error", "message"), ERRORS)
async def test_an_error_within_a_stream_keeps_its_message(error, message):
    failure, _ = await stream(piece("您好" * 1000), f"data: {json.dumps(error)}\n\n".encode(), DONE)
    assert failure.kind == "bad_shape"
    assert failure.detail.in_english.endswith(message)
    assert failure.evidence == json.dumps(error)


@pytest.mark.parametrize(("error", "message"), ERRORS)
async def test_an_error_in_place_of_an_answer_keeps_its_message(error, message):
    failure, _ = await whole(json.dumps(error).encode())
    assert (failure.kind, failure.status) == ("bad_shape", 200)
    assert failure.detail.in_english.endswith(message)
    assert failure.evidence == json.dumps(error)


async def test_an_error_that_is_null_is_none():
    body = json.loads(message(content="好"))
    reply, _ = await whole(json.dumps({**body, "error": None}).encode())
    assert reply.texts == ("好",)


SILENT = [{"content": None}, {"content": ""}, {}, {"content": None, "reasoning_content": "想一想"}]


@pytest.mark.parametrize("said", SILENT)
async def test_a_message_without_content_is_an_empty_reply_whole_and_streamed(said):
    heard = []
    plain, _ = await whole(message(**said))
    streamed, _ = await stream(event(delta=said), piece("", "stop"), DONE, heard=heard)
    assert plain.texts == streamed.texts == ("",)
    assert "".join(heard) == ""


async def test_what_a_model_thinks_before_it_speaks_is_neither_shown_nor_counted():
    thinking = event(delta={"content": None, "reasoning_content": "想" * 1000})
    heard = []
    streamed, _ = await stream(*[thinking] * 200, piece("好"), piece("", "stop"), DONE, heard=heard, deadline_s=20)
    plain, _ = await whole(message(content="好", reasoning_content="想" * 1000))
    assert streamed.texts == plain.texts == ("好",)
    assert "".join(heard) == "好"


TOOLS = [
    {"tool_calls": [{"index": 0, "id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
    {"function_call": {"name": "f", "arguments": "{}"}},
]


@pytest.mark.parametrize("tools", TOOLS)
async def test_a_call_of_tools_without_content_is_a_bad_shape_that_says_so(tools):
    plain, _ = await whole(message(content=None, **tools))
    streamed, _ = await stream(
        event(delta={"content": None, **tools}), event(delta={}, finish_reason="tool_calls"), DONE
    )
    assert (plain.kind, streamed.kind) == ("bad_shape", "bad_shape")
    assert plain.detail.in_english == streamed.detail.in_english
    assert "calls tools" in plain.detail.in_english


@pytest.mark.parametrize("tools", TOOLS)
async def test_content_beside_a_call_of_tools_is_the_reply(tools):
    plain, _ = await whole(message(content="稍等", **tools))
    streamed, _ = await stream(piece("稍等"), event(delta=tools), event(delta={}, finish_reason="tool_calls"), DONE)
    assert plain.texts == streamed.texts == ("稍等",)


async def test_no_choice_at_all_is_no_answer_whole_and_streamed():
    plain, _ = await whole(b'{"choices": []}')
    outcomes = [plain]
    for pieces in [[], [DONE], [b": ping\n\n"], [b'data: {"choices": [], "usage": {}}\n\n', DONE]]:
        streamed, _ = await stream(*pieces)
        outcomes.append(streamed)
    assert [failure.kind for failure in outcomes] == ["empty"] * 5


async def test_role_only_deltas_comments_empty_events_and_empty_finish_reasons_are_passed_over():
    opening = event(delta={"role": "assistant", "content": ""}, finish_reason="")
    reply, _ = await stream(
        b'data: {"choices": [], "prompt_filter_results": []}\n\n',
        b": OPENROUTER PROCESSING\r\n\r\n",
        opening,
        b"event: message\ndata:\n\n",
        piece("好").replace(b"\n", b"\r\n"),
        event(delta=None, finish_reason="stop"),
        DONE,
    )
    assert reply.texts == ("好",)


@pytest.mark.parametrize("finish", [None, ""])
async def test_a_stream_that_ends_without_a_finish_reason_broke_off(finish):
    failure, _ = await stream(piece("您好", finish))
    assert failure.kind == "bad_shape"
    assert "broke off" in failure.detail.in_english


@pytest.mark.parametrize("ending", [[CLOSE], [60]])
async def test_a_stream_without_its_done_mark_ends_with_the_finish_reason(ending):
    """One server closes, another keeps the connection open and says nothing more."""
    reply, _ = await stream(piece("您"), piece("好", "stop"), *ending, deadline_s=10)
    assert reply.texts == ("您好",)
    assert reply.latency_ms < 5000


@pytest.mark.parametrize("end", [piece("", "stop"), piece("", "stop") + DONE])
async def test_a_reply_that_ends_just_within_its_deadline_is_one_and_our_waiting_for_more_is_not_its_latency(end):
    reply, _ = await stream(0.7, piece("您好"), end, 60, deadline_s=1)
    assert reply.texts == ("您好",)
    assert 650 < reply.latency_ms < 1000


async def test_what_follows_a_finish_reason_cannot_prolong_the_reading_for_ever():
    more = [0.3, piece("吗")] * 40
    reply, _ = await stream(piece("您好", "stop"), *more, deadline_s=20)
    assert len(reply.texts[0]) < 8


async def test_what_comes_right_behind_a_finish_reason_still_counts_and_what_comes_behind_done_does_not():
    reply, _ = await stream(piece("您", "stop"), 0.2, piece("好", "stop"), DONE, piece("吗"))
    assert reply.texts == ("您好",)


@pytest.mark.parametrize("base", ["v1", "v1/", "openai/v1", "v1/chat/completions"])
@pytest.mark.parametrize("protocol", ["openai", "openai-plain"])
async def test_a_base_address_means_its_chat_completions(protocol, base):
    async with raw_bot(http(message(content="好"), "Content-Type: application/json")) as bot:
        reply = await reply_to(call_of(bot, "x", protocol=protocol, url=bot.url + base), ("127.0.0.1", bot.port))
    assert reply.texts == ("好",)
    assert bot.paths == ["/" + base.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"]


async def test_an_address_that_is_no_base_is_called_as_it_is():
    async with raw_bot(http(message(content="好"))) as bot:
        await reply_to(call_of(bot, "x", protocol="openai-plain", url=bot.url + "chat/v12"), ("127.0.0.1", bot.port))
    assert bot.paths == ["/chat/v12"]


async def asked_for(text="订票", **named):
    _, asked = await whole(message(content="好"), text=text, **named)
    return asked[0]["messages"]


async def test_the_context_follows_the_bots_own_words_in_one_system_message():
    """Chat templates of many models refuse a second system message."""
    context = Context({"kb": "“甲”\n"}, "资料：{context}")
    said = await asked_for(options={"system": 'Say "ok".'}, context=context)
    system = {"role": "system", "content": 'Say "ok".\n\n资料：{"kb":"“甲”\\n"}'}
    assert said == [system, {"role": "user", "content": "订票"}]


async def test_without_words_of_the_bots_own_the_context_is_the_system_message():
    said = await asked_for(context=Context({"a": 1}))
    assert said[0] == {"role": "system", "content": '{"a":1}'}


async def test_a_campaign_without_words_for_the_context_sends_none():
    assert await asked_for(context=Context({"a": 1}, "")) == [{"role": "user", "content": "订票"}]


async def test_a_bot_that_opens_the_dialogue_is_told_by_the_system_message_alone():
    said = await asked_for("", turn=0, options={"system": "Greet."})
    assert said == [{"role": "system", "content": "Greet."}]


async def test_a_bot_that_opens_without_a_system_message_gets_an_empty_user_message():
    assert await asked_for("", turn=0) == [{"role": "user", "content": ""}]


async def test_who_wants_the_user_to_open_gets_that_message_on_every_turn():
    options = {"opening": "(开始)"}
    opened = [{"role": "user", "content": "(开始)"}]
    assert await asked_for("", turn=0, options=options) == opened
    history = History((Utterance("bot", "您好"),))
    later = await asked_for(turn=1, options=options, history=history)
    assert [one["content"] for one in later] == ["(开始)", "您好", "订票"]
    heard_first = History((Utterance("user", "你好"), Utterance("bot", "您好")))
    assert (await asked_for(options=options, history=heard_first))[0]["content"] == "你好"


@pytest.mark.parametrize("base", ["http://a.example/api/v3", "http://a.example/api/paas/v4/"])
def test_a_base_may_end_in_any_version(base):
    assert endpoint_of(base) == base.rstrip("/") + "/chat/completions"


async def test_one_json_object_for_a_stream_is_read_however_its_type_is_written():
    body = http(message(content="您好"), "Content-Type: Application/JSON; charset=utf-8")
    reply, _ = await ask_raw("openai", body, path="v1/chat/completions")
    assert reply.texts == ("您好",)


def test_the_list_of_its_models_speaks_for_it():
    listed = Heard(200, {}, b'{"object": "list", "data": [{"id": "m"}]}')
    assert [clue_in({question: listed}).in_english for question in MODELS] == [
        "It lists models as OpenAI-compatible servers do."
    ] * 2
    assert clue_in({MODELS[0]: Heard(200, {}, b'{"object": "list"')}) is clue_in({}) is None
