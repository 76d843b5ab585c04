"""A farewell keeps within what the bot declared, and within its limit."""

import asyncio

import pytest

from participants.adapters import BotAddress, Farewell
from participants.adapters.asking import say_goodbye
from participants.outbound import Door

FAREWELL = Farewell(BotAddress("any", "http://a.example/", parallel=1), "d-1")


async def test_it_waits_for_a_place_at_the_bot_and_gives_it_back():
    door, begun, may_end = Door(), [], asyncio.Event()

    async def close(farewell, line):
        begun.append(farewell.dialogue)
        await may_end.wait()

    both = [asyncio.create_task(say_goodbye(FAREWELL, door, close, 5.0)) for _ in range(2)]
    await asyncio.sleep(0.01)
    assert begun == ["d-1"]
    may_end.set()
    await asyncio.gather(*both)
    assert begun == ["d-1", "d-1"]


async def test_one_that_hangs_is_left_and_its_place_is_free_again():
    door = Door()

    async def hang(farewell, line):
        await asyncio.sleep(60)

    async def close(farewell, line):
        pass

    with pytest.raises(TimeoutError):
        await say_goodbye(FAREWELL, door, hang, 0.05)
    await say_goodbye(FAREWELL, door, close, 5.0)
