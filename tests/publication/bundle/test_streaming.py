"""What a slow reader takes was written at full speed; who leaves stops the writing."""

import io
import random
import threading
import time
import zipfile
from contextlib import closing

import pytest

from publication.bundle.streaming import PIECE_BYTES, spooled, zip_pieces
from publication.bundle.writing import RowsWritten, expected_rows


def test_the_pieces_are_a_zip_of_the_files():
    content = b"".join(zip_pieces([("a.txt", [b"one", b"two"]), ("b.txt", [])]))
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    assert {name: archive.read(name) for name in archive.namelist()} == {"a.txt": b"onetwo", "b.txt": b""}


def test_the_same_files_give_the_same_bytes_at_any_time():
    made = [b"".join(zip_pieces([("a.txt", [b"x" * n for n in range(100)])])) for _ in range(2)]
    assert made[0] == made[1]
    (info,) = zipfile.ZipFile(io.BytesIO(made[0])).infolist()
    assert info.date_time == (1980, 1, 1, 0, 0, 0)


def test_no_more_than_one_chunk_is_asked_for_before_a_piece_is_sent():
    asked = []

    def chunks():
        for n in range(3):
            asked.append(n)
            # Too random to be kept back by the compressor.
            yield random.Random(n).randbytes(200_000)

    pieces = zip_pieces([("a.bin", chunks())])
    # The head of the file comes before any chunk is packed.
    assert next(pieces)
    assert asked == [0]
    assert next(pieces)
    assert asked == [0, 1]


def test_no_piece_is_empty():
    assert all(zip_pieces([("a.txt", [b"", b"x", b""]), ("b.txt", [])]))


def test_what_nobody_reads_to_its_end_leaves_no_thread_behind():
    pieces = zip_pieces([("a.bin", [bytes((n * n) % 251 for n in range(200_000))] * 3)])
    assert next(pieces)
    pieces.close()
    assert not [one for one in threading.enumerate() if one.name.startswith("packing")]


def test_an_error_of_the_chunks_is_that_of_the_zip():
    def chunks():
        yield b"one"
        raise OSError("the database is gone")

    with pytest.raises(OSError, match="the database is gone"):
        list(zip_pieces([("a.txt", chunks())]))


def waited(condition):
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.01)
    return False


def test_everything_comes_in_order():
    pieces = [bytes([n % 256]) * (n * 1013) for n in range(1, 60)]
    got = list(spooled(lambda: iter_of(pieces)))
    assert b"".join(got) == b"".join(pieces)
    assert max(map(len, got)) <= PIECE_BYTES


def iter_of(pieces):
    yield from pieces


def test_the_first_piece_comes_before_the_last_is_written():
    may_go_on = threading.Event()

    def made():
        yield b"first"
        assert may_go_on.wait(10)
        yield b"last"

    reading = spooled(made)
    assert next(reading) == b"first"
    may_go_on.set()
    assert list(reading) == [b"last"]


def test_the_writer_does_not_wait_for_its_reader():
    n_made = []

    def made():
        for n in range(200):
            n_made.append(n)
            yield bytes(1 << 16)

    with closing(spooled(made)) as reading:
        next(reading)
        assert waited(lambda: len(n_made) == 200)


def test_the_writer_gives_back_what_it_holds_when_its_reader_leaves():
    given_back = threading.Event()

    def made():
        try:
            while True:
                yield b"x"
                time.sleep(0.001)
        finally:
            given_back.set()

    reading = spooled(made)
    next(reading)
    reading.close()
    assert given_back.is_set()


def test_what_the_writer_cannot_do_its_reader_hears():
    def made():
        yield b"x"
        raise OSError(28, "No space left on device")

    reading = spooled(made)
    with pytest.raises(OSError, match="No space left"):
        b"".join(reading)


pytestmark = pytest.mark.django_db


def test_the_share_is_that_of_the_rows_that_went_by_and_never_more_than_all(campaign, dialogue):
    dialogue.turns_used, dialogue.last_seq = 3, 8
    dialogue.save()
    # The dialogue and its assignment, three turns and requests, eight lines of the ledger.
    assert expected_rows(campaign) == 16
    shares = []
    chunks = [(b"", 0), (b"ab", 4), (b"c", 12), (b"{}", None), (b"d", 5)]
    assert list(RowsWritten(campaign, shares.append).counted(chunks)) == chunks
    assert shares == [0, 0.25, 1, 1]
