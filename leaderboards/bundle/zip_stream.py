"""A zip written piece by piece to whoever takes it, in constant memory and always as the same bytes. Pure."""

from collections.abc import Iterable, Iterator
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
    """The zip of the named files, each given in chunks; every file has the date that zip begins with."""
    sink = _Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for name, chunks in members:
            # Nobody knows beforehand whether a file stays below 4 GiB.
            with archive.open(name, "w", force_zip64=True) as member:
                for chunk in chunks:
                    member.write(chunk)
                    if piece := sink.taken():
                        yield piece
    # Never empty: the last file's end and the zip's directory.
    yield sink.taken()
