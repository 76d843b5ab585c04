"""The bot speaks first: over a real server, and through a kill of it."""

from contextlib import contextmanager

import pytest

from tests.live.server import live
from tests.waiting import soon

pytestmark = pytest.mark.server


@contextmanager
def bots_first(server, bot):
    server.database.execute("UPDATE campaigns_campaign SET opened_by = ?", "bot")
    try:
        yield
    finally:
        server.database.execute("UPDATE campaigns_campaign SET opened_by = ?", "tester")
        bot.opening = "!greet"


@pytest.fixture
def first(server, bot):
    with bots_first(server, bot):
        yield server


async def test_the_bot_is_asked_before_the_tester_is_told_anything(first, bot):
    dialogue = first.open_dialogue()
    async with first.socket(dialogue) as client, first.socket(dialogue) as second:
        state = await client.next()
        assert (state["type"], state["turns_used"]) == ("dialogue.state", 0)
        # A quick bot has answered by then.
        assert (state["waiting"], state["last_seq"]) in {(0, 1), (None, 2)}
        done = await client.until("reply.done")
        assert (done["turn"], done["texts"]) == (0, ["您好，请问要订什么？"])
        await client.exchange("你好")
        assert await client.all_events() == await second.all_events()
    async with first.socket(dialogue, after=2) as again:
        assert [event["seq"] for event in await again.all_events()] == [3, 4]
    assert [(number, text) for number, _, text, _ in first.turns(dialogue)] == [(0, ""), (1, "你好")]
    asked = [request for request in bot.requests if request["dialogue"] == dialogue]
    assert [(one["turn"], one["text"], one["history"]) for one in asked] == [
        (0, "", []),
        (1, "你好", [{"role": "bot", "text": "您好，请问要订什么？"}]),
    ]
    first.check_invariants()


async def test_an_opening_survives_the_kill_of_its_server(tmp_path, bot):
    bot.opening = "!hang"
    with live(tmp_path, bot.url) as server, bots_first(server, bot):
        dialogue = server.open_dialogue()
        async with server.socket(dialogue) as client:
            await client.until("turn.accepted")
        server.kill()
        bot.opening = "!greet"
        server.start()
        await soon(lambda: server.turns(dialogue)[0][3] == "failed", 30)
        async with server.socket(dialogue) as client:
            failed = await client.until("turn.failed")
            assert (failed["turn"], failed["fault"], failed["retryable"]) == (0, "platform", True)
            assert (await client.exchange("你好"))["code"] == "opening_first"
            await client.send(type="turn.retry", turn=0)
            assert (await client.until("reply.done"))["turn"] == 0
        server.check_invariants()
