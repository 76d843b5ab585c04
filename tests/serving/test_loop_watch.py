"""The watch's clock stands still while the event loop does."""

from types import SimpleNamespace

import pytest

from serving.loop_watch import LOOK_EVERY_S, TOLERATED_S, LoopWatch


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
