"""A server process carries out what was ordered, and what a campaign's file asks for, beside its sockets."""

import asyncio
import contextlib

import pytest

from campaigns.models import Campaign
from publication import chores as keeping
from publication.chores import keep_publications, look
from publication.models import Publication


@pytest.mark.django_db(transaction=True)
def test_what_a_file_asks_for_is_published_soon(scored, monkeypatch):
    monkeypatch.setattr(keeping, "LOOK_EVERY_S", 0.01)
    Campaign.objects.update(is_published=True)

    async def until_published():
        kept = asyncio.create_task(keep_publications())
        async with asyncio.timeout(20):
            while not await asyncio.to_thread(Publication.objects.exists):
                await asyncio.sleep(0.01)
        kept.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await kept

    asyncio.run(until_published())


@pytest.mark.django_db(transaction=True)
def test_one_look_orders_and_carries_out(scored):
    Campaign.objects.update(is_published=True)
    look()
    assert Publication.objects.count() == 1
