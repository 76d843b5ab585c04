"""A home-made protocol, against a server that writes its bytes one by one."""

import json
import threading

import pytest

from participants.adapters import ADAPTERS, BotAddress, BotCall, Context, History, Utterance
from participants.adapters.mapping import _Reading
from participants.adapters.shown_requests import request_of
from participants.bot_form import read_address
from participants.mappings import PRESETS, mapping_of
from participants.mappings.steps import Steps
from reading.checking import BadForm
from tests.fakes.raw_bots import CLOSE, http
from tests.participants.talking import ask_raw

ASKED = '{"q": "{{text}}", "id": "{{dialogue}}", "state": "{{state}}"}'
SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
LINES = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
STREAM = {"request": ASKED, "stream_kind": "sse", "delta": "text", "done": "last"}


async def whole(body, *, said="订票", history=None, **options):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"request": ASKED} | options
    return await ask_raw("mapping", http(content), options=given, text=said, history=history or History())


def data(*events):
    return b"".join(b"data: %s\n\n" % json.dumps(event).encode() for event in events)


async def streamed(*pieces, heard=None, head=SSE, **options):
    return await ask_raw("mapping", [head, *pieces, CLOSE], options=STREAM | options, heard=heard)


# -- in one piece -------------------------------------------------------------------------------------------------


async def test_what_the_template_says_is_sent_and_what_the_path_finds_is_the_reply():
    reply, asked = await whole({"data": {"answer": "您好"}}, reply="data.answer")
    assert reply.texts == ("您好",)
    assert asked == [{"q": "订票", "id": "d-1", "state": None}]


async def test_no_word_of_a_tester_leaves_its_place_in_the_request():
    said = '", "admin": true, "x": "{{secret}}'
    _, asked = await whole({"a": "好"}, reply="a", said=said)
    assert asked == [{"q": said, "id": "d-1", "state": None}]


async def test_several_replies_are_several_bubbles_and_none_is_an_empty_reply():
    reply, _ = await whole({"all": [{"t": "一"}, {"t": "二"}]}, replies="all[].t")
    assert reply.texts == ("一", "二")
    reply, _ = await whole({"all": []}, replies="all[].t")
    assert reply.texts == ("",)


async def test_end_and_state_are_read_and_the_state_comes_back():
    reply, _ = await whole({"a": "再见", "over": 1, "s": {"n": 1}}, reply="a", end="over == `1`", state="s")
    assert (reply.end, reply.state) == (True, {"n": 1})
    _, asked = await whole({"a": "好"}, reply="a", history=History(state={"n": 1}))
    assert asked[0]["state"] == {"n": 1}


@pytest.mark.parametrize(
    ("body", "options", "detail"),
    [
        ({"b": "x"}, {"reply": "a"}, "reply: found nothing in the answer"),
        ({"a": 3}, {"reply": "a"}, "reply: must be a text, not a number"),
        ({"a": ["x", 1]}, {"replies": "a"}, "replies[1]: must be a text, not a number"),
        ({"a": "x", "e": "yes"}, {"reply": "a", "end": "e"}, 'end: must be true or false, not "yes"'),
        ({"a": "x", "e": 3}, {"reply": "length(e)"}, "reply: cannot be applied: "),
        (
            {"code": 5, "msg": "no"},
            {"reply": "a", "error": "code != `0` && msg"},
            "body: is an error of the system's: no",
        ),
        (
            {"error": {"message": "no", "n": 1}},
            {"reply": "a", "error": "error"},
            "body: is an error of the system's: no",
        ),
        ({"error": {"n": 1}}, {"reply": "a", "error": "error"}, 'body: is an error of the system\'s: {"n": 1}'),
        ({"error": {"message": "no"}}, {"reply": "a", "error": "error"}, "body: is an error of the system's: no"),
    ],
)
async def test_what_a_path_does_not_find_is_named_by_its_field(body, options, detail):
    failure, _ = await whole(body, **options)
    assert failure.kind == "bad_shape"
    assert failure.detail.in_english.startswith(detail)


