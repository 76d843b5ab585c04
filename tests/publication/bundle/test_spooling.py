"""What a slow reader takes was written at full speed; who leaves stops the writing."""

import threading
import time
from contextlib import closing

import pytest

from publication.bundle.streaming import PIECE_BYTES, spooled


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
