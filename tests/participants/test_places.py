"""Places are given in the order of coming; who waits is told where it stands; none is lost."""

import asyncio

import pytest

from participants.adapters import ADAPTERS
from participants.adapters.asking import ask
from participants.failures import BotFailure
from participants.outbound import Door, line, places
from tests.fakes.raw_bots import http, raw_bot
from tests.participants.talking import call_of, door_to

OK = http(b'{"text": "ok"}')


async def turns_with(bot, door, n, *, told=None, **address):
    """The outcomes of so many turns at once with bots of that address, which hear their places in `told`."""
    told = told if told is not None else [[] for _ in range(n)]
    call = call_of(bot, "x", **address)
    asking = [ask(call, door, lambda part: None, ADAPTERS, on_place=told[i].append) for i in range(n)]
    return await asyncio.gather(*asking, return_exceptions=True)


async def test_a_bot_is_asked_as_many_turns_at_a_time_as_it_declares_and_the_others_hear_their_place():
    told = [[] for _ in range(5)]
    async with raw_bot([0.2, OK]) as bot, door_to(bot) as door:
        replies = await turns_with(bot, door, 5, told=told, parallel=2)
    assert [reply.texts for reply in replies] == [("ok",)] * 5
    assert bot.n_connections == 2
    assert told == [[], [], [1, 0], [2, 0], [3, 0]]
    assert max(reply.latency_ms for reply in replies) < 400, "the wait is not the bot's time"


async def test_two_bots_on_one_server_have_places_of_their_own():
    async with raw_bot([0.2, OK]) as bot, door_to(bot) as door:
        told = [[], []]
        await asyncio.gather(
            turns_with(bot, door, 1, told=told[:1], parallel=1, key="entry 1"),
            turns_with(bot, door, 1, told=told[1:], parallel=1, key="entry 2"),
        )
    assert told == [[], []]


async def test_a_bot_has_one_row_whichever_door_asks():
    async with raw_bot([0.2, OK]) as bot:
        doors = [Door(frozenset({("127.0.0.1", bot.port)})) for _ in range(2)]
        told = [[], []]
        asking = [
            turns_with(bot, door, 1, told=[heard], parallel=1, key="entry 1")
            for door, heard in zip(doors, told, strict=True)
        ]
        await asyncio.gather(*asking)
        for door in doors:
            await door.close()
    assert told == [[], [1, 0]]


async def test_places_are_told_again_every_while(monkeypatch):
    monkeypatch.setattr(places, "TOLD_EVERY_S", 0.02)
    told = [[], [], []]
    async with raw_bot([0.2, OK]) as bot, door_to(bot) as door:
        await turns_with(bot, door, 3, told=told, parallel=1)
    assert told[1].count(1) > 1
    assert told[2][0] == 2
    assert told[2][-2:] == [1, 0]


async def test_who_gets_no_place_fails_by_the_platform_and_has_sent_nothing(monkeypatch):
    monkeypatch.setattr(line, "OWN_WAIT_LIMIT_S", 0.1)
    async with raw_bot([0.3, OK]) as bot, door_to(bot) as door:
        _reply, failure = await turns_with(bot, door, 2, parallel=1)
    assert isinstance(failure, BotFailure)
    assert (failure.kind, failure.fault, failure.reached_bot) == ("interrupted", "platform", False)
    assert [one.has_left for one in failure.tries] == [False]
    assert "1 turns at a time" in failure.detail.in_english


async def taken(row, n=1):
    door = Door()
    waiting = [asyncio.create_task(row.take(door.line(5))) for _ in range(n)]
    await asyncio.sleep(0)
    return waiting


async def test_a_place_that_is_given_to_one_who_leaves_goes_to_the_next():
    row = places.Places(1, "place")
    first, leaving, next_one = await taken(row, 3)
    await first
    row.give_back()
    leaving.cancel()
    await asyncio.wait([leaving])
    await next_one
    assert row.n_waiting == 0
    row.give_back()
    (again,) = await taken(row)
    assert again.done()


async def test_one_who_leaves_just_before_a_place_is_given_back_is_passed_over():
    row = places.Places(1, "place")
    first, leaving, next_one = await taken(row, 3)
    await first
    leaving.cancel()
    row.give_back()
    await asyncio.wait([leaving])
    assert leaving.cancelled()
    await next_one
    assert row.n_waiting == 0


async def test_more_places_are_given_at_once_and_fewer_when_they_come_back():
    row = places.Places(1, "place")
    waiting = await taken(row, 4)
    row.have(3)
    await asyncio.sleep(0)
    assert [one.done() for one in waiting] == [True, True, True, False]
    row.have(1)
    row.give_back()
    row.give_back()
    await asyncio.sleep(0)
    assert not waiting[3].done()
    row.give_back()
    await waiting[3]


@pytest.mark.parametrize("declared", [1, 7])
async def test_what_a_bot_declares_now_holds(declared):
    door = Door()
    here = door.places_at("entry 1", 50)
    assert door.places_at("entry 1", declared) is here
    assert here.n_places == declared


async def test_watchers_are_told_how_many_places_are_taken_and_waited_for():
    waited_for = places.places_at("watched", 1)
    assert places.levels_of_places() == (0, 0)
    async with raw_bot([OK]) as bot, door_to(bot) as door:
        await waited_for.take(door.line(5))
        second = asyncio.create_task(waited_for.take(door.line(5)))
        await asyncio.sleep(0)
        assert places.levels_of_places() == (1, 1)
        waited_for.give_back()
        await second
        assert places.levels_of_places() == (1, 0)
        waited_for.give_back()
    assert places.levels_of_places() == (0, 0)
