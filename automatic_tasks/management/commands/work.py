"""manage.py work: scores the runs in the queue. `manage.py serve` starts one; more of them share the work."""

import asyncio
import os
import signal
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError
from django.utils.module_loading import import_string

from automatic_tasks.runs.worker import Worker
from participants.allowed_addresses import renew_openings
from serving.background import Background
from serving.monitoring.log_lines import log_what_nobody_caught
from serving.own_host import listens_at

SUPERVISOR_LOOK_S = 0.5
NICENESS = 5


class Command(BaseCommand):
    help = "Scores the runs in the queue until it is ended (Ctrl-C, SIGTERM); what it was at goes back to the queue."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="end when nothing is left to do")
        parser.add_argument("--supervisor", type=int, help="end when this parent process ends (set by serve)")
        parser.add_argument("--beside-port", type=int, help="the server's port, where no service is (set by serve)")

    def handle(self, *, once: bool, supervisor: int | None, beside_port: int | None, **options: Any) -> None:
        if beside_port is not None:
            listens_at(beside_port)
        if settings.LOG_FORMAT == "json":
            log_what_nobody_caught()
        # Scoring is computation; the live dialogues of the same machine come first.
        os.nice(NICENESS)
        # Before the first run is taken; if the database is away, the chore reads them once it is back.
        with suppress(DatabaseError):
            renew_openings()
        n_runs = asyncio.run(work(until_empty=once, supervisor=supervisor))
        if once:
            self.stderr.write(f"{n_runs} runs taken from the queue.")


async def work(*, until_empty: bool, supervisor: int | None) -> int:
    worker = Worker()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, worker.stop)

    def watch() -> None:
        if supervisor is not None and os.getppid() != supervisor:
            worker.stop()
        else:
            loop.call_later(SUPERVISOR_LOOK_S, watch)

    watch()
    beside = Background(loop)
    for name, path in settings.WORKING_CHORES.items():
        beside.keep(name, import_string(path))
    try:
        return await worker.work(until_empty=until_empty)
    finally:
        beside.cancel()
