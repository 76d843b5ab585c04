"""Archives a campaign that is over: one file with everything to read and verify it, then what is heavy goes.

The archive is a zip of the results bundle, which verifies itself, the campaign's file, its trail, its data packages and the pictures that systems sent. What
stays in the database is what figures and pages are made of; what people said and the packages' content are in the archive alone.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from audit.models import TrailLine
from campaigns.calendar import Doing, is_open
from campaigns.campaign_file.dumping import file_of
from campaigns.models import Campaign
from dialogues.models import Dialogue, Turn
from dialogues.pictures import files_of
from operating.backup_file import written
from organizing.trail_page import pieces_of
from privacy.actions.removing import CannotRemove
from privacy.actions.retention import remove_talks, remove_writings
from privacy.trail_acts import CAMPAIGN_ARCHIVED
from publication.bundle import bundle_pieces
from registration.models import DataPackage, PackageContent
from serving.stored_files import stored_files

FORMAT = "huace-archive/1"
ABOUT, BUNDLE, CAMPAIGN_FILE, TRAIL, PACKAGES = "about.json", "bundle.zip", "campaign.json", "trail.jsonl", "packages/"
PIECE_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Archived:
    """`earlier` names the archives of runs that were interrupted: what those removed is in them alone."""

    path: Path
    n_bytes: int
    sha256: str
    n_turns: int
    n_packages: int
    earlier: list[str]


class BadArchive(Exception):
    """What is wrong with the file."""


def folder() -> Path:
    return Path(settings.VAR_DIR) / "archives"


def check_may_archive(campaign: Campaign, at: datetime) -> None:
    """Errors: `CannotRemove` before the campaign is over, and where its texts are gone already."""
    if campaign.texts_gone_at is not None:
        raise CannotRemove(
            gettext_noop("What people wrote in this campaign is gone: there is nothing left to archive.")
        )
    if campaign.ends_at is None or is_open(campaign, Doing.ORGANIZE, at):
        raise CannotRemove(gettext_noop("Only a campaign that is over is archived: set its end first."))
    if Dialogue.everything.of_campaign(campaign).open().exists():
        raise CannotRemove(gettext_noop("There are open dialogues. They close within a minute; try again then."))


def archive_campaign(
    *, campaign: Campaign, typed: str, by: Person | None, at: datetime, into: Path | None = None
) -> Archived:
    """Writes the archive, reads it back, and only then removes what is heavy. Errors: `CannotRemove`.

    After an interruption it restarts with an archive of the rest; the trail names each file before anything of it is removed.
    """
    if typed.strip() != campaign.slug:
        raise CannotRemove(gettext_noop("Type the campaign's short name, %(slug)s, to archive it."), slug=campaign.slug)

    def is_over(campaign: Campaign) -> bool:
        check_may_archive(campaign, at)
        return True

    is_over(campaign)
    path = (into or folder()) / f"{campaign.slug}-{at:%Y%m%dT%H%M%SZ}.zip"
    try:
        sha256 = _write(campaign, path, at)
    except (BadArchive, OSError) as failed:
        text = gettext_noop("No archive could be written, and nothing was removed: %(why)s")
        raise CannotRemove(text, why=failed) from failed
    packages = DataPackage.objects.filter(campaign=campaign, removed_at=None)
    with transaction.atomic():
        is_over(Campaign.objects.select_for_update().get(pk=campaign.pk))
        # The trail also holds what was done to a deleted campaign of the same short name.
        lines = TrailLine.objects.of_campaign(campaign.slug).filter(at__gte=campaign.created_at)
        made = Archived(
            path=path,
            n_bytes=path.stat().st_size,
            sha256=sha256,
            n_turns=Turn.objects.filter(dialogue__in=Dialogue.everything.of_campaign(campaign)).count(),
            n_packages=packages.count(),
            earlier=[line.details["file"] for line in lines.of_act(CAMPAIGN_ARCHIVED.key).in_order()],
        )
        details = {
            "file": path.name, "sha256": sha256, "bytes": made.n_bytes, "turns": made.n_turns, "packages": made.n_packages,
            "earlier": made.earlier,
        }  # fmt: skip
        record(CAMPAIGN_ARCHIVED, by=by, at=at, campaign=campaign.slug, about=campaign.slug, details=details)
    remove_talks(campaign, is_over)
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        is_over(campaign)
        PackageContent.objects.filter(package__in=packages).delete()
        packages.update(removed_at=at)
        remove_writings(campaign, at)
    return made


def _write(campaign: Campaign, path: Path, at: datetime) -> str:
    """Writes the archive, reads it back, and gives its SHA-256. Errors: `BadArchive`, `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        raise FileExistsError(f"{path} was written a moment ago")
    with written(path, passphrase="") as archive:
        digests = {name: _write_member(archive, name, pieces) for name, pieces in _members(campaign, at)}
        about = {"format": FORMAT, "campaign": campaign.slug, "at": at.isoformat(), "files": digests}
        archive.writestr(ABOUT, json.dumps(about, ensure_ascii=False, indent=2))
    read_back(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _members(campaign: Campaign, at: datetime) -> Iterator[tuple[str, Iterator[bytes]]]:
    yield BUNDLE, bundle_pieces(campaign, hides_teams=False, at=at)
    yield CAMPAIGN_FILE, iter([file_of(campaign, "json", with_secrets=False).encode()])
    yield TRAIL, pieces_of(TrailLine.objects.of_campaign(campaign.slug).in_order(), "jsonl")
    for package in DataPackage.objects.filter(campaign=campaign, removed_at=None).order_by("pk"):
        pieces = package.pieces.values_list("content", flat=True).iterator(chunk_size=1)
        # The number keeps two files of one name apart; the name could be any text.
        yield f"{PACKAGES}{package.pk}-{Path(package.file_name).name}", (bytes(piece) for piece in pieces)
    for name in sorted(files_of(Dialogue.everything.of_campaign(campaign))):
        with suppress(FileNotFoundError), closing(stored_files().reading(name)) as file:
            yield name, iter(partial(file.read, PIECE_BYTES), b"")


def _write_member(archive: ZipFile, name: str, pieces: Iterator[bytes]) -> str:
    found = hashlib.sha256()
    if name == BUNDLE:
        # It is compressed already.
        archive.compression = ZIP_STORED
    with archive.open(name, "w", force_zip64=True) as member:
        for piece in pieces:
            found.update(piece)
            member.write(piece)
    archive.compression = ZIP_DEFLATED
    return found.hexdigest()


def read_back(path: Path) -> dict[str, str]:
    """The digests of the archive's files, each of which was read and has it. Errors: `BadArchive`, `OSError`."""
    try:
        with ZipFile(path) as archive:
            about = json.loads(archive.read(ABOUT))
            if about["format"] != FORMAT or set(archive.namelist()) != {ABOUT, *about["files"]}:
                raise BadArchive(f"{path} holds other files than it says.")
            for name, digest in about["files"].items():
                with archive.open(name) as member:
                    if hashlib.file_digest(cast(BytesIO, member), "sha256").hexdigest() != digest:
                        raise BadArchive(f"{name} in {path} is not what its digest says.")
    except (BadZipFile, KeyError, ValueError, TypeError) as broken:
        raise BadArchive(f"{path} is no whole archive of a campaign: {broken}.") from broken
    files: dict[str, str] = about["files"]
    return files
