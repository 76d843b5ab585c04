"""Runs the checks that people asked for, and takes the fingerprints that are due, beside the sockets of a server process."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.utils import timezone

from conformance.actions.checks import (
    LEASE,
    claim_check,
    end_check,
    give_back,
    leave_to_others,
    note_results,
)
from conformance.actions.fingerprints import claim_fingerprint, finish_fingerprint
from conformance.canary_calls import CALL_FAILED, HELD_UP, NOT_IN_TIME, SECRET_LOST, taken_of
from conformance.clock import Clock
from conformance.examiner import Limits, NoReply
from conformance.models import AnyCheck, CheckState
from conformance.probes.outcomes import detail_of
from conformance.results import Result
from conformance.subjects import checked_subject
from conformance.system_kinds import BOTS, SystemKind
from participants.failures import BotFailure
from participants.outbound import Door
from participants.secrets import SecretLost
from reading.findings import Finding, sentence
from serving.actions import end_leases
from serving.database_threads import DatabaseThread
from serving.jobs import carry_out_due, job
from serving.processes import ProcessName

logger = logging.getLogger("huace.conformance")

LOOK_EVERY_S = 1.0
LOOK_FOR_FINGERPRINTS_EVERY_S = 60.0
CHECKS_AT_ONCE = 4
NOTE_EVERY_S = 0.5
RENEW_S = LEASE.total_seconds() / 3


async def keep_checks() -> None:
    """Runs checks of bots for as long as the server process runs."""
    await run_keeper(BOTS, lambda keeper: keeper.run_checks())


async def keep_fingerprints() -> None:
    """Takes fingerprints of bots for as long as the server process runs, one at a time."""
    await run_keeper(BOTS, lambda keeper: keeper.take_fingerprints())


async def run_keeper(kind: SystemKind, does: Callable[["Keeper"], Awaitable[None]]) -> None:
    """Has a keeper of that kind do this, and closes it."""
    keeper = Keeper(kind=kind)
    try:
        await does(keeper)
    finally:
        await keeper.close()


class Keeper:
    """The door and the database thread for one kind of systems. `limits` are given by tests alone."""

    def __init__(self, limits: Callable[[Any], Limits] | None = None, kind: SystemKind = BOTS) -> None:
        self._process = ProcessName()
        self.name = self._process.name
        self._kind, self._limits = kind, limits or kind.limits_of
        self._door = Door(settings.OUTBOUND_ALLOW)
        self._thread = DatabaseThread("conformance")
        self.in_database = self._thread.run

    async def close(self) -> None:
        self._thread.end()
        await self._door.close()

    # -- checks -------------------------------------------------------------------------------------------------------

    async def run_checks(self) -> None:
        running = self._kind.checks_with_systems().filter(state=CheckState.RUNNING)
        await self.in_database(end_leases, running, is_dead=self._process.is_ended, at=timezone.now())
        await carry_out_due(
            lambda: self.in_database(claim_check, self._kind, worker=self.name, at=timezone.now()),
            self._carry_out, at_once=CHECKS_AT_ONCE, every_s=LOOK_EVERY_S,
        )  # fmt: skip

    async def _carry_out(self, check: AnyCheck) -> None:
        with job("check", check=check.pk):
            await self.run(check)

    async def run(self, check: AnyCheck) -> None:
        """One check from claim to end; whatever breaks, it gets a state that moves on."""
        results: list[Result] = []
        checking = asyncio.create_task(self._check(check, results.append))
        try:
            await self._follow(check, checking, results)
        except asyncio.CancelledError:
            await self._stopped(checking)
            with contextlib.suppress(RuntimeError):
                await self.in_database(give_back, check=check, worker=self.name)
            raise
        except Exception:
            await self._stopped(checking)
            logger.exception("Check %s broke off (attempt %s).", check.pk, check.n_attempts)
            await self.in_database(leave_to_others, check=check, worker=self.name)

    async def _follow(self, check: AnyCheck, checking: asyncio.Task[None], results: list[Result]) -> None:
        """Stores what is found while it is found; ends the check, or leaves it where it is another's by now."""
        n_stored, clock = 0, asyncio.get_running_loop().time
        stored_at = clock()
        while not (await asyncio.wait({checking}, timeout=NOTE_EVERY_S))[0]:
            if len(results) == n_stored and clock() - stored_at < RENEW_S:
                continue
            n_stored, stored_at = len(results), clock()
            said = {"results": list(results), "at": timezone.now()}
            if not await self.in_database(note_results, check=check, worker=self.name, **said):
                await self._stopped(checking)
                return
        await checking
        said = {"results": results, "at": timezone.now()}
        await self.in_database(end_check, self._kind, check=check, worker=self.name, **said)

    async def _check(self, check: Any, tell: Callable[[Result], None]) -> None:
        subject = await self.in_database(self._kind.subject_of, check.subject)
        # What the check says it was of; the secret and the options are those of now.
        subject = replace(subject, protocol=check.protocol)
        await checked_subject(subject, self._door, limits=self._limits(check.subject), on_result=tell)

    async def _stopped(self, checking: asyncio.Task[None]) -> None:
        checking.cancel()
        await asyncio.gather(checking, return_exceptions=True)

    # -- fingerprints -------------------------------------------------------------------------------------------------

    async def take_fingerprints(self) -> None:
        while True:
            begun = await self.in_database(claim_fingerprint, self._kind, at=timezone.now())
            if begun is None:
                await asyncio.sleep(LOOK_FOR_FINGERPRINTS_EVERY_S)
            else:
                await self.take(begun)

    async def take(self, begun: Any) -> None:
        answers, version, failure = list[list[str]](), "", None
        limits = self._limits(begun.subject)
        # One after the other: a slow bot delays all others, by this much at most.
        clock = Clock(limits.print_s, limits.total_wait_s, self._door.watch)
        try:
            subject = await self.in_database(self._kind.subject_of, begun.subject)
            async with clock.limit:
                answers, version = await taken_of(subject, self._door, limits, clock.call)
        except TimeoutError:
            late = sentence(NOT_IN_TIME, seconds=f"{limits.print_s:g}")
            failure = sentence(HELD_UP) if clock.stands else late
        except NoReply as no_reply:
            failure = _call_failed(no_reply.failure)
        except BotFailure as failed:
            failure = _call_failed(failed)
        except SecretLost:
            failure = sentence(SECRET_LOST)
        said = {"answers": answers, "version": version, "failure": failure, "at": timezone.now()}
        await self.in_database(finish_fingerprint, self._kind, begun=begun, **said)


def _call_failed(failure: BotFailure) -> Finding:
    return sentence(CALL_FAILED, failure=failure.kind.value, detail=detail_of(failure))
