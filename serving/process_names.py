"""Names a process so that no other one shares its name, and tells whether a process of the same place has ended."""

import hashlib
import os
import secrets
import socket
from pathlib import Path

# Names that this process gave itself, so that a number that was given to us anew is told from our own.
_ours: set[str] = set()


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

    Of another place, or where our own cannot be told, nothing is known: what such a process holds has to run out.
    """
    its_place, _, rest = name.partition(":")
    number = rest.rpartition(":")[2]
    if not place or its_place != place or name in _ours or not (number.isascii() and number.isdecimal()):
        return False
    return int(number) == os.getpid() or not has_process(int(number))


def has_process(number: int) -> bool:
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def this_place() -> str:
    """Where process numbers mean what ours does: host, its boot and its space of processes; empty where nobody can say.

    The host name alone is not enough: two containers may share it, and each has its own process 1.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        processes = os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
    digest = hashlib.sha256(f"{boot} {processes}".encode()).hexdigest()
    return f"{host_name()}-{digest[:8]}"


def host_name() -> str:
    return socket.gethostname()[:25].replace(":", "-")
