"""The watch on the event loop tells a standstill of ours from a slow bot."""

import asyncio
import time

import pytest

from serving.loop_watch import LOOK_EVERY_S, TOLERATED_S, LoopWatch

STANDSTILL_S = TOLERATED_S + 2 * LOOK_EVERY_S


@pytest.fixture
async def watch():
    watch = LoopWatch(asyncio.get_running_loop())
    yield watch
    watch.close()


async def test_waiting_is_no_standstill(watch):
    await asyncio.sleep(4 * LOOK_EVERY_S)
    assert watch.n_standstills == 0


async def test_many_short_slices_of_work_are_no_standstill(watch):
    for _ in range(12):
        time.sleep(0.1)  # noqa: ASYNC251 - the work itself
        await asyncio.sleep(0)
    await asyncio.sleep(2 * LOOK_EVERY_S)
    assert watch.n_standstills == 0


async def test_each_standstill_is_counted_and_the_last_one_measured(watch):
    for _ in range(2):
        await asyncio.sleep(2 * LOOK_EVERY_S)
        time.sleep(STANDSTILL_S)  # noqa: ASYNC251 - the standstill itself
        await asyncio.sleep(0.01)
    assert watch.n_standstills == 2
    assert TOLERATED_S < watch.just_ended_s() < 2 * STANDSTILL_S


async def test_a_standstill_that_is_over_explains_no_later_answer(watch):
    time.sleep(STANDSTILL_S)  # noqa: ASYNC251 - the standstill itself
    await asyncio.sleep(3 * LOOK_EVERY_S)
    assert watch.just_ended_s() == 0


async def test_a_deadline_that_passed_in_a_standstill_finds_the_count_up_to_date(watch):
    await asyncio.sleep(LOOK_EVERY_S)
    asyncio.get_running_loop().call_later(0.05, time.sleep, STANDSTILL_S)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), 0.2)
    assert watch.n_standstills == 1
