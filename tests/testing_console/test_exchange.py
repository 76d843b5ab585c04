"""The live side of a process: what it books for a turn."""

from dataclasses import replace

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from participants.adapters import BotAddress
from participants.outbound import Door
from testing_console import exchange
from testing_console.actions import open_chosen_dialogue
from testing_console.models import Turn
from testing_console.reading import briefing
from tests.conftest import Admitted
from tests.fakes.raw_bots import http, raw_bot


@pytest.mark.django_db(transaction=True)
async def test_the_wait_for_a_connection_of_ours_is_not_booked_to_the_bot(campaign, tester, monkeypatch):
    """One connection, three turns at once, a bot that takes 1 s: the last reply comes after 3 s."""

    def open_dialogues():
        entry, scenario = campaign.entries.get(), campaign.scenarios.get()
        return [
            open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now()).pk
            for _ in range(3)
        ]

    dialogues = await sync_to_async(open_dialogues)()
    async with raw_bot([1.0, http(b'{"text": "ok"}')]) as bot:
        narrow = Door(frozenset({("127.0.0.1", bot.port)}), connections_per_bot=1)
        monkeypatch.setattr(exchange, "Door", lambda allowed: narrow)
        running = exchange.Exchange()
        try:
            for dialogue_id in dialogues:
                brief = await sync_to_async(briefing)(dialogue_id)
                running.brief(dialogue_id, replace(brief, bot=BotAddress("huace/1", bot.url)))
                await running.take_turn(dialogue_id, Admitted(tester), key="k", text="你好")
            await running.drain(10)
        finally:
            await running.close()
    turns = [turn async for turn in Turn.objects.all()]
    assert [turn.status for turn in turns] == ["answered"] * 3
    assert all(1000 <= turn.latency_ms < 1900 for turn in turns), [turn.latency_ms for turn in turns]
