"""Scores what is in the queue: checks runs, calls services, compares runs; several services at the same time."""

import asyncio
import contextlib
import logging
import os
import threading

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_noop

from automatic_tasks.actions import refresh_outdated_board_statistics, refresh_outdated_combined_statistics
from automatic_tasks.models import Run, RunState
from automatic_tasks.runs.failures import RunFailure, failure_of
from automatic_tasks.runs.queue import (
    LEASE,
    Lane,
    Troubles,
    claim_run,
    fail_run,
    finish_run,
    give_back,
    give_back_unharmed,
    pause_s,
    renew_lease,
    report_presence,
)
from automatic_tasks.runs.scores import check_again, compare_boards, scores_of
from automatic_tasks.service_runs import ServiceRun, in_database, in_thread
from participants.outbound import Door
from reading.findings import Finding
from scoring.task_types.contract import CheckedRun
from serving.actions import end_leases
from serving.jobs import job
from serving.processes import ProcessName

log = logging.getLogger("huace.automatic_tasks")

SERVICES_AT_ONCE = 50
LOOK_S = 0.5
LOOK_FOR_STATISTICS_S = 5.0
RENEW_S = LEASE.total_seconds() / 3
LONGEST_PAUSE_S = 60.0
# `work --once` gives up after as many failures of one step in a row; a worker that serves goes on.
TRIES_ONCE = 3
# Honest files take seconds. A thread cannot be stopped, so the whole process ends; its supervisor starts another, which
# takes up what else was under way.
SCORING_LIMIT_S = 600.0
TOO_SLOW = gettext_noop("Scoring took longer than %(minutes)s minutes.")
BROKEN = gettext_noop("The platform could not score this run (%(error)s).")


class WorkEnded(Exception):
    """The worker ends: nobody waits for what is being computed."""


