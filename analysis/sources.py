"""Where a bundle comes from: a zip, a folder with its files, or the address of a campaign on a site.

Whatever it is, it is read as a zip by `verification/archive.py`, and what it would unpack to is counted before a row is read.
"""

import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any
from urllib.request import urlopen
from zipfile import ZipFile

from verification.archive import Archive
from verification.bundle_format import MANIFEST, files_of_bundle
from verification.findings import Findings, Unreadable, shown
from verification.manifests import manifest_of
from verification.tables import parsed

Source = str | os.PathLike[str]
# What all files of a bundle may unpack to. A million ratings are 0.3 GB, and to read them took 0.3 GB of memory at its highest.
MOST_BYTES = 4 << 30
BUNDLE = "bundle.zip"
BYTES_AT_ONCE = 1 << 20
ANSWER_BYTES = 16 << 20
SILENCE_LIMIT_S = 60
# A campaign's page, its board or one of its frozen boards; what follows is a page of the same.
OF_CAMPAIGN = re.compile(r"(https?://[^?#]*?)/campaigns/([-\w]+)/(?:leaderboard/(?:(\d+)/)?)?", re.ASCII)


@contextmanager
def opened(source: Source, most_bytes: int) -> Iterator[Archive]:
    """The bundle, its names and sizes checked; closed and forgotten afterwards. Errors: `Unreadable`."""
    with TemporaryDirectory(prefix="huace-frames-") as folder:
        path = _zip_of(source, Path(folder) / BUNDLE, most_bytes)
        with closing(Archive(path)) as archive:
            _check(archive, most_bytes)
            yield archive


def _zip_of(source: Source, draft: Path, most_bytes: int) -> Path:
    """The zip; anything else is written into `draft`."""
    if isinstance(source, str) and source.startswith(("http://", "https://")):
        _fetch(source, draft, most_bytes)
        return draft
    path = Path(source)
    if not path.is_dir():
        return path
    # What `manage.py frames` left there.
    if (path / BUNDLE).is_file():
        return path / BUNDLE
    _pack(path, draft, most_bytes)
    return draft


def _pack(folder: Path, into: Path, most_bytes: int) -> None:
    """The files of a bundle that was unpacked into the folder; whatever else lies there is left alone."""
    names = files_of_bundle(one.name for one in folder.iterdir() if one.is_file())
    there = [folder / name for name in (*names, MANIFEST) if (folder / name).is_file()]
    if not there:
        raise Unreadable(f"{folder} holds no bundle: neither {BUNDLE} nor {MANIFEST} is there.")
    _refuse_over(most_bytes, sum(one.stat().st_size for one in there))
    with ZipFile(into, "w") as archive:
        for one in there:
            archive.write(one, one.name)


def _check(archive: Archive, most_bytes: int) -> None:
    findings = Findings()
    archive.check_names(findings)
    _refuse_over(most_bytes, archive.n_bytes)
    if not len(findings):
        manifest_of(archive, findings)
    for finding in findings:
        raise Unreadable(f"{finding}.")
    if not archive.has_people:
        raise Unreadable("This bundle holds figures of runs alone: nobody talked or scored in it.")


def _refuse_over(most_bytes: int, n_bytes: int) -> None:
    if n_bytes > most_bytes:
        raise Unreadable(f"The bundle unpacks to {n_bytes:,} bytes, more than {most_bytes:,} (`most_bytes`).")


def _fetch(address: str, into: Path, most_bytes: int) -> None:
    with _answer(_bundle_address(address)) as answer, into.open("wb") as file:
        n_bytes = 0
        while piece := _read(answer, BYTES_AT_ONCE, address):
            n_bytes += len(piece)
            if n_bytes > most_bytes:
                raise Unreadable(f"{address} sends more than {most_bytes:,} bytes (`most_bytes`).")
            file.write(piece)


def _bundle_address(address: str) -> str:
    """Of a bundle its own; of a campaign's page that of the bundle that is public there."""
    if address.partition("?")[0].endswith(".zip"):
        return address
    found = OF_CAMPAIGN.match(address)
    if found is None:
        raise Unreadable(f"{address} is neither a bundle (….zip) nor the page of a campaign (…/campaigns/SLUG/).")
    site, slug, number = found.groups()
    board = f"{site}/api/v1/campaigns/{slug}/leaderboard/"
    return f"{board}{number or _published_number(board)}/{BUNDLE}"


def _published_number(board: str) -> int:
    with _answer(board) as answer:
        content = _read(answer, ANSWER_BYTES, board)
    try:
        return int(parsed(content)["snapshot"]["number"])
    except (ValueError, KeyError, TypeError) as bad:
        raise Unreadable(f"{board} does not say which bundle is public.") from bad


def _answer(address: str) -> Any:
    try:
        return urlopen(address, timeout=SILENCE_LIMIT_S)
    except (OSError, HTTPException, ValueError) as bad:
        raise Unreadable(f"{address} cannot be read: {shown(str(bad))}.") from bad


def _read(answer: IO[bytes], n_bytes: int, address: str) -> bytes:
    try:
        return answer.read(n_bytes)
    except (OSError, HTTPException) as bad:
        raise Unreadable(f"{address} broke off: {shown(str(bad))}.") from bad
