"""Name look-ups: the threads are ours, the name is the bot's."""

import asyncio
import socket
import threading

import pytest

from participants.adapters import ADAPTERS
from participants.adapters.asking import ask
from participants.failures import BotFailure
from participants.outbound import Door, line, look_ups
from participants.outbound.address_guard import AddressGuard, BlockedAddress
from participants.outbound.line import current_line
from tests.fakes.raw_bots import CLOSE, http, raw_bot
from tests.participants.talking import call_of


@pytest.fixture
def slow_names(monkeypatch):
    """Names that begin with `slow` resolve when the event is set, `*.bot` leads to this machine; `asked` counts."""
    is_free, asked, original = threading.Event(), [], socket.getaddrinfo

    def look_up(host, *args, **named):
        asked.append(host)
        if str(host).startswith("slow"):
            is_free.wait(10)
        return original("127.0.0.1" if str(host).endswith(".bot") else host, *args, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    yield is_free, asked
    is_free.set()


def turn_with(door, bot, host, **named):
    call = call_of(bot, "x", url=f"http://{host}:{bot.port}/", **named)
    return asyncio.create_task(ask(call, door, lambda part: None, ADAPTERS))


async def test_waiting_for_a_thread_of_ours_is_not_the_time_of_the_bot(slow_names, monkeypatch):
    is_free, asked = slow_names
    monkeypatch.setattr(look_ups, "LOOK_UPS_AT_ONCE", 1)
    async with raw_bot(http(b'{"text": "ok"}')) as bot:
        door = Door(frozenset({("slow.bot", bot.port), ("quick.bot", bot.port)}))
        slow = turn_with(door, bot, "slow.bot", deadline_s=5)
        await asyncio.sleep(0.1)
        quick = turn_with(door, bot, "quick.bot", deadline_s=1)
        await asyncio.sleep(1.3)
        assert asked == ["slow.bot"]
        is_free.set()
        replies = await asyncio.gather(slow, quick)
        await door.close()
    assert replies[0].latency_ms >= 1300, "the look-up of its own name is the bot's time"
    assert replies[1].latency_ms < 1000


async def test_names_that_resolve_slowly_delay_no_other(slow_names):
    is_free, _asked = slow_names
    async with raw_bot(http(b'{"text": "ok"}')) as bot:
        names = [f"slow-{number}.bot" for number in range(20)]
        door = Door(frozenset((name, bot.port) for name in [*names, "quick.bot"]))
        slow = [turn_with(door, bot, name, deadline_s=5) for name in names]
        await asyncio.sleep(0.1)
        assert (await turn_with(door, bot, "quick.bot")).latency_ms < 500
        is_free.set()
        assert {reply.texts for reply in await asyncio.gather(*slow)} == {("ok",)}
        await door.close()


async def test_found_addresses_serve_for_seconds(slow_names, monkeypatch):
    _is_free, asked = slow_names
    async with raw_bot([http(b'{"text": "ok"}'), CLOSE]) as bot:
        door = Door(frozenset({("quick.bot", bot.port)}))
        for _ in range(3):
            await turn_with(door, bot, "quick.bot")
            await asyncio.sleep(0.01)
        assert (bot.n_connections, asked.count("quick.bot")) == (3, 1)
        monkeypatch.setattr(look_ups, "KEPT_S", 0.0)
        door._connections._connector._resolver._found.clear()
        for _ in range(2):
            await turn_with(door, bot, "quick.bot")
            await asyncio.sleep(0.01)
        assert asked.count("quick.bot") == 3
        await door.close()


async def test_a_name_that_is_found_at_a_new_place_is_checked_anew_and_a_port_opens_no_other(monkeypatch):
    """Rebinding: the name leads outside while it is looked at, and inside when it is connected to."""
    places = iter(["8.8.8.8", "127.0.0.1"])

    def look_up(host, port, *_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(places), port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    current_line.set(Door().line(5))
    resolver = look_ups.LookUps(AddressGuard(frozenset({("evil.example", 8101)})))
    first = await resolver.resolve("evil.example", 8080)
    assert await resolver.resolve("Evil.example", 8080) is first, "kept: the second address is not even asked for"
    with pytest.raises(BlockedAddress):
        await resolver.resolve("evil.example", 8081)


async def test_a_name_that_resolves_slowly_leaves_threads_to_the_others(slow_names):
    is_free, asked = slow_names
    async with raw_bot(http(b'{"text": "ok"}')) as bot:
        door = Door(frozenset({("slow.bot", bot.port), ("quick.bot", bot.port)}))
        slow = [turn_with(door, bot, "slow.bot", deadline_s=0.5) for _ in range(12)]
        await asyncio.sleep(0.1)
        assert (await turn_with(door, bot, "quick.bot")).texts == ("ok",)
        failures = await asyncio.gather(*slow, return_exceptions=True)
        assert {(failure.kind, failure.fault) for failure in failures} == {("dns", "bot")}
        assert {each.has_left for failure in failures for each in failure.tries} == {False}
        assert asked.count("slow.bot") == 1, "a name has one thread, however often it is asked for"
        is_free.set()
        await asyncio.sleep(0.1)
        assert (await turn_with(door, bot, "slow.bot")).texts == ("ok",)
        await door.close()


async def test_no_thread_within_our_limit_is_the_failure_of_the_platform(slow_names, monkeypatch):
    is_free, _asked = slow_names
    monkeypatch.setattr(look_ups, "LOOK_UPS_AT_ONCE", 1)
    monkeypatch.setattr(line, "OWN_WAIT_LIMIT_S", 0.2)
    async with raw_bot(http(b'{"text": "ok"}')) as bot:
        door = Door(frozenset({("slow.bot", bot.port), ("quick.bot", bot.port)}))
        slow = turn_with(door, bot, "slow.bot", deadline_s=5)
        await asyncio.sleep(0.1)
        with pytest.raises(BotFailure) as failed:
            await turn_with(door, bot, "quick.bot")
        is_free.set()
        await slow
        await door.close()
    assert (failed.value.kind, failed.value.fault) == ("interrupted", "platform")


async def test_a_name_that_does_not_resolve_is_the_fault_of_the_bot():
    door = Door()
    call = call_of(None, "x", url="http://no-such-host.invalid/", deadline_s=2)
    with pytest.raises(BotFailure) as failed:
        await ask(call, door, lambda part: None, ADAPTERS)
    await door.close()
    assert (failed.value.kind, failed.value.fault, failed.value.reached_bot) == ("dns", "bot", False)
