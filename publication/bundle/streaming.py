"""A zip that is written piece by piece, as the same bytes each time, and sent as fast as its reader takes it.

A bundle is of one state of the database, which must not be held for as long as somebody downloads. Pieces written ahead of the reader wait in a
temporary file.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from tempfile import TemporaryFile
from threading import Condition
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.db import connections

from leaderboards.table_files.text_files import Sink

Member = tuple[str, Iterable[bytes]]


def zip_pieces(members: Iterable[Member]) -> Iterator[bytes]:
    """The zip of the named files, each given in chunks; every file has the date that zip begins with.

    A chunk is packed in a thread of its own while the next one is made: zlib leaves the interpreter to others.
    """
    sink = Sink()
    with ThreadPoolExecutor(1, thread_name_prefix="packing") as beside:
        with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
            for name, chunks in members:
                # Sizes are not known beforehand; a file may exceed 4 GiB.
                with archive.open(name, "w", force_zip64=True) as member:
                    packing = beside.submit(member.write, b"")
                    try:
                        for chunk in chunks:
                            # One chunk at a time: a zip has one order, and memory holds no more than two.
                            packing.result()
                            piece = sink.taken()
                            packing = beside.submit(member.write, chunk)
                            if piece:
                                yield piece
                        packing.result()
                    finally:
                        # A file must not be closed while it is being written.
                        wait([packing])
        # Never empty: the last file's end and the zip's directory.
        yield sink.taken()


PIECE_BYTES = 1 << 16
PieceMaker = Callable[[], Iterator[bytes]]


class Unwanted(Exception):
    """The reader has disconnected."""


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
                # Otherwise closing the pool would wait for bytes that have no reader.
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