class Worker:
    """Takes runs from the queue until it is told to stop. One a process."""

    def __init__(self) -> None:
        self._process = ProcessName()
        self.name = self._process.name
        self.troubles = Troubles()
        self._n_in_a_row: dict[str, int] = {}
        self._stop = asyncio.Event()
        # For the thread that computes statistics: a thread cannot be stopped from outside.
        self._has_ended = threading.Event()
        self._door = Door(settings.OUTBOUND_ALLOW)

    def stop(self) -> None:
        self._stop.set()

    async def work(self, *, until_empty: bool = False) -> int:
        """Runs both lanes; gives how many runs were taken. With `until_empty` it ends when nothing is due."""
        try:
            running = Run.objects.filter(state=RunState.RUNNING)
            await in_database(end_leases, running, is_dead=self._process.is_ended, at=timezone.now())
        except Exception as broken:
            # Leases of the dead run out by themselves.
            self._note("ending the leases of dead workers", broken)
        beside = [asyncio.create_task(self._report())]
        if not until_empty:
            beside.append(asyncio.create_task(self._keep_statistics()))
        try:
            taken = await asyncio.gather(
                self._lane("files", 1, until_empty), self._lane("services", SERVICES_AT_ONCE, until_empty)
            )
            while until_empty and not await in_thread(compare_boards):
                pass
            if until_empty:
                await self._compute_statistics()
            return sum(taken)
        finally:
            self._has_ended.set()
            for task in beside:
                task.cancel()
            await self._door.close()

    async def _report(self) -> None:
        while True:
            try:
                await in_database(report_presence, worker=self.name, at=timezone.now(), troubles=self.troubles)
                self._worked("reporting")
            except Exception as broken:
                self._note("reporting", broken)
            await asyncio.sleep(RENEW_S)

    async def _keep_statistics(self) -> None:
        """Beside the queue, in a thread of their own: no run waits for them."""
        while True:
            await self._compute_statistics()
            await asyncio.sleep(LOOK_FOR_STATISTICS_S)

    async def _compute_statistics(self) -> None:
        try:
            await in_thread(self._refresh_statistics)
            self._worked("statistics")
        except Exception as broken:
            self._note("statistics", broken)

    def _refresh_statistics(self) -> None:
        refresh_outdated_board_statistics(at=timezone.now(), report_progress=self._stop_at_the_end)
        refresh_outdated_combined_statistics(at=timezone.now(), report_progress=self._stop_at_the_end)

    def _stop_at_the_end(self, share: float) -> None:
        if self._has_ended.is_set():
            raise WorkEnded

    async def _lane(self, lane: Lane, at_once: int, until_empty: bool) -> int:
        """Scoring takes turns, since it is computation; services are waited for side by side."""
        n_taken, running = 0, set[asyncio.Task[None]]()
        while not self._stop.is_set():
            # Before anything waits: a finished task among them would end every wait at once.
            running = self._still_running(running)
            try:
                run = await self._claim(lane) if len(running) < at_once else None
                if lane == "files" and run is None and not running:
                    await in_thread(compare_boards)
                self._worked(lane)
            except Exception as broken:
                # An unforeseen error must not end the worker: it would restart and meet the error again, for ever.
                n_in_a_row = self._note(lane, broken)
                if until_empty and n_in_a_row >= TRIES_ONCE:
                    raise
                await self._pause(pause_s(n_in_a_row, longest_s=LONGEST_PAUSE_S))
                continue
            if run is not None:
                n_taken += 1
                running.add(asyncio.create_task(self._work_on(run)))
            elif until_empty and not running:
                break
            else:
                stopping = asyncio.create_task(self._stop.wait())
                await asyncio.wait({stopping, *running}, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
                stopping.cancel()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._still_running(running)
        return n_taken

    async def _claim(self, lane: Lane) -> Run | None:
        run: Run | None = await in_database(claim_run, worker=self.name, lane=lane, at=timezone.now())
        return run

    def _still_running(self, running: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
        """The tasks that are not done. A failed task leaves its run to the next worker that finds the lease expired."""
        for task in running:
            if not task.done() or task.cancelled():
                continue
            if (broken := task.exception()) is None:
                self._worked("giving a run back")
            else:
                self._note("giving a run back", broken)
        return {task for task in running if not task.done()}

    def _note(self, step: str, broken: BaseException) -> int:
        """Logs and counts an error that nobody foresaw; gives how many times in a row the step has failed."""
        self._n_in_a_row[step] = n_in_a_row = self._n_in_a_row.get(step, 0) + 1
        log.error("The worker's step “%s” failed, %s times in a row.", step, n_in_a_row, exc_info=broken)
        self.troubles = Troubles(self.troubles.n + 1, f"{step}: {type(broken).__name__}: {broken}", timezone.now())
        return n_in_a_row

    def _worked(self, step: str) -> None:
        self._n_in_a_row[step] = 0

    async def _pause(self, longest_s: float) -> None:
        """Until the time is up or the worker is told to stop; a run that ends meanwhile does not cut it short."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), longest_s)

    async def _work_on(self, run: Run) -> None:
        with job("run", run=run.pk):
            await self._take(run)

    async def _take(self, run: Run) -> None:
        """One run from claim to end, its lease renewed meanwhile; whatever breaks, the run gets a state that moves on."""
        working = asyncio.create_task(self._score(run))
        ends_at = asyncio.get_running_loop().time() + SCORING_LIMIT_S
        try:
            while not (await asyncio.wait({working}, timeout=RENEW_S))[0]:
                if not await self._renewed(run):
                    working.cancel()
                    return
                if not run.is_service and asyncio.get_running_loop().time() > ends_at:
                    reason = Finding("", TOO_SLOW, {"minutes": f"{SCORING_LIMIT_S / 60:g}"})
                    await self._fail(run, RunFailure(Run.Fault.TEAM, [reason]))
                    end_process()
            await working
        except asyncio.CancelledError:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
            await in_database(give_back_unharmed, run=run, worker=self.name)
            raise
        except Exception as broken:
            log.exception("Run %s could not be scored (attempt %s).", run.pk, run.n_attempts)
            unforeseen = RunFailure(Run.Fault.PLATFORM, [Finding("", BROKEN, {"error": type(broken).__name__})])
            failure = failure_of(broken) or unforeseen
            await in_database(give_back, run=run, worker=self.name, fault=failure.fault, reasons=failure.reasons)

    async def _renewed(self, run: Run) -> bool:
        """False where the run is another worker's. Where nobody can say, work goes on: every write is bound to our name."""
        try:
            is_held: bool = await in_database(renew_lease, run=run, worker=self.name, at=timezone.now())
        except Exception as broken:
            self._note("renewing a lease", broken)
            return True
        self._worked("renewing a lease")
        return is_held

    async def _score(self, run: Run) -> None:
        try:
            checked = await self._checked(run)
            scores = await in_thread(scores_of, run, checked)
        except Exception as broken:
            failure = failure_of(broken)
            if failure is None or failure.may_pass:
                raise
            await self._fail(run, failure)
            return
        warnings = [warning.to_json() for warning in checked.warnings]
        await in_database(finish_run, run=run, worker=self.name, scores=scores, warnings=warnings, at=timezone.now())

    async def _checked(self, run: Run) -> CheckedRun:
        if run.is_service:
            return await ServiceRun(run, self._door).ask()
        return await in_thread(check_again, run)

    async def _fail(self, run: Run, failure: RunFailure) -> None:
        said = {"fault": failure.fault, "reasons": failure.reasons}
        await in_database(fail_run, run=run, worker=self.name, **said, at=timezone.now())


def end_process() -> None:
    log.error("Scoring took longer than %s s; the worker ends itself to be started anew.", SCORING_LIMIT_S)
    os._exit(1)
