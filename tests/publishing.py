"""Snapshots and publications for tests that look at something else: without the preflight, whatever is still open."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from campaigns.actions import note_publication
from leaderboards.board import renamed_statistics
from leaderboards.live_board import current_statistics, names_of
from publication.bundles import StoredBundle, name_of
from publication.document_now import document_now
from publication.documents import canonical, digest_of
from publication.models import Snapshot

DIGEST = hashlib.sha256(b"x").hexdigest()


def path_of(digest):
    """Where a bundle lies on the disk."""
    return Path(settings.VAR_DIR) / name_of(digest)


def snapshot_of(campaign, *, hides_teams=False, has_bundle=False):
    """The campaign's stored board as its next snapshot; a bundle is a file of one byte where the settings' folder is the test's."""
    campaign.refresh_from_db()
    number, at = campaign.snapshots.count() + 1, timezone.now()
    bundle = StoredBundle(DIGEST, 1) if has_bundle else None
    if has_bundle:
        path_of(DIGEST).parent.mkdir(exist_ok=True)
        path_of(DIGEST).write_bytes(b"x")
    statistics = renamed_statistics(current_statistics(campaign) or {}, names_of(campaign, hides_teams=hides_teams))
    statistics.pop("snapshots", None)
    document = document_now(
        campaign, number=number, hides_teams=hides_teams, at=at, bundle=bundle, statistics=statistics
    )
    text = canonical(document)
    return Snapshot.objects.create(
        campaign=campaign, number=number, made_at=at, hides_teams=hides_teams, board=text, digest=digest_of(text),
        bundle_digest=DIGEST if has_bundle else "", bundle_bytes=int(has_bundle),
    )  # fmt: skip


def publish_now(campaign, **changed):
    snapshot = snapshot_of(campaign, **changed)
    at = timezone.now()
    snapshot.publications.create(public_from=at, published_at=at)
    note_publication(campaign=campaign, is_public=True)
    return snapshot
