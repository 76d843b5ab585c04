"""manage.py serve: the one way to run the server, embedded or grown."""

import logging
import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from serving.machines import CannotServe, refuse_what_cannot_work
from serving.monitoring.log_lines import log_what_nobody_caught
from serving.monitoring.metrics import CountedTogether
from serving.monitoring.tracing import begin_traces, refuse_traces_without_library
from serving.own_host import listens_at, note_address
from serving.processes import KeptProcess, share_heaps

logger = logging.getLogger("huace.server")

DRAIN_LIMIT_S = 30.0
LOOK_EVERY_S = 0.2
RESTART_AFTER_S = 0.5


class Command(BaseCommand):
    help = "Runs the server (Daphne). SIGTERM or Ctrl-C drains it: turns in flight are settled, sockets told why."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--processes", type=int, default=1)
        parser.add_argument("--drain", type=float, default=DRAIN_LIMIT_S, help="seconds that turns in flight get")
        parser.add_argument("--replace", action="store_true", help="serve beside machines with another version")
        parser.add_argument("--no-worker", action="store_true", help="score no automatic tasks beside the server")
        parser.add_argument("--migrate", action="store_true", help="bring the database up to date first")
        parser.add_argument("--fd", type=int, help="serve on this inherited listening socket (set by --processes)")
        parser.add_argument("--supervisor", type=int, help="end when this process ends (set by --processes)")

    def handle(
        self,
        *,
        host: str,
        port: int,
        processes: int,
        drain: float,
        replace: bool,
        no_worker: bool,
        migrate: bool,
        fd: int | None,
        supervisor: int | None,
        **options: Any,
    ) -> None:
        share_heaps()
        if settings.LOG_FORMAT == "json":
            log_what_nobody_caught()
        if fd is not None:
            run_process(socket.socket(fileno=fd), drain, supervisor)
        if migrate:
            call_command("migrate", verbosity=0)
        self.refuse_half_set_up(processes, may_differ=replace)
        listening = self.listen(host, port)
        self.tell_address(host, listening.getsockname()[1])
        note_address(host, listening.getsockname()[1])
        if not no_worker:
            # It ends by itself when this process does, however that happens.
            said = ["--supervisor", str(os.getpid()), "--beside-port", str(listening.getsockname()[1])]
            KeptProcess("The worker", [*settings.SERVING_COMPANION, *said])
        if processes == 1:
            run_process(listening, drain)
        Supervisor(listening, processes, drain).run()

    def tell_address(self, host: str, port: int) -> None:
        if settings.LOG_FORMAT == "json":
            logger.info("Huace listens on port %d.", port)
        else:
            where = f"[{host}]" if ":" in host else host
            self.stderr.write(f"Huace listens on http://{where}:{port}/")

    def refuse_half_set_up(self, processes: int, *, may_differ: bool) -> None:
        refuse_traces_without_library()
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError("The database is not up to date: run `python manage.py migrate` first.")
        if processes > 1 and connection.vendor != "sqlite" and not settings.REDIS_URL:
            raise CommandError(
                "Several processes on this database need REDIS_URL: without it their sockets would not hear each other."
            )
        # Warnings are printed, such as that of a trail that does not verify; errors end the start.
        self.check(tags=[Tags.database], databases=["default"])
        try:
            refuse_what_cannot_work(may_differ=may_differ)
        except CannotServe as hindered:
            raise CommandError(str(hindered)) from hindered
        connection.close()

    @staticmethod
    def listen(host: str, port: int) -> socket.socket:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
        except OSError as taken:
            raise CommandError(f"{host}:{port} cannot be used: {taken.strerror}. Choose another --port.") from taken
        listening.listen(1024)
        listening.setblocking(False)
        return listening


class Supervisor:
    """Runs the server processes on one listening socket; one that dies is started again."""

    def __init__(self, listening: socket.socket, n_processes: int, drain_s: float) -> None:
        self._listening = listening
        self._n_processes = n_processes
        self._drain_s = drain_s
        self._children: list[subprocess.Popen[bytes]] = []
        self._is_ending = False

    def run(self) -> None:
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGINT, self._end)
        counted = CountedTogether()
        self._children = [self._start() for _ in range(self._n_processes)]
        while not self._is_ending:
            time.sleep(LOOK_EVERY_S)
            for place, child in enumerate(self._children):
                if child.poll() is not None and not self._is_ending:
                    logger.error("Server process %d ended (%d); starting another.", child.pid, child.returncode)
                    counted.ended(child.pid)
                    time.sleep(RESTART_AFTER_S)
                    self._children[place] = self._start()
        # None is started any more, so all are told. While a copy is open, the system accepts connections that are never answered.
        self._listening.close()
        for child in self._children:
            child.terminate()
        for child in self._children:
            child.wait()
        counted.close()

    def _start(self) -> "subprocess.Popen[bytes]":
        fd = self._listening.fileno()
        # Told by number: a process that asked for its parent might do so after that one was killed, and never end.
        command = [sys.executable, sys.argv[0], "serve", "--fd", str(fd), "--drain", str(self._drain_s)]
        command += ["--supervisor", str(os.getpid())]
        return subprocess.Popen(command, pass_fds=[fd])

    def _end(self, *_: object) -> None:
        self._is_ending = True


def run_process(listening: socket.socket, drain_s: float, supervisor: int | None = None) -> None:
    """Serves until SIGTERM, SIGINT or the death of its supervisor, then drains; never returns."""
    # Importing Daphne's server installs its reactor, so it must not happen in a process that only supervises.
    from serving.server.daphne_server import serve

    listens_at(listening.getsockname()[1])
    begin_traces()
    serve(listening, drain_s, supervisor)
    sys.stderr.flush()
    # Twisted's exit handlers were seen to crash the interpreter after all work was done (Python 3.11.7).
    os._exit(0)
