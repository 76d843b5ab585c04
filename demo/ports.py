"""Whether a port is free, and who holds it where the system tells (Linux's /proc)."""

import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"


@dataclass(frozen=True, slots=True)
class Holder:
    pid: int
    command: str

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command})"


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def holder_of(port: int) -> Holder | None:
    """The process that listens on the port; None where the system or its user's rights do not tell."""
    wanted = {f"socket:[{inode}]" for inode in _listening_inodes(port)}
    if not wanted:
        return None
    for process in sorted(PROC.glob("[0-9]*"), key=lambda path: int(path.name)):
        with suppress(OSError):  # of another user, or gone in between
            if any(os.readlink(fd) in wanted for fd in (process / "fd").iterdir()):
                words = (process / "cmdline").read_bytes().rstrip(b"\x00").split(b"\x00")
                return Holder(int(process.name), b" ".join(words).decode("utf-8", "replace"))
    return None


def _listening_inodes(port: int) -> set[str]:
    inodes = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (PROC / "net" / table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                    inodes.add(fields[9])
    return inodes