@pytest.mark.parametrize("nothing", [None, False, "", {}, 0])
async def test_an_error_that_is_nothing_is_none(nothing):
    reply, _ = await whole({"a": "好", "error": nothing}, reply="a", error="error")
    assert reply.texts == ("好",)


# Each part of these paths looks at each of the lists.
TOILSOME = "|".join(["all", *["[?!@]"] * 15])


@pytest.fixture
def few_steps(monkeypatch):
    monkeypatch.setattr("participants.adapters.mapping.STEPS_OF_AN_ANSWER", 5000)


async def test_a_path_that_takes_too_long_is_named_by_its_field(few_steps):
    failure, _ = await whole({"all": [[]] * 500}, reply="a", end=TOILSOME)
    assert (failure.kind, failure.detail.in_english) == (
        "bad_shape",
        "end: takes too long: at most 5000 steps are allowed",
    )


async def test_the_events_of_a_stream_share_one_limit(few_steps):
    """Two of these events take less, ten take more."""
    event = {"text": "a", "all": [[]] * 20}
    reply, _ = await streamed(data(*[event] * 2, {"last": True}), end=f"{TOILSOME} == 'x'")
    assert reply.texts == ("aa",)
    failure, _ = await streamed(data(*[event] * 10), end=f"{TOILSOME} == 'x'")
    assert failure.detail.in_english == "end: takes too long: at most 5000 steps are allowed"


@pytest.mark.parametrize(("n_lists", "is_apart"), [(10, False), (2000, True)])
async def test_paths_are_applied_to_much_beside_the_event_loop(n_lists, is_apart):
    threads = set()

    class Seen(Steps):
        def take(self, n):
            threads.add(threading.current_thread())
            super().take(n)

    steps = Seen(500_000)
    reading = _Reading(mapping_of({"request": "{}", "reply": "a", "end": f"{TOILSOME} == 'x'"}), steps=steps)
    document = {"all": [[]] * n_lists, "a": "好"}
    heard = await reading.apart(reading.hear_whole, document, len(json.dumps(document)))
    assert heard.texts == ("好",)
    assert (threading.main_thread() not in threads) is is_apart


# -- the request --------------------------------------------------------------------------------------------------


def rebuilt(options, **named):
    bot = BotAddress("mapping", "https://bot.example/chat?v=1", "s3cret", options)
    call = BotCall(bot, "d", named.pop("turn", 2), named.pop("text", "好"), "d:2", **named)
    return request_of(call, ADAPTERS)


def test_the_secret_is_a_bearer_token_unless_the_mapping_says_where_it_goes():
    plain = {"request": ASKED, "reply": "a"}
    assert rebuilt(plain).headers == {"Idempotency-Key": "d:2", "Authorization": "Bearer s3cret"}
    own = rebuilt(plain | {"headers": "X-Api-Key: {{secret}}\nidempotency-key: {{dialogue}}"})
    assert own.headers == {"X-Api-Key": "s3cret", "idempotency-key": "d"}
    within = rebuilt({"request": '{"token": "{{secret}}"}', "reply": "a"})
    assert (json.loads(within.content), within.headers) == ({"token": "s3cret"}, {"Idempotency-Key": "d:2"})


def test_parameters_are_added_to_the_address():
    options = {"request": ASKED, "reply": "a", "query": "id: {{state}}\nlang: {{language}}"}
    assert rebuilt(options).url == "https://bot.example/chat?v=1&lang=zh"
    assert rebuilt(options, history=History(state="a b&c")).url == "https://bot.example/chat?v=1&id=a+b%26c&lang=zh"


