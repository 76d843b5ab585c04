"""The bot's time: it runs while the bot may act and stands while a turn waits for something of the platform's."""

import asyncio

from participants.adapters import ADAPTERS
from participants.adapters.asking import ask
from participants.failures import BotFailure
from participants.outbound import Door, line
from tests.fakes.raw_bots import http, raw_bot
from tests.participants.talking import call_of


async def ask_all(door, bot, n, **named):
    call = call_of(bot, "x", **named)
    return await asyncio.gather(
        *[ask(call, door, lambda part: None, ADAPTERS) for _ in range(n)], return_exceptions=True
    )


async def test_waiting_for_a_place_is_neither_in_the_deadline_nor_in_the_latency_of_the_bot():
    """Two connections, eight turns, a bot that takes 0.5 s: the last pair waits 1.5 s, longer than the deadline."""
    async with raw_bot([0.5, http(b'{"text": "ok"}')]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}), connections_per_host=2)
        replies = await ask_all(door, bot, 8, deadline_s=1.4)
        await door.close()
    assert [getattr(reply, "texts", reply) for reply in replies] == [("ok",)] * 8
    assert all(400 <= reply.latency_ms < 1400 for reply in replies), [reply.latency_ms for reply in replies]
    assert bot.n_connections == 2


async def test_the_places_are_given_in_the_order_in_which_turns_came_and_the_queue_can_be_seen():
    async with raw_bot([0.1, http(b'{"text": "ok"}')]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}), connections_per_host=1)
        answered = []

        async def turn(text):
            await ask(call_of(bot, text), door, lambda part: None, ADAPTERS)
            answered.append(text)

        turns = [asyncio.create_task(turn(text)) for text in "abcd"]
        await asyncio.sleep(0.05)
        assert door.n_waiting(bot.url) == 3
        await asyncio.gather(*turns)
        assert door.n_waiting(bot.url) == 0
        await door.close()
    assert answered == ["a", "b", "c", "d"]
    assert [request["text"] for request in bot.asked] == ["a", "b", "c", "d"]


async def test_who_asks_hears_when_the_line_waits_for_us_and_when_no_longer():
    heard = [[], []]
    async with raw_bot([0.2, http(b'{"text": "ok"}')]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}), connections_per_host=1)
        call = call_of(bot, "x")
        await asyncio.gather(*(ask(call, door, lambda part: None, ADAPTERS, on_wait=heard[n].append) for n in range(2)))
        await door.close()
    assert heard == [[], [True, False]]


async def test_a_turn_that_got_no_place_is_the_failure_of_the_platform(monkeypatch):
    monkeypatch.setattr(line, "OWN_WAIT_LIMIT_S", 0.2)
    async with raw_bot([1.0, http(b'{"text": "ok"}')]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}), connections_per_host=1)
        reply, failure = await ask_all(door, bot, 2, deadline_s=5)
        await door.close()
    assert reply.texts == ("ok",)
    assert isinstance(failure, BotFailure)
    assert (failure.kind, failure.fault, failure.reached_bot) == ("interrupted", "platform", False)
    assert failure.latency_ms < 100
    assert len(bot.asked) == 1


async def test_a_place_is_given_back_by_a_turn_that_is_cancelled_while_it_waits_or_talks():
    async with raw_bot([0.3, http(b'{"text": "ok"}')]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}), connections_per_host=1)
        call = call_of(bot, "x")
        talking, waiting = [asyncio.create_task(ask(call, door, lambda part: None, ADAPTERS)) for _ in range(2)]
        await asyncio.sleep(0.1)
        waiting.cancel()
        talking.cancel()
        await asyncio.wait([talking, waiting])
        reply = await ask(call, door, lambda part: None, ADAPTERS)
        await door.close()
    assert reply.texts == ("ok",)


async def test_the_deadline_begins_when_the_place_was_got_and_holds_then():
    async with raw_bot([1.0, http(b'{"text": "ok"}')], [60]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}), connections_per_host=1)
        reply, failure = await ask_all(door, bot, 2, deadline_s=1.5)
        await door.close()
    assert reply.texts == ("ok",)
    assert (failure.kind, failure.fault) == ("timeout_first_byte", "bot")
    assert 1450 <= failure.latency_ms < 2400


async def test_what_an_adapter_noted_is_known_to_the_later_tries_of_that_turn_alone():
    door = Door()
    one, other = door.line(1), door.line(1)
    one.noted = "begun"
    assert (one.noted, other.noted) == ("begun", None)
    await door.close()
