"""ConvLab's agents, which keep nothing themselves."""

import json

import pytest

from participants.adapters import ADAPTERS, Context, History
from participants.adapters.convlab import reply_of, request_of
from tests.fakes.convlab_bot import convlab_bot
from tests.fakes.raw_bots import http
from tests.participants.talking import ask_raw, call_of, talk

BEGUN = History(state={"belief_state": {"日期": None}, "last": [[]]})


async def say(bot, text, state, **named):
    return await talk(bot, text, protocol="convlab", history=History(state=state), **named)


async def test_two_dialogues_that_take_turns_stay_apart():
    with convlab_bot() as bot:
        one = await say(bot, "去上海", None)
        other = await say(bot, "去广州", None)
        one = await say(bot, "明天", one.state)
        other = await say(bot, "后天", other.state)
    assert (one.texts, other.texts) == (("2 / 去上海 / 明天",), ("2 / 去广州 / 后天",))
    assert one.state == {"belief_state": {"n": 2}, "history": ["去上海", "明天"]}


async def test_an_agent_that_says_nothing_gives_an_empty_reply():
    with convlab_bot() as bot:
        assert (await say(bot, "nothing", None)).texts == ("",)


def asked(**named):
    return json.loads(request_of(call_of(None, "你好", url="http://a.example/", **named)))


def test_an_empty_object_begins_a_dialogue_and_a_state_goes_on_with_it():
    assert asked() == {"input": "你好", "agent_state": {}, "language": "zh"}
    assert asked(history=BEGUN)["agent_state"] == {"belief_state": {"日期": None}, "last": [[]]}
    assert asked(history=History(state=[None, 1]))["agent_state"] == [None, 1]


def test_language_and_a_context_where_there_is_one_travel_beside_the_two_fields():
    assert asked(context=Context({"kb": ["京沪线"]}), language="en") == {
        "input": "你好", "agent_state": {}, "language": "en", "context": {"kb": ["京沪线"]},
    }  # fmt: skip


def test_whoever_opens_the_dialogue_is_sent_the_opening_words():
    assert asked(turn=0, options={"opening": "开始"})["input"] == "开始"
    assert asked(turn=0, options={"opening": "开始"}, history=BEGUN)["agent_state"] == BEGUN.state


def test_an_agent_without_a_state_has_the_empty_one_again():
    assert reply_of({"response": "好"}).state is None


@pytest.mark.parametrize("body", [[], {}, {"response": None}, {"response": 1}, {"agent_state": {}}])
async def test_what_is_no_response_is_a_bad_shape(body):
    failure, _ = await ask_raw("convlab", http(json.dumps(body).encode()))
    assert failure.kind == "bad_shape"


async def test_a_state_beyond_the_limit_is_a_bad_shape_and_no_reply():
    body = {"response": "好", "agent_state": "x" * 65_535}
    failure, _ = await ask_raw("convlab", http(json.dumps(body).encode()))
    assert (failure.kind, failure.detail.in_english[:6]) == ("bad_shape", "state:")


def test_nothing_is_asked_of_it_beforehand():
    """A GET ends the worker of the agent that ConvLab deploys, where its Flask is old."""
    assert ADAPTERS["convlab"].questions == ()
