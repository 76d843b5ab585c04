"""The strict reading that all adapters share."""

import json

import pytest
from django.utils import translation

from participants.adapters import ADAPTERS, BotAddress, BotCall, Context, History, Utterance, chat, native, openai
from participants.adapters.calls import bearer, json_of, list_of, object_of, text_of, to_json
from participants.failures import BotFailure


@pytest.mark.parametrize(
    ("read", "value", "detail"),
    [
        (text_of, None, "x: must be a text, not null"),
        (text_of, 3, "x: must be a text, not a number"),
        (text_of, True, "x: must be a text, not true or false"),
        (text_of, "a\ud800", "x: holds a NUL character or half a surrogate pair, which cannot be stored"),
        (text_of, "a\x00", "x: holds a NUL character or half a surrogate pair, which cannot be stored"),
        (object_of, ["a"], "x: must be an object, not a list"),
        (list_of, {"a": 1}, "x: must be a list, not an object"),
        (list_of, "a", "x: must be a list, not a text"),
    ],
)
def test_a_value_of_another_shape_is_named_by_its_place(read, value, detail):
    with pytest.raises(BotFailure) as failed:
        read(value, "x")
    assert (failed.value.kind, failed.value.detail.in_english) == ("bad_shape", detail)


@pytest.mark.parametrize(
    ("content", "kind", "english", "chinese"),
    [
        (b'{"text" 1}', "bad_json", "line 1, column 9: is not JSON: Expecting ':' delimiter", "第 1 行第 9 列: 不是 JSON"),
        (b"[NaN]", "bad_json", "body: is not usable JSON: NaN is not JSON", ""),
        (b"[]", "bad_shape", "body: must be an object, not a list", "必须是对象，不能是列表"),
        (b'{"text": 5}', "bad_shape", "text: must be a text, not a number", "text: 必须是文本，不能是数字"),
        (b'{"texts": ["a", {}]}', "bad_shape", "texts[1]: must be a text, not an object", "texts[1]: 必须是文本，不能是对象"),
    ],
)  # fmt: skip
async def test_an_answer_that_is_none_is_logged_in_english_and_said_in_the_readers_language(
    content, kind, english, chinese
):
    with pytest.raises(BotFailure) as failed, translation.override("zh-hans"):
        native.reply_of(await json_of(content))
    assert (failed.value.kind, failed.value.detail.in_english) == (kind, english)
    with translation.override("zh-hans"):
        assert chinese in str(failed.value.detail)


@pytest.mark.parametrize("size", [1, 100_000])
async def test_json_is_read_strictly_whatever_its_size(size):
    padding = "字" * size
    assert await json_of(json.dumps({"text": padding}).encode()) == {"text": padding}
    for bad in (f'{{"a": "{padding}", "a": 1}}', f'["{padding}", NaN]', f'["{padding}"'):
        with pytest.raises(BotFailure) as failed:
            await json_of(bad.encode())
        assert (failed.value.kind, failed.value.fault) == ("bad_json", "bot")


def said(n_turns: int) -> list[Utterance]:
    return [Utterance(role, f'{role} {turn}: "好"\n') for turn in range(n_turns) for role in ("user", "bot")]


@pytest.mark.parametrize(
    "request_of",
    [lambda call: native.request_of(call, 5.0), lambda call: openai.request_of(call, stream=False)],
    ids=["huace/1", "openai"],
)
def test_a_history_that_grew_is_sent_as_one_that_was_read_at_once(request_of):
    growing = History()
    for mine, bots in batched(said(5)):
        json.loads(request_of(call_with(growing)))
        growing = growing.and_then(mine, bots)
    assert request_of(call_with(growing)) == request_of(call_with(History(said(5))))
    assert growing == History(said(5))
    assert growing.n_characters == History(said(5)).n_characters == sum(len(one.text) for one in said(5))


@pytest.mark.parametrize("protocol", ["huace/1", "openai", "openai-plain", "ollama", "rasa", "convlab"])
async def test_a_turn_encodes_none_of_what_was_said_before(protocol, monkeypatch):
    """Neither the 500th turn nor a retry of it costs more than the second (no protocol encodes a history anew)."""
    n_encoded = []
    for adapter, form in ((native, "said_before"), (chat, "message_of")):
        usual = getattr(adapter, form)
        monkeypatch.setattr(adapter, form, lambda said, usual=usual: n_encoded.append(1) or usual(said))
    line = Line()
    history = History(said(500))
    with pytest.raises(Sent):
        await ADAPTERS[protocol].send(call_with(history, protocol), line, print)
    n_encoded.clear()
    longer = history.and_then(*said(1))
    for _ in range(3):
        with pytest.raises(Sent):
            await ADAPTERS[protocol].send(call_with(longer, protocol), line, print)
    assert len(n_encoded) <= 2


class Sent(Exception):
    pass


class Line:
    left_s = 1.0

    def post(self, url, content, headers):
        raise Sent(content)


def batched(utterances):
    return zip(utterances[::2], utterances[1::2], strict=True)


def call_with(history: History, protocol: str = "huace/1") -> BotCall:
    return BotCall(BotAddress(protocol, "http://b/"), "d", 3, "jetzt", "d:3", history, deadline_s=5)


def test_a_bot_without_a_secret_gets_no_authorization():
    assert bearer("") == {}
    assert bearer("s3cret") == {"Authorization": "Bearer s3cret"}


def test_the_context_in_words_is_compact_json_in_its_own_language_within_the_campaigns_words():
    assert Context({"城市": "成都", "n": [1, 2]}, "只用这些：{context}，{city} 照写。").in_words == (
        '只用这些：{"城市":"成都","n":[1,2]}，{city} 照写。'
    )


def test_no_context_or_no_words_of_the_campaign_say_nothing():
    assert Context({}, "Facts: {context}").in_words == ""
    assert Context({"a": 1}, "").in_words == ""


def test_a_context_is_encoded_once_per_form():
    n_times = []
    context = Context({"a": 1})

    def form(context):
        n_times.append(1)
        return to_json(context.given)

    assert [context.encoded(form) for _ in range(3)] == [b'{"a":1}'] * 3
    assert len(n_times) == 1
