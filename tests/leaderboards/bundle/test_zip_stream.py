import io
import zipfile

from leaderboards.bundle.zip_stream import zip_pieces


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


def test_a_piece_is_sent_before_the_next_chunk_is_asked_for():
    asked = []

    def chunks():
        for n in range(3):
            asked.append(n)
            # Too random to be kept back by the compressor.
            yield bytes((n * 7919 + place * place) % 251 for place in range(200_000))

    pieces = zip_pieces([("a.bin", chunks())])
    assert next(pieces)
    assert asked == [0]


def test_no_piece_is_empty():
    assert all(zip_pieces([("a.txt", [b"", b"x", b""]), ("b.txt", [])]))
