"""The watch's clock stands still while the event loop does."""

import asyncio
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async

from serving.database_threads import RequestThreads
from serving.loop_post import LoopPost
from serving.monitoring.loop_watch import LOOK_EVERY_S, TOLERATED_S, LoopWatch
from tests.waiting import soon


class Loop:
    """A loop whose time is given, and whose timers run when they are told to."""

    def __init__(self):
        self.now, self.due = 100.0, None

    def time(self):
        return self.now

    def call_soon(self, call):
        return self.call_at(self.now, call)

    def call_at(self, at, call):
        self.due = (at, call)
        return SimpleNamespace(cancel=lambda: None)

    def go(self, seconds):
        """Lets that time pass, with every timer in time."""
        ends_at = self.now + seconds
        while self.due[0] <= ends_at:
            self.now = max(self.now, self.due[0])
            self.due[1]()
        self.now = ends_at

    def stand_still(self, seconds):
        """The same without a timer: from when the look is due."""
        self.now = self.due[0] + seconds


@pytest.fixture
def loop():
    return Loop()


@pytest.fixture
def watch(loop):
    watch = LoopWatch(loop)
    loop.go(1.0)
    return watch


def test_while_the_loop_runs_the_clock_is_the_loops(loop, watch):
    loop.go(60.0)
    assert watch.time() == loop.time() == 161.0
    assert watch.last_standstill_ended_at() == float("-inf")


def test_a_loop_that_is_a_little_late_each_time_is_busy_and_does_not_stand_still(loop, watch):
    for _ in range(20):
        loop.stand_still(TOLERATED_S)
        loop.go(0)
    assert watch.time() == loop.time()


def test_each_standstill_is_taken_off_once(loop, watch):
    for _ in range(2):
        loop.stand_still(4.0)
        loop.go(10.0)
    assert loop.time() - watch.time() == pytest.approx(8.0)


def test_what_runs_before_the_look_in_the_same_round_sees_the_same_time(loop, watch):
    loop.stand_still(4.0)
    before = watch.time()
    assert watch.last_standstill_ended_at() == loop.time()
    loop.go(0)
    assert (watch.time(), watch.last_standstill_ended_at()) == (before, loop.time())


def test_when_the_last_standstill_ended_is_remembered(loop, watch):
    loop.stand_still(4.0)
    loop.go(0)
    ended_at = loop.time()
    loop.go(5 * LOOK_EVERY_S)
    assert watch.last_standstill_ended_at() == ended_at


async def test_work_that_fails_does_not_hold_up_what_was_posted_after_it(caplog):
    post, done = LoopPost(asyncio.get_running_loop()), []

    def fail():
        raise ZeroDivisionError

    for work in (fail, lambda: done.append(1), fail, lambda: done.append(2)):
        post.post(work)
    await soon(lambda: done == [1, 2])
    assert sum(record.exc_info is not None for record in caplog.records) == 2


async def test_a_task_that_a_request_begins_reads_on_after_the_request_has_ended():
    loop, has_ended, begun = asyncio.get_running_loop(), asyncio.Event(), asyncio.Queue()

    async def read_later():
        await has_ended.wait()
        return await sync_to_async(lambda: "read")()

    async with RequestThreads().lent():
        post = LoopPost(loop)
        await sync_to_async(post.post)(lambda: begun.put_nowait(loop.create_task(read_later())))
        task = await begun.get()
    has_ended.set()
    assert await task == "read"
