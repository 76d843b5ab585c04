"""A zip written piece by piece to whoever takes it, in constant memory and always as the same bytes. Pure."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from zipfile import ZIP_DEFLATED, ZipFile

Member = tuple[str, Iterable[bytes]]


class _Sink:
    """Collects what the zip writes until it is sent. Without `tell` and `seek`, `ZipFile` never goes back."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._written.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """`ZipFile` asks for it at the end."""

    def taken(self) -> bytes:
        piece = b"".join(self._written)
        self._written.clear()
        return piece


def zip_pieces(members: Iterable[Member]) -> Iterator[bytes]:
    """The zip of the named files, each given in chunks; every file has the date that zip begins with.

    A chunk is packed in a thread of its own while the next one is made: zlib leaves the interpreter to others.
    """
    sink = _Sink()
    with ThreadPoolExecutor(1, thread_name_prefix="packing") as beside:
        with ZipFile(sink, "w", ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
            for name, chunks in members:
                # Nobody knows beforehand whether a file stays below 4 GiB.
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
                        # Nobody closes a file that is being written.
                        wait([packing])
        # Never empty: the last file's end and the zip's directory.
        yield sink.taken()
