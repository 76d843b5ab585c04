"""The worker's loop: an error that nobody foresaw is logged, counted and put off, and the work goes on."""

import asyncio
import os
import time

import pytest
from django.db import OperationalError
from django.utils import timezone

from automatic_tasks.actions import submit_file_run
from automatic_tasks.models import Run, RunState, WorkerPresence
from automatic_tasks.runs import worker as workers
from automatic_tasks.runs.queue import claim_run, fail_run, finish_run, renew_lease
from automatic_tasks.runs.worker import Worker
from serving.actions import end_leases
from serving.processes import ProcessName

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def run(quality, team, good_run) -> Run:
    return submit_file_run(
        task=quality, team=team, person=None, content=good_run, file_name="run.json", at=timezone.now()
    )


def failing_at_first(step, n_failures):
    """The step, whose first calls end as if the database were locked."""
    calls = []

    def call(*args, **kwargs):
        calls.append(1)
        if len(calls) <= n_failures:
            raise OperationalError("database is locked")
        return step(*args, **kwargs)

    return call


@pytest.mark.parametrize("step", ["claim_run", "compare_boards", "report_presence", "end_leases"])
def test_an_error_of_one_step_does_not_end_the_worker(run, monkeypatch, step):
    monkeypatch.setattr(workers, step, failing_at_first(getattr(workers, step), 2 if step == "claim_run" else 1))
    monkeypatch.setattr(workers, "pause_s", lambda n, longest_s: 0.01)
    monkeypatch.setattr(workers, "RENEW_S", 0.05)
    worker = Worker()

    async def serve() -> None:
        working = asyncio.create_task(worker.work())
        for _ in range(400):
            await asyncio.sleep(0.05)
            reported = await WorkerPresence.objects.filter(n_troubles__gte=1).aexists()
            if reported and await Run.objects.filter(state=RunState.SCORED).aexists():
                break
        worker.stop()
        await working

    asyncio.run(serve())
    run.refresh_from_db()
    assert run.state == RunState.SCORED
    presence = WorkerPresence.objects.get()
    assert presence.n_troubles == worker.troubles.n >= 1
    assert presence.trouble.endswith("OperationalError: database is locked")
    assert presence.trouble_at is not None


def test_a_step_that_goes_on_failing_is_put_off_longer_each_time(run, monkeypatch):
    pauses = []

    def noted(n, longest_s):
        pauses.append(n)
        return 0.0

    monkeypatch.setattr(workers, "claim_run", failing_at_first(workers.claim_run, 1000))
    monkeypatch.setattr(workers, "pause_s", noted)
    with pytest.raises(OperationalError):
        asyncio.run(Worker().work(until_empty=True))
    assert sorted(pauses)[-1] == workers.TRIES_ONCE - 1


def test_a_run_that_ended_meanwhile_does_not_cut_the_pause_after_an_error_short(team, quality, monkeypatch):
    """A service run is taken and over; then nothing can be claimed for 1.5 s, with pauses of 0.5 s."""
    n_claims = []

    def claim(*, worker, lane, at):
        if lane == "files":
            return None
        n_claims.append(at)
        if len(n_claims) == 1:
            return Run(task=quality, team=team, url="http://203.0.113.5/")
        raise OperationalError("database is locked")

    async def over_at_once(self, run):
        return None

    monkeypatch.setattr(workers, "claim_run", claim)
    monkeypatch.setattr(workers, "pause_s", lambda n, longest_s: 0.5)
    monkeypatch.setattr(Worker, "_take", over_at_once)
    worker = Worker()

    async def serve() -> int:
        asyncio.get_running_loop().call_later(1.5, worker.stop)
        return await worker.work()

    assert asyncio.run(serve()) == 1
    assert 2 <= len(n_claims) <= 5


def test_a_worker_that_is_told_to_stop_ends_its_pause(quality, monkeypatch):
    monkeypatch.setattr(workers, "claim_run", failing_at_first(workers.claim_run, 1000))
    monkeypatch.setattr(workers, "pause_s", lambda n, longest_s: 300.0)
    worker = Worker()

    async def serve() -> None:
        asyncio.get_running_loop().call_later(0.5, worker.stop)
        await asyncio.wait_for(worker.work(), 30)

    asyncio.run(serve())


def test_a_lease_that_cannot_be_renewed_for_a_moment_costs_no_work(run, monkeypatch):
    renew = failing_at_first(workers.renew_lease, 1)
    monkeypatch.setattr(workers, "renew_lease", renew)
    monkeypatch.setattr(workers, "RENEW_S", 0.05)
    score = workers.scores_of
    monkeypatch.setattr(workers, "scores_of", lambda *args: (slow(), score(*args))[1])
    assert asyncio.run(Worker().work(until_empty=True)) == 1
    run.refresh_from_db()
    assert (run.state, run.n_attempts) == (RunState.SCORED, 1)


@pytest.mark.parametrize(("step", "name"), [("report_presence", "reporting"), ("renew_lease", "renewing a lease")])
def test_a_failure_after_a_success_is_the_first_in_a_row_again(run, monkeypatch, caplog, step, name):
    """Every second call fails."""
    does, calls = getattr(workers, step), []

    def every_second_time(*args, **kwargs):
        calls.append(1)
        if len(calls) % 2:
            raise OperationalError("database is locked")
        return does(*args, **kwargs)

    monkeypatch.setattr(workers, step, every_second_time)
    monkeypatch.setattr(workers, "RENEW_S", 0.05)
    score = workers.scores_of
    monkeypatch.setattr(workers, "scores_of", lambda *args: (until(lambda: len(calls) >= 6), score(*args))[1])
    asyncio.run(Worker().work(until_empty=True))
    said = [record.getMessage() for record in caplog.records if name in record.getMessage()]
    assert len(said) >= 3
    assert set(said) == {f"The worker's step “{name}” failed, 1 times in a row."}


def test_a_run_that_is_not_given_back_after_one_that_ended_well_is_the_first_in_a_row_again(caplog):
    worker = Worker()

    async def ended(error):
        async def task():
            if error:
                raise error

        made = asyncio.create_task(task())
        await asyncio.wait({made})
        return worker._still_running({made})

    async def serve() -> None:
        for error in (OSError("a"), None, OSError("b"), OSError("c")):
            assert await ended(error) == set()

    asyncio.run(serve())
    assert [record.getMessage().rpartition(", ")[2] for record in caplog.records] == [
        "1 times in a row.",
        "1 times in a row.",
        "2 times in a row.",
    ]


def until(reached, limit_s=30.0) -> None:
    ends_at = time.monotonic() + limit_s
    while not reached() and time.monotonic() < ends_at:
        time.sleep(0.02)


def slow() -> None:
    time.sleep(0.3)


def test_two_workers_of_the_same_host_name_and_number_never_share_a_lease(quality, team, good_run):
    one, other = Worker(), Worker()
    assert one.name.rpartition(":")[2] == other.name.rpartition(":")[2] == str(os.getpid())
    run = submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r", at=timezone.now())
    now = timezone.now()
    assert claim_run(worker=one.name, lane="files", at=now).worker == one.name
    assert end_leases(Run.objects.all(), is_dead=ProcessName().is_ended, at=now) == 0
    assert claim_run(worker=other.name, lane="files", at=now) is None
    assert not renew_lease(run=run, worker=other.name, at=now)
    assert not finish_run(run=run, worker=other.name, scores={}, warnings=[], at=now)
    fail_run(run=run, worker=other.name, fault="team", reasons=[], at=now)
    assert Run.objects.get().state == RunState.RUNNING
    assert renew_lease(run=run, worker=one.name, at=now)
