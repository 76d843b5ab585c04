"""What is kept and shown during a bot's call: the memory of what was said, and the parts of a streamed reply."""

import asyncio
import time
from uuid import UUID

from dialogues.actions import Remembered
from dialogues.masking import masker_of
from dialogues.turn_taking import REPLY_LIMIT
from participants.adapters import History, Utterance
from testing_console.live.bot_calls import TOLD_EVERY_S, Deltas, Memory

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
