"""A new Huace on a database of its own: what somebody does at a terminal who installs it, and nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from demo.sample_bots import free_port, wait_for_port
from demo.tied import start_tied
from demo.tournament import Workplace


class Installation:
    """Its server calls the bots at the given addresses and no others of this machine."""

    def __init__(self, workplace: Workplace, addresses: Sequence[str]) -> None:
        self.environment = os.environ | {
            "DATABASE_URL": workplace.database_url,
            "HUACE_OUTBOUND_ALLOW": ",".join(addresses),
        }

    def first_link(self) -> str:
        """Makes the tables; gives the link with which the site's first organizer gets in."""
        # Both in one process: most of what a command takes is the start of Python and Django.
        code = (
            "from django.core.management import call_command\n"
            "call_command('migrate', verbosity=0)\n"
            "call_command('invite', '--staff')"
        )
        command = [sys.executable, sys.argv[0], "shell", "-v0", "-c", code]
        done = subprocess.run(command, env=self.environment, check=True, capture_output=True)
        return done.stdout.decode().split(maxsplit=1)[0]

    @contextmanager
    def server(self) -> Iterator[str]:
        """The address of a server that runs inside the block."""
        port = free_port()
        server = start_tied([sys.argv[0], "serve", "--port", str(port), "--no-worker"], self.environment)
        try:
            wait_for_port(port, server, "The server")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()
