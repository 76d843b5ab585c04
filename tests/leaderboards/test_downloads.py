"""A download is read piece by piece, in one thread that is not the pages'."""

import threading

from leaderboards.downloads import Download


def download(pieces):
    return Download(pieces, name="turns.csv", content_type="text/csv")


async def test_a_piece_is_read_when_the_one_before_was_taken():
    read = []

    def pieces():
        for n in range(3):
            read.append((n, threading.current_thread().name))
            yield f"{n}\n"

    taken = [(piece, len(read)) async for piece in download(pieces())]
    assert taken == [(b"0\n", 1), (b"1\n", 2), (b"2\n", 3)]
    (thread,) = {name for _, name in read}
    assert thread.startswith("download")


def test_the_file_has_a_name():
    assert download(iter(())).headers["Content-Disposition"] == 'attachment; filename="turns.csv"'
