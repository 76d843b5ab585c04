"""Reads the zip of a bundle from an untrusted source: by known names alone, in bounded memory. Pure.

Nothing is ever unpacked to disk, and no file is read that does not belong to a bundle.
"""

import hashlib
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from verification.bundle_format import CAMPAIGN, MANIFEST, files_of_bundle
from verification.findings import Findings, Unreadable, shown

AT_ONCE = 1 << 20
# What is read whole; the others are read line by line.
DOCUMENT_LIMIT_BYTES = 16 << 20
LINE_LIMIT_BYTES = 16 << 20
# Lines of dialogues pack to a twentieth; a bomb of zeros to a thousandth.
HIGHEST_RATIO = 400
SMALL_BYTES = 1 << 20
IS_ENCRYPTED = 0x1
BROKEN = (BadZipFile, zlib.error, struct.error, EOFError, OSError, NotImplementedError, ValueError, IndexError)
T = TypeVar("T")


@dataclass(slots=True)
class Read:
    """What was seen of a file while reading it."""

    digest: str = ""
    n_bytes: int = 0
    n_lines: int = 0
    # Whether a colon may stand apart from its key, as no bundle is written: then keys cannot be counted by what follows a quote.
    is_spaced: bool = False


def digest_of(path: Path) -> str:
    """SHA-256 of the whole file, as publications cite it."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as bad:
        raise Unreadable(f"{path} cannot be read: {bad.strerror}.") from bad


class Archive:
    """An opened bundle. `seen` holds what every file was when it was read to its end, `files` what there must be beside the manifest."""

    def __init__(self, path: Path) -> None:
        self._zip = _told(lambda: ZipFile(path), f"{path.name} is no zip, or it is cut off")
        self.files = files_of_bundle(self._zip.namelist())
        self._infos: dict[str, ZipInfo] = {}
        self.seen: dict[str, Read] = {}
        # By file, where the manifest says that it is of the format before.
        self.former_columns: Mapping[str, tuple[str, ...]] = {}
        # One thread for all files: a zip gives one piece at a time.
        self._ahead = ThreadPoolExecutor(1, thread_name_prefix="unpacking")

    def check_names(self, findings: Findings) -> None:
        """Every file of a bundle is in the zip, once, and none besides."""
        counts = Counter(info.filename for info in self._zip.infolist())
        for name, n in counts.items():
            if name not in (*self.files, MANIFEST):
                findings.note(shown(name), "is in the zip, but does not belong to a bundle")
            elif n > 1:
                findings.note(name, f"is in the zip {n} times")
        for name in (*self.files, MANIFEST):
            if name not in counts:
                findings.note(name, "is missing")
        for problem in _told(lambda: list(strange_bytes(self._zip)), "The zip cannot be read"):
            findings.note("zip", problem)
        self._infos = {info.filename: info for info in self._zip.infolist() if info.filename in (*self.files, MANIFEST)}
        for info in self._infos.values():
            _check_harmless(info)

    @property
    def has_people(self) -> bool:
        """Whether there must be a leaderboard with all that it is made of."""
        return CAMPAIGN in self.files

    @property
    def n_bytes(self) -> int:
        """What its files unpack to, as its directory says: no more is ever read of a file."""
        return sum(info.file_size for info in self._infos.values())

    @property
    def names(self) -> set[str]:
        """The files of a bundle that are there."""
        return set(self._infos)

    def close(self) -> None:
        self._ahead.shutdown()
        self._zip.close()

    def document(self, name: str) -> bytes:
        """A file as a whole. Errors: `Unreadable`."""
        if self._infos[name].file_size > DOCUMENT_LIMIT_BYTES:
            raise Unreadable(f"{name} is larger than {DOCUMENT_LIMIT_BYTES >> 20} MiB.")
        return b"".join(self._chunks(name))

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file without their ends. Errors: `Unreadable`."""
        rest = b""
        for chunk in self._chunks(name):
            piece = rest + chunk
            self.seen[name].is_spaced |= b" :" in piece or b"\t" in piece or b"\r" in piece
            *whole, rest = piece.split(b"\n")
            if len(rest) > LINE_LIMIT_BYTES:
                raise Unreadable(f"{name} has a line of more than {LINE_LIMIT_BYTES >> 20} MiB.")
            self.seen[name].n_lines += len(whole)
            yield from whole
        if rest:
            self.seen[name].n_lines += 1
            yield rest

    def read_to_its_end(self, name: str) -> None:
        """Reads an unused file for its digest."""
        for _ in self.lines(name):
            pass

    def _chunks(self, name: str) -> Iterator[bytes]:
        seen = self.seen[name] = Read()
        hashing = hashlib.sha256()
        said = f"{name} cannot be read"
        with _told(lambda: self._zip.open(self._infos[name]), said) as file:

            def read() -> bytes:
                chunk = file.read(AT_ONCE)
                hashing.update(chunk)
                return chunk

            following = self._ahead.submit(read)
            try:
                while chunk := _told(following.result, said):
                    # Unpacked on another processor while this one looks at the rows.
                    following = self._ahead.submit(read)
                    seen.n_bytes += len(chunk)
                    yield chunk
            finally:
                # A file must not be closed while it is being read.
                wait([following])
        seen.digest = hashing.hexdigest()


