"""A dialogue with a bot whose state the platform carries goes on in the next server process, and the bot hears of its end there."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from campaigns.models import Entry
from dialogues.models import Turn
from dialogues.turn_taking import EndReason
from participants.outbound import Door
from testing_console.live import floor
from tests.conftest import Admitted
from tests.fakes.convlab_bot import convlab_bot
from tests.fakes.dialport_bot import dialport_bot

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def process(dialogue, tester, monkeypatch):
    """One server process after the other, each with nothing in its memory."""

    @asynccontextmanager
    async def begun(bot, protocol):
        monkeypatch.setattr(floor, "Door", lambda allowed: Door(frozenset({("127.0.0.1", bot.port)})))
        await Entry.objects.aupdate(url=bot.url, protocol=protocol)
        running = floor.Floor()

        async def say(key, text):
            await running.commands.take_turn(dialogue.pk, Admitted(tester), key=key, text=text)
            await running.drain(10)
            running.commands.is_draining = False
            return (await Turn.objects.order_by("number").alast()).texts

        async def end():
            await running.commands.end_dialogue(dialogue.pk, Admitted(tester), reason=EndReason.DONE)
            async with asyncio.timeout(10):
                while any(task.get_coro().__qualname__ == "_logged" for task in asyncio.all_tasks()):
                    await asyncio.sleep(0.01)

        try:
            yield say, end
        finally:
            await running.close()

    return begun


async def test_a_session_that_the_agent_named_goes_on_and_ends_in_another_process(process):
    with dialport_bot(names_sessions=True) as bot:
        async with process(bot, "dialport") as (say, _):
            assert await say("a", "去上海") == ["1: 去上海"]
        async with process(bot, "dialport") as (say, end):
            assert await say("b", "明天") == ["2: 明天"]
            await end()
        assert [path for path, _ in bot.asked] == ["/init", "/next", "/next", "/end"]
        assert [body["sessionID"] for _, body in bot.asked[1:]] == ["own-1"] * 3
        assert bot.turns == {}


async def test_the_state_of_an_agent_goes_on_in_another_process(process):
    with convlab_bot() as bot:
        async with process(bot, "convlab") as (say, _):
            assert await say("a", "去上海") == ["1 / 去上海"]
        async with process(bot, "convlab") as (say, end):
            assert await say("b", "明天") == ["2 / 去上海 / 明天"]
            await end()
        assert len(bot.asked) == 2, "the protocol has no word for the end"
