"""The bot's time: it runs while the bot may act and stands while a turn waits for something of the platform's."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from participants.adapters import ADAPTERS
from participants.adapters.asking import ask
from participants.failures import BotFailure
from participants.outbound import Door, line
from tests.fakes.raw_bots import CLOSE, http, raw_bot
from tests.participants.talking import call_of, door_to


async def ask_all(door, bot, n, **named):
    call = call_of(bot, "x", **named)
    return await asyncio.gather(
        *[ask(call, door, lambda part: None, ADAPTERS) for _ in range(n)], return_exceptions=True
    )


async def test_waiting_for_a_place_is_neither_in_the_deadline_nor_in_the_latency_of_the_bot():
    """Two connections, eight turns, a bot that takes 0.5 s: the last pair waits 1.5 s, longer than the deadline."""
    async with raw_bot([0.5, http(b'{"text": "ok"}')]) as bot, door_to(bot, connections_per_host=2) as door:
        replies = await ask_all(door, bot, 8, deadline_s=1.4)
    assert [getattr(reply, "texts", reply) for reply in replies] == [("ok",)] * 8
    assert all(400 <= reply.latency_ms < 1400 for reply in replies), [reply.latency_ms for reply in replies]
    assert bot.n_connections == 2


async def test_the_places_are_given_in_the_order_in_which_turns_came_and_the_queue_can_be_seen():
    async with raw_bot([0.1, http(b'{"text": "ok"}')]) as bot, door_to(bot, connections_per_host=1) as door:
        answered = []

        async def turn(text):
            await ask(call_of(bot, text), door, lambda part: None, ADAPTERS)
            answered.append(text)

        turns = [asyncio.create_task(turn(text)) for text in "abcd"]
        await asyncio.sleep(0.05)
        assert door.n_waiting(bot.url) == 3
        await asyncio.gather(*turns)
        assert door.n_waiting(bot.url) == 0
    assert answered == ["a", "b", "c", "d"]
    assert [request["text"] for request in bot.asked] == ["a", "b", "c", "d"]


async def test_who_asks_hears_when_the_line_waits_for_us_and_when_no_longer():
    heard = [[], []]
    async with raw_bot([0.2, http(b'{"text": "ok"}')]) as bot, door_to(bot, connections_per_host=1) as door:
        call = call_of(bot, "x")
        await asyncio.gather(*(ask(call, door, lambda part: None, ADAPTERS, on_wait=heard[n].append) for n in range(2)))
    assert heard == [[], [True, False]]


async def test_a_turn_that_got_no_place_is_the_failure_of_the_platform(monkeypatch):
    monkeypatch.setattr(line, "OWN_WAIT_LIMIT_S", 0.2)
    async with raw_bot([1.0, http(b'{"text": "ok"}')]) as bot, door_to(bot, connections_per_host=1) as door:
        reply, failure = await ask_all(door, bot, 2, deadline_s=5)
    assert reply.texts == ("ok",)
    assert isinstance(failure, BotFailure)
    assert (failure.kind, failure.fault, failure.reached_bot) == ("interrupted", "platform", False)
    assert failure.latency_ms < 100
    assert len(bot.asked) == 1


async def test_a_place_is_given_back_by_a_turn_that_is_cancelled_while_it_waits_or_talks():
    async with raw_bot([0.3, http(b'{"text": "ok"}')]) as bot, door_to(bot, connections_per_host=1) as door:
        call = call_of(bot, "x")
        talking, waiting = [asyncio.create_task(ask(call, door, lambda part: None, ADAPTERS)) for _ in range(2)]
        await asyncio.sleep(0.1)
        waiting.cancel()
        talking.cancel()
        await asyncio.wait([talking, waiting])
        reply = await ask(call, door, lambda part: None, ADAPTERS)
    assert reply.texts == ("ok",)


async def test_the_deadline_begins_when_the_place_was_got_and_holds_then():
    async with raw_bot([1.0, http(b'{"text": "ok"}')], [60]) as bot, door_to(bot, connections_per_host=1) as door:
        reply, failure = await ask_all(door, bot, 2, deadline_s=1.5)
    assert reply.texts == ("ok",)
    assert (failure.kind, failure.fault) == ("timeout_first_byte", "bot")
    assert 1450 <= failure.latency_ms < 2400


async def test_what_an_adapter_noted_is_known_to_the_later_tries_of_that_turn_alone():
    door = Door()
    one, other = door.line(1), door.line(1)
    one.noted = "begun"
    assert (one.noted, other.noted) == ("begun", None)
    await door.close()


# -- standstills of ours -----------------------------------------------------------------------------------------


class Stood:
    """A watch that says what it is told."""

    def __init__(self):
        self._loop = asyncio.get_running_loop()
        self.seconds, self.ended_at = 0.0, float("-inf")

    def time(self):
        return self._loop.time() - self.seconds

    def last_standstill_ended_at(self):
        return self._loop.time() if self.ended_at is None else self.ended_at

    def end_one(self, seconds, at):
        self.seconds += seconds
        self.ended_at = at

    def close(self):
        pass


@asynccontextmanager
async def asked_with_a_standstill(*answers, seconds, **named):
    """A turn in which our loop stood still for so long, 0.1 s after its beginning, and what came of it."""
    async with raw_bot(list(answers)) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}))
        door._watch = watch = Stood()
        loop = asyncio.get_running_loop()
        # The moment is given, not read: on a busy machine the timer may run when the bot already hangs up.
        loop.call_at(ends_at := loop.time() + 0.1, watch.end_one, seconds, ends_at)
        (result,) = await ask_all(door, bot, 1, **named)
        yield result
        await door.close()


async def test_a_standstill_of_ours_is_not_in_the_deadline_of_the_bot():
    """The bot takes a second of 0.3; our loop stood still for all of that."""
    answers = [1.0, http(b'{"text": "ok"}')]
    async with asked_with_a_standstill(*answers, seconds=60, deadline_s=0.3) as reply:
        assert reply.texts == ("ok",)
        assert reply.latency_ms == 0
        assert reply.tries[-1].wire.first_byte_ms < 1000, "what teams read of the request is the bot's time, too"


@pytest.mark.parametrize("answers", [[60], [b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", 60]], ids=["mute", "slow"])
async def test_a_bot_that_is_late_by_its_own_clock_is_late_whatever_we_stood_still(answers):
    began = asyncio.get_running_loop().time()
    async with asked_with_a_standstill(*answers, seconds=0.6, deadline_s=1.0) as failure:
        assert (failure.kind, failure.fault) in {("timeout_first_byte", "bot"), ("timeout_total", "bot")}
        assert failure.latency_ms >= 999
    assert asyncio.get_running_loop().time() - began >= 1.599


async def test_a_connection_that_broke_while_we_stood_still_is_the_platforms():
    async with raw_bot([CLOSE]) as bot, door_to(bot) as door:
        door._watch = watch = Stood()
        watch.ended_at = None
        (failure,) = await ask_all(door, bot, 1)
    assert (failure.kind, failure.fault) == ("connect", "platform")
    assert failure.detail.in_english.endswith("Our own process stood still meanwhile.")


async def test_one_that_breaks_later_is_the_bots():
    async with asked_with_a_standstill(0.5, CLOSE, seconds=0.6) as failure:
        assert (failure.kind, failure.fault) == ("connect", "bot")


async def test_a_refused_connection_is_the_bots_though_we_stood_still():
    async with raw_bot([CLOSE]) as bot:
        gone = bot
    door = Door(frozenset({("127.0.0.1", gone.port)}))
    door._watch = watch = Stood()
    watch.ended_at = None
    (failure,) = await ask_all(door, gone, 1, deadline_s=0.4)
    await door.close()
    assert (failure.kind, failure.fault, failure.reached_bot) == ("connect", "bot", False)


async def test_a_request_within_another_leaves_the_outer_one_its_deadline():
    """A stream that never ends is read while a second request is made beside it."""
    begun = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
    async with raw_bot([begun, 60]) as outer, raw_bot(http(b"{}")) as inner:
        door = Door(frozenset({("127.0.0.1", outer.port), ("127.0.0.1", inner.port)}))
        at_once = door.line(0.5)

        async def read_both():
            async with at_once.post(outer.url, b"{}", {}) as answer:
                async with at_once.post(inner.url, b"{}", {}) as other:
                    assert await other.body() == b"{}"
                await answer.body()

        with pytest.raises(BotFailure) as failed:
            await read_both()
        await door.close()
    assert failed.value.kind == "timeout_total"
