"""A second process beside the server that is started again whenever it ends."""

import subprocess
import sys
import threading
import time
from collections.abc import Sequence

PAUSE_S = 1.0


class KeptProcess:
    """Runs `manage.py <arguments>` as long as this process lives; a thread starts another one if it ends by itself.

    The kept process must watch for its parent's end: nobody tells it. It has a session of its own, so that Ctrl-C in a
    terminal reaches the server only, which lets turns in flight settle first.
    """

    def __init__(self, name: str, arguments: Sequence[str]) -> None:
        self._name = name
        self._command = [sys.executable, sys.argv[0], *arguments]
        self._process = self._start()
        threading.Thread(target=self._keep, name=f"keeps {name}", daemon=True).start()

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(self._command, start_new_session=True)

    def _keep(self) -> None:
        while True:
            status = self._process.wait()
            sys.stderr.write(f"{self._name} {self._process.pid} ended ({status}); starting another.\n")
            time.sleep(PAUSE_S)
            self._process = self._start()
