"""A download is read piece by piece, in one thread that is not the pages'."""

import asyncio
import threading
import time

import pytest
from django.utils.translation import get_language, override

from leaderboards.exports.downloads import Download, ReadAhead


def download(pieces):
    return Download(pieces, name="turns.csv", content_type="text/csv")


async def test_at_most_one_piece_is_read_ahead_of_the_client():
    read = []

    def pieces():
        for n in range(3):
            read.append((n, threading.current_thread().name))
            yield f"{n}\n"

    taken = []
    async for piece in download(pieces()):
        # Longer than a piece takes: what is not read by now is not read before this one was taken.
        await asyncio.sleep(0.05)
        taken.append((piece, len(read)))
    assert taken == [(b"0\n", 2), (b"1\n", 3), (b"2\n", 3)]
    (thread,) = {name for _, name in read}
    assert thread.startswith("download")


def test_the_file_has_a_name():
    assert download(iter(())).headers["Content-Disposition"] == 'attachment; filename="turns.csv"'


def test_who_leaves_has_the_pieces_closed_in_their_own_thread():
    """They may hold a state of the database, which is given back by the connection that reads it."""
    closed = threading.Event()
    threads = []

    def pieces():
        try:
            for n in range(100):
                threads.append(threading.current_thread().name)
                yield b"%d\n" % n
        finally:
            threads.append(threading.current_thread().name)
            closed.set()

    async def read_one():
        reading = aiter(download(pieces()))
        await anext(reading)
        await reading.aclose()

    asyncio.run(read_one())
    assert closed.wait(10)
    assert len(set(threads)) == 1


async def test_a_block_is_read_in_its_own_thread_while_the_one_before_is_written():
    threads, read, written = {"read": set(), "write": set()}, [], []

    def rows():
        for n in range(4):
            read.append(n)
            threads["read"].add(threading.current_thread().name)
            yield [[n]]

    def pieces():
        for ((n,),) in blocks:
            threads["write"].add(threading.current_thread().name)
            # Longer than a block takes: the next one is read by now, and no other.
            time.sleep(0.05)
            written.append((n, len(read)))
            yield f"{n}\n".encode()

    blocks = ReadAhead(rows())
    made = [piece async for piece in Download(pieces(), name="a", content_type="text/csv", blocks=blocks)]
    assert made == [b"0\n", b"1\n", b"2\n", b"3\n"]
    assert written == [(0, 2), (1, 3), (2, 4), (3, 4)]
    (reader,), (writer,) = threads["read"], threads["write"]
    assert reader.startswith("download-reader")
    assert reader != writer


async def test_what_goes_wrong_while_a_block_is_read_ends_the_download():
    def rows():
        yield [[1]]
        raise OSError("the database is gone")

    blocks = ReadAhead(rows())
    pieces = (b"x" for _ in blocks)
    with pytest.raises(OSError, match="the database is gone"):
        [piece async for piece in Download(pieces, name="a", content_type="text/csv", blocks=blocks)]


async def test_a_file_is_in_the_language_of_the_request_that_ended_before_it_was_read():
    with override("en"):
        blocks = ReadAhead([[get_language()]] for _ in range(2))
    with override("zh-hans"):
        pieces = (rows[0][0].encode() for rows in blocks)
        made = [piece async for piece in Download(pieces, name="a", content_type="text/csv", blocks=blocks)]
    assert made == [b"en", b"en"]


def test_without_a_server_blocks_are_read_where_they_are_written():
    here = threading.current_thread()
    assert list(ReadAhead(threading.current_thread() for _ in range(2))) == [here, here]
