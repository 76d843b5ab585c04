"""What is kept and shown during a bot's call: the memory of what was said, and the parts of a streamed reply."""

import asyncio
import time
from types import SimpleNamespace
from uuid import UUID

import pytest

from dialogues.actions import Remembered
from dialogues.actions.ledger import Asked, Outcome, Settled, WaitingTurn
from dialogues.masking import masker_of
from dialogues.turn_taking import REPLY_LIMIT
from participants.adapters import History, Reply, Utterance
from serving.monitoring.metrics import turns_that
from testing_console.live.bot_calls import TOLD_EVERY_S, BotCalls, Deltas, Memory
from tests.waiting import soon

A, B, C = UUID(int=1), UUID(int=2), UUID(int=3)


def of(dialogue_id, n_characters, seq=2):
    return Remembered(dialogue_id, seq, History([Utterance("user", "x" * n_characters)]))


def known(memory):
    return [dialogue_id for dialogue_id in (A, B, C) if memory.recall(dialogue_id) is not None]


def test_the_latest_of_a_dialogue_is_recalled_as_often_as_it_is_asked_for():
    memory = Memory()
    memory.keep(of(A, 1))
    memory.keep(of(A, 2, seq=4))
    assert memory.recall(A) == memory.recall(A) == of(A, 2, seq=4)


def test_beyond_the_limit_whoever_has_been_silent_longest_is_dropped():
    memory = Memory(limit=10)
    memory.keep(of(A, 4))
    memory.keep(of(B, 4))
    memory.keep(of(A, 5))
    assert known(memory) == [A, B]
    memory.keep(of(C, 4))
    assert known(memory) == [A, C]


def test_one_that_is_longer_than_the_limit_is_not_kept_and_leaves_room():
    memory = Memory(limit=10)
    memory.keep(of(A, 11))
    assert known(memory) == []
    memory.keep(of(B, 10))
    assert known(memory) == [B]


def test_what_is_forgotten_leaves_room():
    memory = Memory(limit=10)
    memory.keep(of(A, 6))
    memory.forget(but=[B])
    memory.keep(of(B, 4))
    memory.keep(of(C, 6))
    assert known(memory) == [B, C]


NOBODY = masker_of(())


async def test_the_first_part_is_told_at_once_and_what_follows_together():
    told: list[str] = []
    deltas = Deltas(NOBODY, told.append)
    for part in ("你", "好", "，", "世界"):
        deltas.hear(part)
    assert told == ["你"]
    await asyncio.sleep(2 * TOLD_EVERY_S)
    assert told == ["你", "好，世界"]
    await asyncio.sleep(2 * TOLD_EVERY_S)
    deltas.hear("！")
    assert told[-1] == "！"


async def test_a_name_is_masked_wherever_it_was_cut():
    told: list[str] = []
    deltas = Deltas(masker_of(("Team Alpha",)), told.append)
    for part in ("我是 Te", "am Al", "pha 的"):
        deltas.hear(part)
        await asyncio.sleep(2 * TOLD_EVERY_S)
    assert "".join(told) == "我是 ██████████ 的"


async def test_no_more_is_told_than_a_reply_shows():
    told: list[str] = []
    deltas = Deltas(NOBODY, told.append)
    for _ in range(3):
        deltas.hear("长" * 5000)
        await asyncio.sleep(2 * TOLD_EVERY_S)
    assert len("".join(told)) == REPLY_LIMIT


async def test_nothing_is_told_after_the_end():
    told: list[str] = []
    deltas = Deltas(NOBODY, told.append)
    deltas.hear("a")
    deltas.hear("b")
    deltas.close()
    await asyncio.sleep(2 * TOLD_EVERY_S)
    assert told == ["a"]


async def test_fifty_thousand_parts_cost_a_few_frames_and_little_time():
    told: list[str] = []
    deltas = Deltas(masker_of(("Team Alpha",)), told.append)
    started = time.thread_time()
    for _ in range(50_000):
        deltas.hear("Team Alph ")
    await asyncio.sleep(2 * TOLD_EVERY_S)
    deltas.close()
    assert len(told) <= 3
    assert time.thread_time() - started < 2


class Committing:
    """Takes what is to be stored and stores it when the test says so."""

    def __init__(self):
        self.waiter = None

    def submit(self, work, about):
        self.waiter = asyncio.get_running_loop().create_future()
        return self.waiter


@pytest.fixture
async def asking(monkeypatch):
    """A call that is answered as soon as the test says so, its place for the commit, and what was counted since."""
    answered, commits = asyncio.Event(), Committing()

    async def ask(*arguments, keep):
        await answered.wait()
        return Reply(("hello",))

    async def brief_of(dialogue_id):
        return SimpleNamespace(bot=None, context=None, language="zh", reply_deadline_s=60, masker=NOBODY, entry_id=1)

    monkeypatch.setattr("testing_console.live.bot_calls.ask", ask)
    breakers = SimpleNamespace(answered=lambda brief: None)
    switchboard = SimpleNamespace(has_listeners=lambda dialogue_id: False)
    calls = BotCalls(None, commits, switchboard, SimpleNamespace(of=brief_of), breakers)
    calls.start(Asked(WaitingTurn(1, A, 1, "hi", 1, 2, False), History([])))
    before = counted()
    return SimpleNamespace(
        calls=calls,
        commits=commits,
        answered=answered,
        counted=lambda: tuple(now - then for now, then in zip(counted(), before, strict=True)),
    )


def counted():
    return turns_that("answered", "nobody")._value.get(), turns_that("cancelled", "tester")._value.get()


async def test_a_call_that_is_stopped_while_the_bot_is_asked_counts_as_cancelled(asking):
    asking.calls.follow(Outcome(stopped=A))
    assert asking.counted() == (0, 1)
    await asyncio.sleep(0)
    assert asking.commits.waiter is None


@pytest.mark.parametrize(("is_current", "counts"), [(True, (1, 0)), (False, (0, 1))])
async def test_what_is_being_stored_counts_as_what_the_turn_ended_by(asking, is_current, counts):
    asking.answered.set()
    await soon(lambda: asking.commits.waiter)
    asking.calls.follow(Outcome(stopped=A))
    assert asking.counted() == (0, 0)
    asking.commits.waiter.set_result(Settled(is_current=is_current))
    await soon(lambda: asking.counted() == counts)
    assert asking.calls.n_in_flight == 0
