"""Agreements, whose versions an organizer writes and a member accepts for the team; data packages, whose downloads are stored first."""

import hashlib
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.core.files.base import File
from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign
from participants.limits import NAME_LIMIT
from participants.models import Team
from reading.storable import is_storable
from registration.agreements import check_agreed, current_agreement
from registration.models import Acceptance, Agreement, DataPackage, PackageContent, PackageDownload
from registration.refusals import NotPossible
from registration.trail_acts import (
    AGREEMENT_ACCEPTED,
    AGREEMENT_WRITTEN,
    PACKAGE_DOWNLOADED,
    PACKAGE_REMOVED,
    PACKAGE_UPLOADED,
)

TEXT_LIMIT = 50_000
NAMELESS = "package"
PIECE_BYTES = 1024 * 1024
# Remains of an upload from a killed server are removed by the first upload after this time.
GIVEN_UP_AFTER = timedelta(days=1)


@transaction.atomic
def write_agreement(*, campaign: Campaign, text_zh: str, text_en: str, by: Person | None, at: datetime) -> Agreement:
    """Stores the next version, which every team is asked to accept; without a text none is asked for any more.

    Errors: `NotPossible` with code `unchanged` or `too_long`.
    """
    # Versions follow each other without a gap.
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    latest = campaign.agreements.first()
    texts = {"text_zh": _stored(text_zh), "text_en": _stored(text_en)}
    if texts == {"text_zh": getattr(latest, "text_zh", ""), "text_en": getattr(latest, "text_en", "")}:
        raise NotPossible("unchanged")
    version = latest.version + 1 if latest else 1
    written = Agreement.objects.create(campaign=campaign, version=version, written_by=by, written_at=at, **texts)
    lengths = {name: len(text) for name, text in texts.items()}
    record(AGREEMENT_WRITTEN, by=by, at=at, campaign=campaign.slug, about=str(version), details=lengths)
    return written


@transaction.atomic
def accept_agreement(*, campaign: Campaign, team: Team, person: Person, version: int, at: datetime) -> Acceptance:
    """Stores who accepted which version for the team, and when; accepting it again changes nothing.

    Errors: `NotPossible` with code `no_text`, or `other_version` where a newer text than the one that was read is in force.
    """
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    agreement = current_agreement(campaign)
    if agreement is None:
        raise NotPossible("no_text")
    if agreement.version != version:
        raise NotPossible("other_version")
    accepted, is_new = Acceptance.objects.get_or_create(
        agreement=agreement, team=team, defaults={"person": person, "at": at}
    )
    if is_new:
        details = {"version": version}
        record(AGREEMENT_ACCEPTED, by=person, at=at, campaign=campaign.slug, about=team.name, details=details)
    return accepted


def _stored(text: str) -> str:
    """With the line breaks of the platform: browsers send others than they were given."""
    plain = text.replace("\r\n", "\n").strip()
    if len(plain) > TEXT_LIMIT or not is_storable(plain):
        raise NotPossible("too_long", n=TEXT_LIMIT)
    return plain


def upload_package(
    *,
    campaign: Campaign,
    file_name: str,
    content: "File[bytes] | None",
    about: str,
    by: Person | None,
    at: datetime,
    before_it_opens: Callable[[DataPackage], None] = lambda package: None,
) -> DataPackage:
    """Stores a file for the campaign's teams, piece by piece. `before_it_opens` is called with the whole one, which nobody can download yet.

    Errors: `NotPossible` with code `too_large` or `no_file` (there is none, or it is empty), and those of `before_it_opens`.
    """
    if content is None or not content.size:
        raise NotPossible("no_file")
    if content.size > settings.PACKAGE_LIMIT_BYTES:
        raise NotPossible("too_large", n=settings.PACKAGE_LIMIT_BYTES // 1024 // 1024)
    check_open(campaign, Doing.ORGANIZE, at)
    PackageContent.objects.filter(package__removed_at__lt=at - GIVEN_UP_AFTER).delete()
    package = DataPackage.objects.create(
        campaign=campaign,
        file_name=_plain_name(file_name),
        about=about.strip()[:NAME_LIMIT],
        size=content.size,
        uploaded_by=by,
        uploaded_at=at,
        # Until it is whole, it counts as removed: pieces are committed one by one, so that other writers do not wait for all of them.
        removed_at=at,
    )
    try:
        package.sha256 = _store_pieces(package, content)
        with transaction.atomic():
            before_it_opens(package)
            DataPackage.objects.filter(pk=package.pk).update(removed_at=None, sha256=package.sha256)
            details = {"size": content.size, "sha256": package.sha256}
            record(PACKAGE_UPLOADED, by=by, at=at, campaign=campaign.slug, about=package.file_name, details=details)
    except Exception:
        package.delete()
        raise
    package.refresh_from_db()
    return package


def _store_pieces(package: DataPackage, content: "File[bytes]") -> str:
    """The hash of the whole. `chunks` would give a file that Django holds in memory as one piece."""
    digest = hashlib.sha256()
    content.seek(0)
    for number, piece in enumerate(iter(lambda: content.read(PIECE_BYTES), b"")):
        digest.update(piece)
        PackageContent.objects.create(package=package, number=number, content=piece)
    return digest.hexdigest()


@transaction.atomic
def remove_package(*, package: DataPackage, by: Person | None, at: datetime) -> None:
    """Ends downloads and deletes the content; earlier downloads stay recorded.

    Errors: `NotPossible` with code `gone`.
    """
    package = _present(package)
    check_open(package.campaign, Doing.ORGANIZE, at)
    PackageContent.objects.filter(package=package).delete()
    package.removed_at = at
    package.save(update_fields=["removed_at"])
    record(PACKAGE_REMOVED, by=by, at=at, campaign=package.campaign.slug, about=package.file_name)


@transaction.atomic
def download_package(*, package: DataPackage, person: Person, team: Team | None, at: datetime) -> Iterator[bytes]:
    """The file piece by piece, once it is stored that it was downloaded, by whom and for which team (an organizer's: none).

    Errors: `NotPossible` with code `gone`, or `not_agreed` where the team has not accepted the agreement.
    """
    package = _present(package)
    if team is not None:
        check_agreed(package.campaign, team)
    PackageDownload.objects.create(package=package, person=person, team=team, at=at)
    details = {"sha256": package.sha256, "team": team.name if team else ""}
    campaign = package.campaign.slug
    record(PACKAGE_DOWNLOADED, by=person, at=at, campaign=campaign, about=package.file_name, details=details)
    return pieces_of(package)


def pieces_of(package: DataPackage) -> Iterator[bytes]:
    """Read one by one. Errors: `DataPackage.DoesNotExist` where the package is removed meanwhile: what was sent is no file."""
    numbers = range(-(-package.size // PIECE_BYTES))
    for number in numbers:
        stored = package.pieces.filter(number=number).values_list("content", flat=True).first()
        if stored is None:
            raise DataPackage.DoesNotExist(f"package {package.pk} was removed while it was sent")
        yield bytes(stored)


def _plain_name(name: str) -> str:
    """The last part of the name without characters that a header or a list could trip over."""
    last = re.split(r"[/\\]", name)[-1]
    plain = "".join(character if character.isprintable() else "_" for character in last).strip()
    return plain[-NAME_LIMIT:] or NAMELESS


def _present(package: DataPackage) -> DataPackage:
    locked = DataPackage.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=package.pk)
    if locked.removed_at is not None:
        raise NotPossible("gone")
    return locked