def _check_harmless(info: ZipInfo) -> None:
    if info.flag_bits & IS_ENCRYPTED:
        raise Unreadable(f"{info.filename} is encrypted.")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise Unreadable(f"{info.filename} is packed in a way that bundles do not use.")
    if info.file_size > SMALL_BYTES and info.file_size > HIGHEST_RATIO * info.compress_size:
        raise Unreadable(f"{info.filename} would unpack to {info.file_size:,} bytes from {info.compress_size:,}.")


def _told(act: Callable[[], T], said: str) -> T:
    """What the act gives. Errors: `Unreadable` with the reason, whatever the zip's parser makes of bad bytes."""
    try:
        return act()
    except BROKEN as bad:
        reason = bad.strerror if isinstance(bad, OSError) and bad.strerror else shown(str(bad))
        raise Unreadable(f"{said}: {reason.rstrip('.') or type(bad).__name__}.") from bad


LOCAL_HEADER, LENGTHS_AT = 30, 26
DIRECTORY_ENTRY, END, END_OF_ZIP64 = 46, 22, 76
HAS_DESCRIPTOR = 0x8
SIGNATURE = b"PK\x07\x08"
LONGEST_DESCRIPTOR = 24
TOO_LONG = 1 << 32


def strange_bytes(archive: ZipFile) -> Iterator[str]:
    """A sentence on each place that belongs to no file and to no directory."""
    file, infos = archive.fp, sorted(archive.infolist(), key=lambda info: info.header_offset)
    if file is None:
        return
    at = 0
    for info in infos:
        if info.header_offset != at:
            yield f"has bytes before {info.filename!a} that belong to no file"
        at = _end_of(file, info)
        if info.comment:
            yield f"has a comment on {info.filename!a}"
    if archive.start_dir != at:
        yield "has bytes before its directory that belong to no file"
    if archive.comment:
        yield "has a comment"
    if not _ends_with_directory(file, archive, infos):
        yield "has bytes behind its directory"


def _end_of(file: IO[bytes], info: ZipInfo) -> int:
    """Where the file's packed bytes end, with what follows them where sizes were not known before."""
    file.seek(info.header_offset + LENGTHS_AT)
    name, extra = struct.unpack("<HH", file.read(4))
    end = int(info.header_offset + LOCAL_HEADER + name + extra + info.compress_size)
    if not info.flag_bits & HAS_DESCRIPTOR:
        return end
    file.seek(end)
    following = file.read(LONGEST_DESCRIPTOR)
    told = (info.CRC, info.compress_size, info.file_size)
    for signature in (SIGNATURE, b""):
        for sizes in ("<LQQ", "<LLL"):
            if sizes == "<LLL" and max(told) >= TOO_LONG:
                continue
            descriptor = signature + struct.pack(sizes, *told)
            if following.startswith(descriptor):
                return end + len(descriptor)
    return end


def _ends_with_directory(file: IO[bytes], archive: ZipFile, infos: Sequence[ZipInfo]) -> bool:
    directory = sum(DIRECTORY_ENTRY + len(_name_of(info)) + len(info.extra) + len(info.comment) for info in infos)
    end = archive.start_dir + directory + END + len(archive.comment)
    size = file.seek(0, 2)
    return size in (end, end + END_OF_ZIP64)


def _name_of(info: ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & 0x800 else "cp437")
