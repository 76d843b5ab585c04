"""Dialogues that are over, with a system that listens."""

import asyncio
import contextlib
import time

import pytest
from django.db import connections
from django.utils import timezone
from django.utils.translation import override

from dialogues.models import Dialogue, Turn
from replays import keeper as keeper_module
from replays.actions.asking import ask_replays
from replays.keeper import ReplayKeeper
from tests.fakes.bots import fake_bot
from tests.reviews.conftest import closed_dialogue


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(keeper_module, "LOOK_EVERY_S", 0.02)


@pytest.fixture
def bot():
    with fake_bot() as bot:
        yield bot


@pytest.fixture
def entry(campaign, bot, settings):
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", bot.port)})
    campaign.entries.update(url=bot.url)
    return campaign.entries.select_related("campaign", "bot__team").get()


def talked(campaign, tester, *lines, **values):
    """A closed dialogue of these lines, each with its answer; None: no answer."""
    dialogue = closed_dialogue(campaign, tester, n_turns=len(lines), **values)
    for number, (text, answer) in enumerate(lines, start=1):
        said = {"status": "failed", "texts": []} if answer is None else {"texts": [answer]}
        Turn.objects.filter(dialogue=dialogue, number=number).update(text=text, **said)
    return dialogue


def asked_for(dialogue, entry, **how):
    (replay,) = ask_replays(
        campaign=entry.campaign, dialogues=Dialogue.objects.filter(pk=dialogue.pk), against=entry, by=None,
        at=timezone.now(), **how,
    )  # fmt: skip
    return replay


def run_until(is_done, limit_s=60):
    """Runs a keeper until that is so, and stops it."""

    def look():
        try:
            return is_done()
        finally:
            # Another thread's connection would keep the test's database from being dropped.
            connections.close_all()

    async def running():
        keeper = ReplayKeeper()
        task = asyncio.create_task(keeper.run())
        try:
            ends_at = time.monotonic() + limit_s
            while not await asyncio.to_thread(look):
                assert time.monotonic() < ends_at, "it takes too long"
                await asyncio.sleep(0.02)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await keeper.close()

    asyncio.run(running())
