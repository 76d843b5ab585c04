"""The time of a check stands while all its calls wait behind others, and only so long."""

import asyncio

import pytest

from conformance.clock import Clock


class Told:
    """A clock of 100 s with 30 s of waits, whose time is set by hand."""

    def __init__(self):
        self.now, self.clock = 0.0, Clock(100, 30)
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
    clock = Clock(limit_s, wait_limit_s)
    with pytest.raises(TimeoutError):
        await used_up(clock, is_waiting)
    assert clock.stands is is_waiting
