"""A download is read piece by piece, in one thread that is not the pages'."""

import asyncio
import threading

from leaderboards.downloads import Download


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
