"""Children that end with their parent, however it ends.

The parent holds the writing end of a pipe and never writes; the child waits on the reading end. Only the system closes
the writing end of a process that was killed with -9, on Linux as on macOS. Run as a script, this file is the child: it
waits in a thread and runs the real script in the same process.
"""

import os
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

# A server lets turns in flight settle after SIGTERM; what has not ended by then never will.
END_LIMIT_S = 20.0


def start_tied(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> "subprocess.Popen[bytes]":
    """Runs a Python script in a session of its own, so that Ctrl-C reaches the parent only; it ends with this process."""
    reading, writing = os.pipe()
    try:
        # The writing end is inherited by nobody: a second holder would keep the child alive.
        command = [sys.executable, str(Path(__file__).resolve()), str(reading), *arguments]
        child = subprocess.Popen(command, env=environment, pass_fds=[reading], start_new_session=True)
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    _held[child.pid] = writing
    return child


# Open as long as this process lives; a child that has ended minds nothing.
_held: dict[int, int] = {}


def _end_with_parent(reading: int) -> None:
    while os.read(reading, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_LIMIT_S)
    os.kill(os.getpid(), signal.SIGKILL)


def _run(reading: int, script: str, arguments: Sequence[str]) -> None:
    threading.Thread(target=_end_with_parent, args=[reading], name="ends with its parent", daemon=True).start()
    sys.argv = [script, *arguments]
    sys.path[0] = str(Path(script).resolve().parent)
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    _run(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
