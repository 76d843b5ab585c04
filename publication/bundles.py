"""The bundles of snapshots on the disk, each under its own digest: what is needed to compute the leaderboard again."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.conf import settings

from campaigns.models import Campaign
from leaderboards.computations import part_of
from measures.samples import ReportProgress, say_nothing
from publication.bundle import bundle_pieces
from publication.bundle.documents import drawn_statistics
from publication.bundle.writing import Combined
from verification.archive import BROKEN
from verification.bundle_format import COMBINED, LEADERBOARD, MANIFEST, STATISTICS

BYTES_AT_ONCE = 1 << 16
# Under aliases statistics are drawn with the bundle: how much of the work its rows are.
ROWS_BEFORE_DRAWING = 0.5


@dataclass(frozen=True, slots=True)
class StoredBundle:
    digest: str
    n_bytes: int


def folder() -> Path:
    return Path(settings.VAR_DIR) / "bundles"


def path_of(digest: str) -> Path:
    return folder() / f"{digest}.zip"


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
    folder().mkdir(parents=True, exist_ok=True)
    rows_end = ROWS_BEFORE_DRAWING if hides_teams else 1.0
    with tempfile.NamedTemporaryFile(dir=folder(), suffix=".part", delete=False) as file:
        part = Path(file.name)
        try:
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
            file.flush()
            # A snapshot tells the digest of the bundle, so its bytes must outlive a crash as the row does.
            os.fsync(file.fileno())
            stored = StoredBundle(_digest_of(part), part.stat().st_size)
            # The last step: a file under its digest is always complete.
            part.rename(path_of(stored.digest))
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    return stored


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


def _document_in(digest: str, name: str) -> dict[str, Any]:
    with ZipFile(path_of(digest)) as bundle:
        document: dict[str, Any] = json.loads(bundle.read(name))
    return document


def discard_bundle(digest: str) -> None:
    path_of(digest).unlink(missing_ok=True)


# Larger ones take a reader's second: of these the size alone is compared, and `verify` tells the rest.
HASHED_UP_TO_BYTES = 64 << 20


def is_intact(digest: str, n_bytes: int) -> bool:
    """Whether the stored file is there and still is what its name says."""
    try:
        stored = path_of(digest).stat()
    except OSError:
        return False
    if stored.st_size != n_bytes:
        return False
    return n_bytes > HASHED_UP_TO_BYTES or _digest_at(digest, stored.st_ino, stored.st_mtime_ns) == digest


# A file is hashed once, and again when it was written since.
@lru_cache(maxsize=128)
def _digest_at(digest: str, inode: int, written_at: int) -> str:
    try:
        return _digest_of(path_of(digest))
    except OSError:
        return ""


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
    """The stored file piece by piece. Errors: `FileNotFoundError`, before the first piece is sent."""
    with path_of(digest).open("rb") as file:
        while piece := file.read(BYTES_AT_ONCE):
            yield piece


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
