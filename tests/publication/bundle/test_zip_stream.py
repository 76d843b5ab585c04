import io
import random
import threading
import zipfile

import pytest

from publication.bundle.streaming import zip_pieces


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
