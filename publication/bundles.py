"""The bundles of snapshots in the storage, each under its own digest: what is needed to compute the leaderboard again."""

import hashlib
import json
import os
import time
from collections.abc import Hashable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, BinaryIO
from zipfile import ZipFile

from campaigns.models import Campaign
from leaderboards.computations import part_of
from measures.samples import ReportProgress, say_nothing
from publication.bundle import bundle_pieces
from publication.bundle.documents import drawn_statistics
from publication.bundle.writing import Combined
from serving.stored_files import DRAFT, StorageGone, stored_files
from verification.archive import BROKEN
from verification.bundle_format import COMBINED, LEADERBOARD, MANIFEST, PAIR_BOARD, STATISTICS

BYTES_AT_ONCE = 1 << 16
ABANDONED_AFTER_S = 86400
# Under aliases statistics are drawn with the bundle: how much of the work its rows are.
ROWS_BEFORE_DRAWING = 0.5


@dataclass(frozen=True, slots=True)
class StoredBundle:
    digest: str
    n_bytes: int


def name_of(digest: str) -> str:
    return f"bundles/{digest}.zip"


@contextmanager
def draft() -> Iterator[IO[bytes]]:
    """A file in which a bundle is written; what got no name by `stored_as` is gone afterwards."""
    folder = stored_files().drafts()
    for left in folder.glob(f"{DRAFT}*.part"):
        # Of a process that was killed; one that is written is younger.
        with suppress(FileNotFoundError):
            if left.stat().st_mtime < time.time() - ABANDONED_AFTER_S:
                left.unlink()
    with NamedTemporaryFile(dir=folder, prefix=DRAFT, suffix=".part", delete=False) as file:
        try:
            yield file
        finally:
            Path(file.name).unlink(missing_ok=True)


def stored_as(digest: str, file: IO[bytes]) -> None:
    """Stores what was written. A snapshot tells the digest, so the bytes must outlive a crash as its row does. Errors: `OSError`."""
    file.flush()
    os.fsync(file.fileno())
    stored_files().put(name_of(digest), Path(file.name))


def store_bundle(
    campaign: Campaign,
    *,
    hides_teams: bool,
    at: datetime,
    combined: Combined | None = None,
    report_progress: ReportProgress = say_nothing,
) -> StoredBundle:
    """Writes the bundle and names it once it is complete, so that no partial file is found. Errors: `OSError`.

    `combined` makes it that of a board that joins the leaderboard with others.
    """
    rows_end = ROWS_BEFORE_DRAWING if hides_teams else 1.0
    with draft() as file:
        pieces = bundle_pieces(
            campaign,
            hides_teams=hides_teams,
            at=at,
            statistics_of=partial(drawn_statistics, report_progress=part_of(report_progress, rows_end, 1.0)),
            report_progress=part_of(report_progress, 0.0, rows_end),
            combined=combined,
        )
        # Closed at once where writing fails: its transaction would hold what notes the failure.
        with closing(pieces):
            file.writelines(pieces)
        report_progress(1.0)
        n_bytes = file.tell()
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
        # The last step: a file under its digest is always complete.
        stored_as(digest, file)
    return StoredBundle(digest, n_bytes)


def board_in_bundle(digest: str) -> dict[str, Any]:
    """The leaderboard as the bundle itself says it."""
    return _document_in(digest, LEADERBOARD)


def combined_in_bundle(digest: str) -> dict[str, Any]:
    """The combined board as the bundle itself says it."""
    return _document_in(digest, COMBINED)


def statistics_in_bundle(digest: str) -> dict[str, Any] | None:
    """How sure that leaderboard is, by what the bundle calls its rows."""
    statistics: dict[str, Any] | None = _document_in(digest, STATISTICS)["statistics"]
    return statistics


def pairs_in_bundle(digest: str) -> dict[str, Any] | None:
    """The board of pairs as the bundle itself says it; None where nobody compared systems in pairs."""
    with opened(digest) as file, ZipFile(file) as bundle:
        return json.loads(bundle.read(PAIR_BOARD)) if PAIR_BOARD in bundle.namelist() else None


def _document_in(digest: str, name: str) -> dict[str, Any]:
    with opened(digest) as file, ZipFile(file) as bundle:
        document: dict[str, Any] = json.loads(bundle.read(name))
    return document


def opened(digest: str) -> BinaryIO:
    """The stored bundle, to be read from any place. Errors: `FileNotFoundError`, `StorageGone`."""
    return stored_files().reading(name_of(digest))


def discard_bundle(digest: str) -> None:
    stored_files().remove(name_of(digest))


# Larger ones take a reader's second: of these the size alone is compared, and `verify` tells the rest.
HASHED_UP_TO_BYTES = 64 << 20


def is_intact(digest: str, n_bytes: int) -> bool:
    """Whether the stored file is there and still is what its name says; a storage that does not answer says nothing against it."""
    files, name = stored_files(), name_of(digest)
    try:
        if files.size(name) != n_bytes:
            return False
        return n_bytes > HASHED_UP_TO_BYTES or _digest_at(digest, files.mark_of(name)) == digest
    except StorageGone:
        return True
    except OSError:
        return False


# A file is hashed once, and again when it was written since.
@lru_cache(maxsize=128)
def _digest_at(digest: str, mark: Hashable) -> str:
    return digest_stored(digest)


def made_with(digest: str) -> dict[str, str] | None:
    """The version of Huace that wrote the bundle, and its format; None where it cannot be read."""
    try:
        return _made_with(digest)
    except (*BROKEN, KeyError, TypeError):
        return None


# Bytes of one digest never change: each page view would open the zip otherwise. A failure is not kept.
@lru_cache(maxsize=128)
def _made_with(digest: str) -> dict[str, str]:
    manifest = _document_in(digest, MANIFEST)
    return {"version": str(manifest["product"]["version"]), "format": str(manifest["format"])}


def pieces_of(digest: str) -> Iterator[bytes]:
    """The stored file piece by piece. Errors: `OSError`, here, before anything is sent."""
    return _pieces(opened(digest))


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(BYTES_AT_ONCE):
            yield piece


def is_stored(digest: str) -> bool:
    """Whether there is such a file. Errors: `StorageGone`."""
    try:
        stored_files().size(name_of(digest))
    except FileNotFoundError:
        return False
    return True


def digest_stored(digest: str) -> str:
    """Of the bytes that are stored under that digest. Errors: `OSError`."""
    with opened(digest) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
