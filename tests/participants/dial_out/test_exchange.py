"""Turns that wait for their bots, without any adapter; tests/participants/test_dial_out.py has whole turns."""

import pytest

from participants.dial_out import exchange as exchanges
from participants.dial_out.exchange import Exchange, current
from participants.dial_out.frames import bot_frame
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence


class Socket:
    def __init__(self):
        self.handed = []

    def hand(self, frame):
        self.handed.append(frame)

    def replace(self):
        self.handed.append("replaced")


FRAME = '{"type":"turn","id":"t1","again":false,"deadline_ms":1000}'


async def test_a_turn_is_over_when_its_block_ends():
    exchange, socket = Exchange(), Socket()
    exchange.enter("b", socket)
    with exchange.open("b", "t1", FRAME, 1.0):
        assert exchange.has_turn("t1")
        assert socket.handed == [FRAME]
    assert not exchange.has_turn("t1")
    assert not exchange.hear("b", bot_frame({"type": "reply", "id": "t1", "text": "x"}))


async def test_turns_of_other_bots_are_not_handed_to_a_socket_that_comes():
    exchange, socket = Exchange(), Socket()
    with exchange.open("a", "t1", FRAME, 1.0):
        exchange.enter("b", socket)
        assert socket.handed == []


async def test_a_bot_that_enters_again_with_the_same_socket_replaces_nothing():
    exchange, socket = Exchange(), Socket()
    exchange.enter("b", socket)
    exchange.enter("b", socket)
    assert socket.handed == []


async def test_what_is_elsewhere_is_searched_and_the_search_ends_with_the_turn():
    class Elsewhere:
        async def follow(self, turn):
            turn.lose()

        def end(self, turn):
            ended.append(turn.turn_id)

    exchange, ended = Exchange(), []
    exchange.elsewhere = Elsewhere()
    with exchange.open("b", "t1", FRAME, 1.0) as turn:
        with pytest.raises(BotFailure) as lost:
            await turn.heard()
        assert lost.value.reached_bot is False
    assert turn.search is None
    assert ended == ["t1"]


async def test_what_a_bot_says_about_a_turn_is_limited_in_all_and_nothing_is_heard_after_that(monkeypatch):
    monkeypatch.setattr(exchanges, "SAID_LIMIT_CHARACTERS", 100)
    exchange = Exchange()
    with exchange.open("b", "t1", FRAME, 1.0) as turn:
        for _ in range(10):
            exchange.hear("b", bot_frame({"type": "delta", "id": "t1", "text": "x"}, 40))
        assert [(await turn.heard()).kind for _ in range(2)] == ["delta", "delta"]
        with pytest.raises(BotFailure) as too_long:
            await turn.heard()
        assert (too_long.value.kind, turn._heard.qsize()) == ("too_long", 0)


async def test_a_turn_fails_under_its_own_bot_alone():
    exchange = Exchange()
    with exchange.open("b", "t1", FRAME, 1.0) as turn:
        for bot, turn_id in (("a", "t1"), ("b", "t2")):
            exchange.fail(bot, turn_id, BotFailure(FailureKind.TOO_LONG, sentence("x")))
        assert turn._heard.empty()
        exchange.fail("b", "t1", BotFailure(FailureKind.TOO_LONG, sentence("x")))
        with pytest.raises(BotFailure):
            await turn.heard()


async def test_a_process_has_one_exchange_per_event_loop():
    assert current() is current()


async def test_a_frame_that_wants_no_answer_goes_to_the_newest_socket_of_its_bot_alone():
    exchange, older, newer, other = Exchange(), Socket(), Socket(), Socket()
    exchange.enter("b", older)
    exchange.enter("b", newer)
    exchange.enter("c", other)
    await exchange.tell("b", "bye")
    assert (older.handed, newer.handed, other.handed) == (["replaced"], ["bye"], [])


async def test_a_frame_for_a_bot_that_is_nowhere_reached_nobody():
    with pytest.raises(BotFailure) as failed:
        await Exchange().tell("b", "bye")
    assert (failed.value.kind, failed.value.reached_bot) == (FailureKind.CONNECT, False)