def test_what_a_campaign_gives_a_bot_has_a_place():
    options = {"request": '{"c": "{{context}}", "m": "{{messages}}", "l": "{{language}}"}', "reply": "a"}
    said = History([Utterance("bot", "您好")])
    request = rebuilt(options, context=Context({"kb": 1}, "KB: {context}"), history=said, language="en")
    assert json.loads(request.content) == {
        "c": {"kb": 1},
        "l": "en",
        "m": [
            {"role": "system", "content": 'KB: {"kb":1}'},
            {"role": "assistant", "content": "您好"},
            {"role": "user", "content": "好"},
        ],
    }


def test_a_bot_that_opens_is_told_the_opening():
    options = {"request": '{"q": "{{text}}", "m": "{{messages}}"}', "reply": "a"}
    assert json.loads(rebuilt(options, turn=0, text="").content) == {"q": "", "m": []}
    opened = rebuilt(options | {"opening": "/start"}, turn=0, text="")
    assert json.loads(opened.content) == {"q": "/start", "m": [{"role": "user", "content": "/start"}]}


async def test_a_mapping_that_cannot_be_used_sends_nothing():
    failure, asked = await whole({"a": "x"}, reply="a[")
    assert (failure.kind, failure.reached_bot, asked) == ("bad_shape", False, [])
    failure, asked = await whole({"a": "x"}, reply="a", headers="X-S: {{state}}", history=History(state="名"))
    assert (failure.kind, failure.reached_bot, asked) == ("bad_shape", False, [])
    assert rebuilt({}) is None


# -- streams ------------------------------------------------------------------------------------------------------


async def test_parts_are_shown_as_they_come():
    heard = []
    reply, _ = await streamed(data({"text": "您"}), 0.01, data({"text": "好"}, {"last": True}), heard=heard)
    assert (reply.texts, heard) == (("您好",), ["您", "好"])


async def test_whole_texts_are_turned_into_parts():
    heard, events = [], [{"text": "您"}, {"text": "您好"}, {"text": "您好！", "last": True}]
    reply, _ = await streamed(data(*events), heard=heard, cumulative=True)
    assert (reply.texts, heard) == (("您好！",), ["您", "好", "！"])


async def test_a_text_that_is_rewritten_is_stored_as_it_became():
    heard, events = [], [{"text": "您坏"}, {"text": "您好"}, {"text": "您坏人", "last": True}]
    reply, _ = await streamed(data(*events[:2], {"last": True}), heard=heard, cumulative=True)
    assert (reply.texts, heard) == (("您好",), ["您坏"])
    reply, _ = await streamed(data(*events), heard=heard, cumulative=True)
    assert (reply.texts, heard[1:]) == (("您坏人",), ["您坏", "人"])


async def test_the_reply_within_a_stream_takes_the_place_of_its_parts():
    heard, events = [], [{"text": "坏"}, {"whole": "好"}, {"last": True}]
    reply, _ = await streamed(data(*events), heard=heard, reply="whole")
    assert (reply.texts, heard) == (("好",), ["坏"])


async def test_lines_of_json_are_a_stream_too():
    heard = []
    content = '{"text": "您"}\n{"text": "好"}\n\n{"last": true}'.encode()
    reply, _ = await streamed(content[:9], 0.01, content[9:], head=LINES, stream_kind="ndjson", heard=heard)
    assert (reply.texts, heard) == (("您好",), ["您", "好"])


async def test_the_name_of_an_event_can_be_asked_for():
    content = b'event: ping\n\nevent:delta\ndata:{"text": "a"}\n\nevent: other\ndata: {"text": "b"}\n\nevent: end\ndata: 1\n\n'
    reply, _ = await streamed(content, delta="event == 'delta' && text", done="event == 'end'")
    assert reply.texts == ("a",)


