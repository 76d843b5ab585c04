"""The watch on the event loop tells a standstill of ours from a slow bot."""

import asyncio
import time

import pytest

from testing_console.loop_watch import LoopWatch


@pytest.fixture
async def watch():
    watch = LoopWatch(asyncio.get_running_loop())
    yield watch
    watch.close()


async def test_waiting_is_no_standstill(watch):
    await asyncio.sleep(0.35)
    assert watch.stalled_s < 0.2


async def test_the_sum_of_standstills_grows_by_their_length(watch):
    for _ in range(2):
        await asyncio.sleep(0.15)
        time.sleep(0.4)  # noqa: ASYNC251 - the standstill itself
        await asyncio.sleep(0)
    await asyncio.sleep(0.15)
    assert 0.6 < watch.stalled_s < 1.2


async def test_a_deadline_that_passed_in_a_standstill_finds_the_sum_up_to_date(watch):
    await asyncio.sleep(0.15)
    before = watch.stalled_s
    asyncio.get_running_loop().call_later(0.05, time.sleep, 0.6)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), 0.2)
    assert watch.stalled_s - before > 0.4
