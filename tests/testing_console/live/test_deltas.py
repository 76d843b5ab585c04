"""Streamed parts on their way to the page."""

import asyncio
import time

from dialogues.masking import masker_of
from dialogues.turn_taking import REPLY_LIMIT
from testing_console.live.bot_calls import TOLD_EVERY_S, Deltas

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
