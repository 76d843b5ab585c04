"""What is carried of a bot's state, and what is refused."""

import json

import pytest

from participants.adapters import Adapter, History, Reply, Utterance
from participants.adapters.asking import ask
from participants.adapters.calls import STATE_LIMIT_BYTES, read_again, written
from participants.failures import BotFailure
from participants.outbound import Door
from tests.participants.talking import call_of

LARGEST = "好" * ((STATE_LIMIT_BYTES - 2) // 3)


@pytest.mark.parametrize(
    "state",
    [{}, [], 0, "", False, {"槽": ["京", None, 1.5, -(2**70)]}, "a\0b", {"b": 1, "a": {"d": 2, "c": 3}}, LARGEST],
)
def test_a_state_comes_back_as_it_was_in_the_same_order(state):
    text = written(state)
    assert json.dumps(read_again(text)) == json.dumps(state)
    assert "\0" not in text, "PostgreSQL stores no NUL"


@pytest.mark.parametrize("state", [LARGEST + "xxx", {"half": "\ud83d"}])
def test_one_that_is_too_large_or_no_text_is_a_bad_shape(state):
    with pytest.raises(BotFailure) as refused:
        written(state)
    assert (refused.value.kind, refused.value.fault) == ("bad_shape", "bot")
    assert refused.value.detail.in_english.startswith("state: ")


async def _ask(state):
    async def send(call, line, on_delta):
        return Reply(("好",), state=state)

    door = Door()
    try:
        call = call_of(None, "x", protocol="stateful", url="http://bot.example/")
        return await ask(call, door, print, {"stateful": Adapter(send)})
    finally:
        await door.close()


async def test_a_reply_whose_state_is_too_large_is_no_reply():
    with pytest.raises(BotFailure) as refused:
        await _ask({"seen": LARGEST})
    (only,) = refused.value.tries
    assert (only.kind, only.has_left, only.evidence[:8]) == ("bad_shape", True, '{"seen":')


async def test_one_that_fits_is_given_back():
    assert (await _ask({"n": 1})).state == {"n": 1}


def test_a_history_counts_its_latest_state_only():
    said = Utterance("bot", "好的")
    first = History().and_then(said, state={"a": 1})
    second = first.and_then(said, state=[0])
    assert (first.n_characters, second.n_characters, second.and_then(said).n_characters) == (2 + 7, 4 + 3, 6)
    assert second.state == [0]
    assert second.and_then(said).state is None
