"""Background work survives errors: it is logged and begins anew, after pauses that grow up to a limit."""

import asyncio
import logging

import pytest
import redis
from django.db import OperationalError

from dialogues.actions import Outcome
from serving import background
from serving.background import Background, supervised
from testing_console.live import floor, recovery


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that were taken, none of which is waited for."""
    taken = []
    usual = asyncio.sleep

    async def sleep(delay):
        taken.append(delay)
        await usual(0)

    monkeypatch.setattr(background.asyncio, "sleep", sleep)
    return taken


def failing(n_times, error=ZeroDivisionError):
    left = [n_times]

    async def work():
        if left[0]:
            left[0] -= 1
            raise error("out of order")

    return work


async def test_work_that_fails_is_logged_with_its_traceback_and_begins_anew(pauses, caplog):
    await supervised("The counting", failing(2))
    assert pauses == [0.5, 1.0]
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2
    assert caplog.records[0].exc_info[0] is ZeroDivisionError
    assert "The counting failed and begins anew in 0.5 s." in caplog.text


async def test_the_pauses_grow_up_to_a_limit(pauses):
    await supervised("The counting", failing(7))
    assert pauses == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]


async def test_work_that_went_well_for_a_while_begins_anew_soon(pauses, monkeypatch):
    monkeypatch.setattr(background, "LONGEST_PAUSE_S", 0.05)
    n_runs = 0

    async def work():
        nonlocal n_runs
        n_runs += 1
        if n_runs == 4:
            await asyncio.wait_for(asyncio.Event().wait(), 0.1)
        if n_runs < 6:
            raise ZeroDivisionError

    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.01)
    await supervised("The counting", work)
    assert pauses == [0.01, 0.02, 0.04, 0.01, 0.02]


@pytest.mark.parametrize("away", [OperationalError, redis.ConnectionError])
async def test_a_database_or_redis_that_is_away_is_one_line_not_a_traceback(pauses, caplog, away):
    await supervised("The counting", failing(1, away))
    assert [(record.levelno, record.exc_info) for record in caplog.records] == [(logging.WARNING, None)]


async def test_what_is_kept_ends_when_it_is_cancelled():
    is_ended = asyncio.Event()

    async def work():
        try:
            await asyncio.Event().wait()
        finally:
            is_ended.set()

    kept = Background(asyncio.get_running_loop())
    kept.keep("The waiting", work)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    kept.cancel()
    await asyncio.wait_for(is_ended.wait(), 5)


async def test_what_runs_once_is_logged_when_it_fails(caplog):
    kept = Background(asyncio.get_running_loop())
    kept.once("The counting", failing(1)())
    await asyncio.sleep(0.05)
    assert "The counting failed." in caplog.text
    assert caplog.records[0].exc_info[0] is ZeroDivisionError


@pytest.mark.django_db(transaction=True)
def test_a_server_process_goes_on_sweeping_after_an_error(monkeypatch, caplog):
    n_sweeps = 0

    def sweep(**named):
        nonlocal n_sweeps
        n_sweeps += 1
        # Group commit makes a change that failed once more, alone.
        if n_sweeps <= 2:
            raise ZeroDivisionError
        return Outcome()

    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr(floor, "SWEEP_EVERY_S", 0.05)
    monkeypatch.setattr(recovery, "recover_interrupted", sweep)

    async def main():
        running = floor.current()
        async with asyncio.timeout(60):
            while n_sweeps < 4:
                await asyncio.sleep(0.02)
        await running.close()

    asyncio.run(main())
    assert "The sweep for interrupted turns failed" in caplog.text
