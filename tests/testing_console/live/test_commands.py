"""What a server process does for the commands of sockets, beyond committing an action."""

import pytest
from django.utils import timezone

from campaigns.models import Campaign, Entry
from dialogues.models import Turn
from dialogues.turn_taking import Refusal
from participants.outbound import Door
from testing_console.live import floor
from tests.conftest import Admitted
from tests.fakes.raw_bots import http, raw_bot


@pytest.mark.django_db(transaction=True)
async def test_a_draft_that_was_admitted_after_the_socket_came_opens_its_dialogue_before_the_first_turn(
    dialogue, tester, monkeypatch
):
    async with raw_bot([http(b'{"text": "ok"}')]) as bot:
        monkeypatch.setattr(floor, "Door", lambda allowed: Door(frozenset({("127.0.0.1", bot.port)})))
        await Campaign.objects.aupdate(opened_by="bot")
        await Entry.objects.aupdate(url=bot.url, draft_since=timezone.now())
        running, where = floor.Floor(), (dialogue.pk, Admitted(tester))
        try:
            await running.commands.have_bot_open(*where)
            assert not await Turn.objects.aexists()
            await Entry.objects.aupdate(draft_since=None)
            with pytest.raises(Refusal) as refused:
                await running.commands.take_turn(*where, key="k", text="你好")
            assert refused.value.code == "opening_first"
            await running.drain(10)
            running.commands.is_draining = False
            assert (await running.commands.take_turn(*where, key="k", text="你好")).is_new
            await running.drain(10)
        finally:
            await running.close()
    told = [(turn.number, turn.text, turn.status) async for turn in Turn.objects.order_by("number")]
    assert told == [(0, "", "answered"), (1, "你好", "answered")]