@pytest.mark.parametrize("mark", [b"[DONE]", b'"[DONE]"'])
async def test_the_usual_mark_ends_any_stream(mark):
    reply, _ = await streamed(data({"text": "好"}) + b"data: %b\n\n" % mark)
    assert reply.texts == ("好",)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (data({"text": "您好"}), "bad_shape"),
        (b"", "empty"),
        (b"data: {no\n\n", "bad_json"),
        (data({"text": 7}), "bad_shape"),
        (data({"text": "您"}, {"oops": "CUDA"}), "bad_shape"),
        (b"data: [DONE]\n\n", "empty"),
    ],
)
async def test_a_stream_that_breaks_off_or_breaks_the_mapping_is_a_failure(content, kind):
    failure, _ = await streamed(content, error="oops")
    assert failure.kind == kind


async def test_a_stream_whose_end_has_no_mark_ends_with_its_connection():
    options = {"request": ASKED, "stream_kind": "sse", "delta": "text"}
    reply, _ = await ask_raw("mapping", [SSE, data({"text": "您好"}), CLOSE], options=options)
    assert reply.texts == ("您好",)


async def test_a_server_that_does_not_stream_is_read_whole():
    body = http(b'{"text": "\xe5\xa5\xbd"}', "Content-Type: application/json; charset=utf-8")
    reply, _ = await ask_raw("mapping", body, options=STREAM)
    assert reply.texts == ("好",)


async def test_state_and_end_of_a_stream_are_the_last_that_were_said():
    events = data({"text": "a", "s": "1"}, {"text": "b", "s": "2", "bye": True}, {"last": True})
    reply, _ = await streamed(events, state="s", end="bye")
    assert (reply.texts, reply.state, reply.end) == (("ab",), "2", True)


# -- what is typed ------------------------------------------------------------------------------------------------


def wrong_in(**options):
    said = {"url": "https://a.example/", "protocol": "mapping", "options": options}
    with pytest.raises(BadForm) as bad:
        read_address(said, ADAPTERS)
    return {problem.place.removeprefix("options."): problem.message for problem in bad.value.problems}


def test_every_problem_of_a_mapping_is_named_by_its_field_at_once():
    assert set(wrong_in()) == {"request", "reply"}
    assert set(wrong_in(request="{", headers="x", query="y", reply="a[", end="(", stream_kind="both")) == {
        "request", "headers", "query", "reply", "end", "stream_kind",
    }  # fmt: skip
    assert set(wrong_in(request="{}", stream_kind="sse")) == {"delta"}
    assert set(wrong_in(request="{}", reply="a", replies="b")) == {"replies"}
    assert set(wrong_in(request="{}", reply="a", delta="b", done="c", cumulative=True)) == {
        "delta", "done", "cumulative",
    }  # fmt: skip
    assert set(wrong_in(request="{}", reply="a", mood="b")) == {"mood"}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.key)
def test_every_preset_is_a_mapping(preset):
    scheme = "wss" if preset.key == "websocket" else "https"
    said = {"url": f"{scheme}://a.example/", "protocol": "mapping", "options": dict(preset.options)}
    assert read_address(said, ADAPTERS).options == preset.options
    assert mapping_of(preset.options).request


def preset(key):
    return dict(next(one.options for one in PRESETS if one.key == key))


async def test_the_preset_for_convlab_carries_the_state_of_the_agent():
    reply, asked = await ask_raw(
        "mapping", http(b'{"response": "ok", "agent_state": {"n": 1}}'), options=preset("convlab")
    )
    assert (reply.texts, reply.state, asked) == (("ok",), {"n": 1}, [{"input": "订票", "agent_state": {}}])


async def test_the_preset_for_ollama_reads_its_lines():
    lines = b'{"message": {"role": "assistant", "content": "a"}, "done": false}\n{"message": {"content": "b"}, "done": true}\n'
    reply, asked = await ask_raw("mapping", [LINES, lines, CLOSE], options=preset("ollama"))
    assert (reply.texts, asked[0]["messages"]) == (("ab",), [{"role": "user", "content": "订票"}])
