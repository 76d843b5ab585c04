"""Carries out rehearsals beside the sockets of a server process: a scripted tester over the installation's own API and sockets."""

import asyncio
import contextlib
import logging
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone
from django.utils.translation import override

from reading.kinds import LANGUAGES
from serving.actions import end_leases
from serving.database_threads import DatabaseThread
from serving.jobs import carry_out_due, job
from serving.own_host import noted_address
from serving.processes import ProcessName
from simulation.actions.rehearsing import (
    Begun,
    begin,
    claim_rehearsal,
    end_rehearsal,
    give_back,
    is_wanted,
    leave_to_others,
)
from simulation.models import Rehearsal, RehearsalState
from simulation.program import Program
from simulation.running import Progress, run_dialogues
from simulation.scripted import ScriptedTester

logger = logging.getLogger("huace.simulation")

LOOK_EVERY_S = 1.0
# Of different campaigns.
REHEARSALS_AT_ONCE = 2
STOPPED = "stopped"


async def keep_rehearsals() -> None:
    """Carries out rehearsals for as long as the server process runs."""
    keeper = RehearsalKeeper()
    try:
        await keeper.run()
    finally:
        keeper.close()


class RehearsalKeeper:
    """The database thread and the server's own address; `base` is given by tests alone."""

    def __init__(self, base: str = "") -> None:
        self._process, self._base = ProcessName(), base
        self._thread = DatabaseThread("rehearsals")
        self.in_database = self._thread.run

    def close(self) -> None:
        self._thread.end()

    async def run(self) -> None:
        running = Rehearsal.objects.filter(state=RehearsalState.RUNNING)
        await self.in_database(end_leases, running, is_dead=self._process.is_ended, at=timezone.now())
        await carry_out_due(
            lambda: self.in_database(claim_rehearsal, worker=self._process.name, at=timezone.now()),
            self._carry_out, at_once=REHEARSALS_AT_ONCE, every_s=LOOK_EVERY_S,
        )  # fmt: skip

    async def _carry_out(self, rehearsal: Rehearsal) -> None:
        """One rehearsal from claim to end; whatever breaks, it gets a state that moves on."""
        with job("rehearsal", rehearsal=rehearsal.pk):
            try:
                await self._rehearse(rehearsal)
            except asyncio.CancelledError:
                with contextlib.suppress(RuntimeError):
                    await self.in_database(give_back, rehearsal=rehearsal)
                raise
            except Exception:
                logger.exception("Rehearsal %s broke off (attempt %s).", rehearsal.pk, rehearsal.n_attempts)
                await self.in_database(leave_to_others, rehearsal=rehearsal)

    async def _rehearse(self, rehearsal: Rehearsal) -> None:
        """Plays what is left and keeps checking whether it is still wanted; players hear of a stop before their next move."""
        begun = await self.in_database(begin, rehearsal=rehearsal)
        if begun is None:
            return
        progress = Progress(len(begun.left))
        playing = asyncio.create_task(self._play(rehearsal, begun, progress))
        noted = set[int]()

        def not_noted() -> dict[int, str]:
            return {one: why for one, why in progress.broken.items() if one not in noted}

        is_over = False
        wanted: bool | None = True
        try:
            while not is_over:
                broken = not_noted()
                wanted = await self.in_database(is_wanted, rehearsal=rehearsal, broken=broken, at=timezone.now())
                if wanted is None:
                    return
                noted |= broken.keys()
                if not wanted:
                    progress.stopped = STOPPED
                is_over = bool((await asyncio.wait({playing}, timeout=LOOK_EVERY_S))[0])
            await playing
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        if wanted and progress.stopped:
            # It was not stopped: its token is gone, and the next attempt has a new one.
            await self.in_database(leave_to_others, rehearsal=rehearsal)
            return
        said = {"broken": not_noted(), "is_stopped": not wanted, "at": timezone.now()}
        await self.in_database(end_rehearsal, rehearsal=rehearsal, **said)

    async def _play(self, rehearsal: Rehearsal, begun: Begun, progress: Progress) -> None:
        language = rehearsal.campaign.language
        player = ScriptedTester(language, lambda: progress.stopped == STOPPED)
        base = self._base or noted_address()
        host = urlsplit(settings.SITE_URL).netloc
        # What cannot go on says why in this language.
        with override(LANGUAGES[language]):
            async with Program(base, begun.token, language=language, host=host) as program:
                await run_dialogues(
                    begun.left, lambda assignment: player, program, parallel=rehearsal.at_once, progress=progress,
                    report=lambda progress: None,
                )  # fmt: skip
