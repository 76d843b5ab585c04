"""A freeze says how far it is while its bundle is read from one state of the database."""

import asyncio
import contextlib
import logging

import pytest
from django.db import DatabaseError
from django.utils import timezone

from campaigns.models import Campaign
from leaderboards import computations
from leaderboards.computations import one_state_of_the_database
from publication import chores as keeping
from publication.actions import freezing as freeze_progress
from publication.actions.freezing import carry_out_orders, noting_beside
from publication.actions.ordering import order_freeze
from publication.chores import keep_publications, look
from publication.models import FreezeOrder, Publication


@pytest.fixture
def order(scored, monkeypatch):
    monkeypatch.setattr(computations, "NOTED_EVERY_S", 0)
    now = timezone.now()
    return FreezeOrder.objects.create(campaign=scored, asked_at=now, next_at=now, hides_teams=True)


@pytest.mark.django_db(transaction=True)
def test_what_is_noted_while_one_state_is_read_is_stored_and_that_state_goes_on(order):
    rows = FreezeOrder.objects.filter(pk=order.pk)
    with noting_beside(rows) as note:
        assert rows.get().percent_done == 0
        with one_state_of_the_database():
            assert rows.get().percent_done == 0
            note(0.5)
            # The bundle's connection reads on what was there when it began.
            assert rows.get().percent_done == 0
    assert rows.get().percent_done == 50


@pytest.mark.django_db(transaction=True)
def test_a_freeze_goes_on_where_its_progress_cannot_be_noted(order, monkeypatch, caplog):
    calls = []

    def failing(rows, report):
        def note(share):
            calls.append(share)
            raise DatabaseError("locked")

        return note

    monkeypatch.setattr(freeze_progress, "noting_progress", failing)
    with caplog.at_level(logging.WARNING), noting_beside(FreezeOrder.objects.all()) as note:
        note(0.5)
    assert calls == [0.5]
    assert "the progress of a freeze was not noted" in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize("hides_teams", [False, True])
def test_an_order_says_how_much_is_done_and_since_when(hides_teams, order, organizer, monkeypatch):
    now, seen = timezone.now(), []
    order_freeze(campaign=order.campaign, hides_teams=hides_teams, by=organizer, at=now)
    noting = freeze_progress.noting_progress

    def spied(rows, report):
        note = noting(rows, report)

        def told(share):
            note(share)
            stored = rows.get()
            seen.append((stored.began_at, stored.percent_done))

        return told

    monkeypatch.setattr(freeze_progress, "noting_progress", spied)
    assert carry_out_orders(at=now) == 1
    percents = [percent for _, percent in seen]
    assert {began_at for began_at, _ in seen} == {now}
    assert percents == sorted(percents)
    assert (percents[0] < 50, percents[-1]) == (True, 100)
    assert len(set(percents)) > 5


@pytest.mark.django_db(transaction=True)
def test_what_a_file_asks_for_is_published_soon(scored, monkeypatch):
    monkeypatch.setattr(keeping, "LOOK_EVERY_S", 0.01)
    Campaign.objects.update(is_published=True)

    async def until_published():
        kept = asyncio.create_task(keep_publications())
        async with asyncio.timeout(60):
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
