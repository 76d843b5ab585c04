"""A bot that has connected is checked on its socket; nothing is asked of an address that it has not."""

import asyncio
import json

from conformance.lab import check_bot
from participants.adapters import ADAPTERS
from participants.adapters.calls import BotAddress
from participants.dial_out import exchange
from participants.dial_out.frames import bot_frame
from participants.outbound import Door
from tests.conformance.checking import SMALL, of, verdicts
from tests.fakes.defective_bots import DefectiveBot

BOT = "dial-out:1"


class Socket:
    """Answers each turn as a bot of huace/1 would, a moment later."""

    def __init__(self, bot):
        self.bot, self.tasks = bot, set()

    def hand(self, frame):
        task = asyncio.create_task(self.answer(json.loads(frame)))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def answer(self, turn):
        answer = await self.bot.answer(turn, f"{turn['dialogue']}:{turn['turn']}")
        exchange.current().hear(BOT, bot_frame({"type": "reply", "id": turn["id"], **answer}))

    def replace(self):
        """Nobody connects a second time."""


def checked(bot):
    async def check():
        exchange.current().enter(BOT, Socket(bot))
        door = Door()
        try:
            return await check_bot(BotAddress("dial-out", BOT), door, ADAPTERS, limits=SMALL)
        finally:
            await door.close()

    return asyncio.run(check())


def test_a_healthy_bot_that_dials_out_is_green():
    report = checked(DefectiveBot())
    assert set(verdicts(report).values()) == {"pass"}, verdicts(report)


def test_its_defects_are_found_with_the_frame_to_send_again():
    found = of(checked(DefectiveBot("forgets")), "memory")
    assert found.verdict == "fail"
    assert found.curl.startswith("{")
