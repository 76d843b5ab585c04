"""Sends what is written as fast as its reader takes it, while it is written as fast as the machine can.

A bundle is of one state of the database, which must not be held for as long as somebody downloads. What is written ahead of
the reader waits in a temporary file.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from tempfile import TemporaryFile
from threading import Condition
from typing import IO

from django.db import connections

PIECE_BYTES = 1 << 16
PieceMaker = Callable[[], Iterator[bytes]]


class Unwanted(Exception):
    """Whoever read has left."""


def spooled(make: PieceMaker) -> Iterator[bytes]:
    """What `make` gives, which is called and read in a thread of its own. Errors: whatever that raises."""
    with TemporaryFile(buffering=0) as file:
        spool = _Spool(file)
        with ThreadPoolExecutor(1, thread_name_prefix="bundle") as thread:
            writing = thread.submit(spool.write_all, make)
            try:
                yield from spool.read_all()
                writing.result()
            finally:
                # Else the end of the pool would wait until all is written that nobody reads.
                spool.is_wanted = False


class _Spool:
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._grown = Condition()
        self._n_written = 0
        self._is_whole = False
        self.is_wanted = True

    def write_all(self, make: PieceMaker) -> None:
        try:
            with closing(make()) as pieces:  # type: ignore[type-var]
                for piece in pieces:
                    self._write(piece)
        except Unwanted:
            pass
        finally:
            connections.close_all()
            with self._grown:
                self._is_whole = True
                self._grown.notify()

    def _write(self, piece: bytes) -> None:
        if not self.is_wanted:
            raise Unwanted
        # Without a buffer a write may take a part only.
        left = memoryview(piece)
        while left:
            left = left[self._file.write(left) :]
        with self._grown:
            self._n_written += len(piece)
            self._grown.notify()

    def read_all(self) -> Iterator[bytes]:
        at = 0
        while n_ready := self._await_more_than(at):
            # `pread` leaves the place where the writer goes on.
            piece = os.pread(self._file.fileno(), min(n_ready, PIECE_BYTES), at)
            at += len(piece)
            yield piece

    def _await_more_than(self, at: int) -> int:
        """How many bytes there are beyond that place; 0 once all is read."""
        with self._grown:
            self._grown.wait_for(lambda: self._n_written > at or self._is_whole)
            return self._n_written - at
