"""The time of a check stands while all its calls wait behind others, and only so long."""

import asyncio
import time

import pytest

from conformance.clock import Clock
from serving.monitoring.loop_watch import LoopWatch


class Told:
    """A clock of 100 s with 30 s of waits, whose time is set by hand."""

    def __init__(self):
        self.watch = LoopWatch(asyncio.get_running_loop())
        self.now, self.clock = 0.0, Clock(100, 30, self.watch)
        self._began = self.clock.limit.when() - 100
        self.clock._now = lambda: self._began + self.now

    @property
    def state(self):
        return self.clock.stands, round(self.clock.limit.when() - self._began, 3)


async def test_it_runs_while_any_call_has_a_place_and_stands_while_all_wait():
    told = Told()
    async with told.clock.limit:
        with told.clock.call() as one, told.clock.call() as other:
            one(True)
            assert told.state == (False, 100)
            told.now = 10.0
            other(True)
            assert told.state == (True, 40)
            told.now = 25.0
            one(True)
            one(False)
            assert told.state == (False, 115)
        with told.clock.call() as third:
            third(True)
            assert told.state == (True, 40)  # 15 s of waits are left
            told.now = 26.0
        assert told.state == (False, 116)


async def used_up(clock, is_waiting):
    async with clock.limit:
        with clock.call() as told:
            told(is_waiting)
            await asyncio.sleep(5)


@pytest.mark.parametrize(("limit_s", "wait_limit_s", "is_waiting"), [(60, 0.01, True), (0.01, 60, False)])
async def test_the_clock_says_afterwards_whether_it_stood_when_the_time_was_up(limit_s, wait_limit_s, is_waiting):
    clock = Clock(limit_s, wait_limit_s, LoopWatch(asyncio.get_running_loop()))
    with pytest.raises(TimeoutError):
        await used_up(clock, is_waiting)
    assert clock.stands is is_waiting


async def test_a_standstill_of_ours_is_no_time_of_the_bots_and_none_twice():
    told = Told()
    async with told.clock.limit:
        told.clock.stood_still(60)
        assert told.state == (False, 160)
        with told.clock.call() as waiting:
            waiting(True)
            told.clock.stood_still(5)
            told.now = 5.0
        # The wait of 5 s was the standstill.
        assert told.state == (False, 165)
    told.clock.stood_still(60)


async def test_a_check_that_is_due_in_a_standstill_goes_on_after_it():
    loop = asyncio.get_running_loop()
    watch = LoopWatch(loop)
    clock = Clock(1, 30, watch)
    await asyncio.sleep(0)
    async with clock.limit:
        time.sleep(2)  # noqa: ASYNC251 # the loop is to stand still
        for _round in range(3):
            await asyncio.sleep(0)
    watch.close()
