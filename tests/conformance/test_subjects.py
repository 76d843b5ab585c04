"""A bot is asked as many turns at a time as its team declared, and no more."""

import asyncio
from dataclasses import replace

from conformance.guessing import Guess
from conformance.subjects import Subject, checked_subject
from participants.outbound import Door
from tests.conformance.checking import SMALL, allowed_of, of
from tests.fakes.defective_bots import defective_bot


def checked(bot, parallel):
    async def check():
        door = Door(allowed_of(bot.url))
        limits = replace(SMALL, parallel=parallel, some_parallel=8, long_turns=2)
        try:
            return await checked_subject(Subject("huace/1", bot.url), door, limits=limits, guess=Guess())
        finally:
            await door.close()

    return asyncio.run(check())


def test_a_bot_that_declares_what_it_bears_is_not_asked_for_more():
    with defective_bot("drops-under-load", busy_from=4) as bot:
        assert of(checked(bot, 3), "parallel_some").verdict == "pass"
    with defective_bot("drops-under-load", busy_from=4) as bot:
        assert of(checked(bot, 8), "parallel_some").verdict == "fail"
