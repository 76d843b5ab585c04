"""Places at a bot that all processes of a machine share: each place is one byte of a file, locked while somebody has it.

The system releases the locks of a process that dies. They are locks of the open file, not of the process, so that two event
loops of a process are told apart, too. Each of them opens the file for itself.
"""

import errno
import fcntl
import hashlib
import os
import random
import struct
from collections import deque
from typing import Self

from participants.limits import PARALLEL_LIMIT

# A bot has so many bytes: one per place, and one that is locked, for reading, by all who wait for a place.
BYTES_OF_A_BOT = 1024
WAITING = BYTES_OF_A_BOT - 1
assert WAITING >= PARALLEL_LIMIT
# How many places one claim tries. Each try walks all locks of the file, on the event loop: where four processes have taken
# 1,000 places, 128 tries take 0.5 ms and 1,000 take 5 ms.
TRIED_PER_CLAIM = 128
# struct flock of Linux: kind, whence, start, length, process.
LOCK = struct.Struct("hhqqi4x")


class LockFile:
    """The file, opened for one event loop. `name` tells installations apart that share the folder. Errors: `OSError`."""

    _file = -1

    def __init__(self, path: str, name: str) -> None:
        if not hasattr(fcntl, "F_OFD_SETLK"):
            raise OSError(errno.ENOSYS, "this system has no locks of open files")
        self._name = name
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_why: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Unlocks everything."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def prove(self) -> None:
        """Does once what turns do, at a bot that nobody has. Errors: `OSError` where files open but cannot be locked (NFS, FUSE)."""
        places = self.places_of("", 1)
        places.do_others_wait()
        places.wait(is_waiting=True)
        places.wait(is_waiting=False)
        # Another process may prove the same at the same moment.
        if places.claim():
            places.release()

    def places_of(self, bot: str, n_places: int) -> "SharedPlaces":
        digest = hashlib.sha256(f"{self._name}\n{bot}".encode()).digest()
        # 50 bits: no two bots meet in one place, and the end of the file stays within what a lock may name.
        return SharedPlaces(self, (int.from_bytes(digest[:8]) >> 14) * BYTES_OF_A_BOT, n_places)

    def lock(self, byte: int, kind: int) -> bool:
        """Locks or unlocks without waiting; False where another has it."""
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, LOCK.pack(kind, os.SEEK_SET, byte, 1, 0))
        except BlockingIOError:
            return False
        return True

    def is_locked_by_others(self, byte: int) -> bool:
        asked = LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0)
        found = fcntl.fcntl(self._file, fcntl.F_OFD_GETLK, asked)
        return bool(LOCK.unpack(found)[0] != fcntl.F_UNLCK)


class SharedPlaces:
    """The places at one bot, of which this event loop has some. Touched on the event loop only."""

    def __init__(self, file: LockFile, start: int, n_places: int) -> None:
        self._file, self._start = file, start
        self._mine: list[int] = []
        self._is_waiting = False
        self.have(n_places)

    def have(self, n_places: int) -> None:
        """Applies to new places; holders beyond the limit keep theirs."""
        # Each begins elsewhere: the first place that it tries is most likely free.
        first = random.randrange(n_places)
        self._others = deque(i for i in [*range(first, n_places), *range(first)] if i not in self._mine)
        self._n_places = n_places

    def claim(self) -> bool:
        """One more place; False where others have all that were tried, which come last in the next attempt."""
        for _ in range(min(TRIED_PER_CLAIM, len(self._others))):
            if self._file.lock(self._start + self._others[0], fcntl.F_WRLCK):
                self._mine.append(self._others.popleft())
                return True
            self._others.rotate(-1)
        return False

    def release(self) -> None:
        place = self._mine.pop()
        self._file.lock(self._start + place, fcntl.F_UNLCK)
        if place < self._n_places:
            self._others.appendleft(place)

    def wait(self, *, is_waiting: bool) -> None:
        """Tells the others whether somebody here waits for a place that they have."""
        if is_waiting != self._is_waiting:
            self._is_waiting = is_waiting
            self._file.lock(self._start + WAITING, fcntl.F_RDLCK if is_waiting else fcntl.F_UNLCK)

    def do_others_wait(self) -> bool:
        return self._file.is_locked_by_others(self._start + WAITING)
