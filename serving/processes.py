"""Processes: names that no other process shares, whether one has ended, a bound on heaps, and a second process beside the server."""

import ctypes
import hashlib
import logging
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

logger = logging.getLogger("huace.server")

# <malloc.h> of glibc.
M_ARENA_MAX = -8
N_HEAPS = 2
PAUSE_S = 1.0
# Names that this process gave itself, so that a reused number is told from our own.
_ours: set[str] = set()
# Processes of other machines whose beat was seen to stand still (serving/machines.py).
_ended: frozenset[str] = frozenset()


class ProcessName:
    """The name under which this process holds what it works on (waiting turns, runs), and a look at other holders."""

    def __init__(self) -> None:
        self.place = this_place()
        self.name = new_name(self.place or host_name(), os.getpid())

    def is_ended(self, name: str) -> bool:
        return is_ended(name, place=self.place)


def new_name(place: str, pid: int) -> str:
    """Place, a random token and the process number: containers may share a host name, and numbers in them."""
    name = f"{place}:{secrets.token_hex(4)}:{pid}"
    _ours.add(name)
    return name


def is_ended(name: str, *, place: str) -> bool:
    """Whether the process certainly ended: of the same place, and no process has its number, or it is ours now.

    Of another place its beat says so. Where that says nothing, or our own place cannot be told, what such a process holds has to run out.
    """
    if name in _ended:
        return True
    its_place, _, rest = name.partition(":")
    number = rest.rpartition(":")[2]
    if not place or its_place != place or name in _ours or not (number.isascii() and number.isdecimal()):
        return False
    return int(number) == os.getpid() or not has_process(int(number))


def note_ended(names: frozenset[str]) -> None:
    """These processes of other machines have ended; callable from any thread."""
    global _ended
    _ended = names


def has_process(number: int) -> bool:
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def this_place() -> str:
    """The machine: host, its boot, its space of processes and `HUACE_HOME`; empty where nobody can say.

    The host name alone is not enough: two containers may share it, and each has its own process 1.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        processes = os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
    digest = hashlib.sha256(f"{boot} {processes} {Path(settings.VAR_DIR).resolve()}".encode()).hexdigest()
    return f"{host_name()}-{digest[:8]}"


def host_name() -> str:
    return socket.gethostname()[:25].replace(":", "-")


def share_heaps() -> bool:
    """Bounds the process to two heaps of glibc; call it before threads start. False where the C library has no such bound.

    glibc gives each new thread a heap, up to eight per processor, and keeps what a heap was once given: a flood through all threads of
    a pool costs memory once per thread. Python runs one thread at a time, so two are enough.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return set_option(M_ARENA_MAX, N_HEAPS) == 1


class KeptProcess:
    """A second process beside the server.

    Runs `manage.py <arguments>` as long as this process lives; a thread starts another one if it ends by itself.

    The second process must watch for its parent's end itself. It has its own session, so that Ctrl-C in a
    terminal reaches the server only, which lets turns in flight settle first.
    """

    def __init__(self, name: str, arguments: Sequence[str]) -> None:
        self._command = [sys.executable, sys.argv[0], *arguments]
        self._process = self._start()
        threading.Thread(target=self._keep, name=f"keeps {name}", daemon=True).start()

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(self._command, start_new_session=True)

    def _keep(self) -> None:
        while True:
            status = self._process.wait()
            logger.error("A process beside the server, %d, ended (%d); starting another.", self._process.pid, status)
            time.sleep(PAUSE_S)
            self._process = self._start()
