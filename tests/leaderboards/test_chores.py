"""A server process computes outdated leaderboards beside its sockets, and ends without waiting for one."""

import asyncio
import contextlib
import threading
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from campaigns.actions import note_changed_scores
from leaderboards import chores as keeping
from leaderboards import computations
from leaderboards.chores import keep_leaderboards, keep_statistics
from leaderboards.computations import claim, noting_progress
from leaderboards.live_board import stored_board


@pytest.mark.django_db(transaction=True)
def test_a_leaderboard_is_computed_soon_after_scores_changed(campaign, monkeypatch):
    monkeypatch.setattr(keeping, "LOOK_EVERY_S", 0.01)
    note_changed_scores(campaign=campaign)
    campaign.refresh_from_db()

    async def until_computed():
        kept = asyncio.create_task(keep_leaderboards())
        async with asyncio.timeout(60):
            while (await asyncio.to_thread(stored_board, campaign)).is_outdated:
                await asyncio.sleep(0.01)
        kept.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await kept

    asyncio.run(until_computed())


@pytest.mark.django_db(transaction=True)
def test_statistics_are_computed_beside_the_board_and_stop_at_the_end(campaign, monkeypatch):
    monkeypatch.setattr(keeping, "LOOK_FOR_STATISTICS_EVERY_S", 0.01)
    has_begun, has_stopped = threading.Event(), threading.Event()

    def refresh(*, at, report_progress):
        has_begun.set()
        try:
            while True:
                report_progress(0.5)
                time.sleep(0.01)
        finally:
            has_stopped.set()

    monkeypatch.setattr(keeping, "refresh_outdated_statistics", refresh)

    async def begin_and_end():
        kept = asyncio.create_task(keep_statistics())
        assert await asyncio.to_thread(has_begun.wait, 20)
        kept.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await kept
        assert await asyncio.to_thread(has_stopped.wait, 20)

    asyncio.run(begin_and_end())


async def test_the_end_does_not_wait_for_a_board_that_is_being_computed(monkeypatch):
    is_computing, may_end = threading.Event(), threading.Event()

    def refresh(at):
        is_computing.set()
        may_end.wait(20)
        return 0

    monkeypatch.setattr(keeping, "LOOK_EVERY_S", 0.0)
    monkeypatch.setattr(keeping, "refresh_outdated_leaderboards", refresh)
    monkeypatch.setattr(keeping, "compute_asked_previews", lambda at: 0)
    kept = asyncio.create_task(keep_leaderboards())
    await asyncio.to_thread(is_computing.wait, 20)
    kept.cancel()
    try:
        async with asyncio.timeout(60):
            with contextlib.suppress(asyncio.CancelledError):
                await kept
    finally:
        may_end.set()


@pytest.mark.django_db
def test_one_process_computes_a_row_and_it_says_since_when(campaign):
    board, now, later = campaign.stored_boards.create(key="statistics"), timezone.now(), timedelta(minutes=2)
    rows = campaign.stored_boards.all()
    assert claim(rows, at=now, given_up_after=later)
    assert not claim(rows, at=now + timedelta(seconds=119), given_up_after=later)
    board.refresh_from_db()
    assert board.began_at == now
    assert claim(rows, at=now + later, given_up_after=later), "whoever began is gone"
    board.refresh_from_db()
    assert board.began_at == now + later


@pytest.mark.django_db
def test_progress_is_noted_once_a_second_at_most(campaign, monkeypatch):
    board, at = campaign.stored_boards.create(key="statistics"), iter([0.0, 0.0, 0.9, 1.0, 1.0])
    monkeypatch.setattr(computations, "time", SimpleNamespace(monotonic=lambda: next(at)))
    note = noting_progress(campaign.stored_boards.all(), lambda share: None)
    note(0.5)
    board.refresh_from_db()
    assert board.percent_done == 0
    note(0.7)
    board.refresh_from_db()
    assert board.percent_done == 70


@pytest.mark.django_db
def test_whoever_ends_the_computation_has_nothing_noted(campaign):
    board = campaign.stored_boards.create(key="statistics")

    def end(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        noting_progress(campaign.stored_boards.all(), end)
    board.refresh_from_db()
    assert board.percent_done is None
