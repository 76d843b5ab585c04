"""The files of a frozen leaderboard: its table, the bytes that the digest is of, and the bundle."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.http import Http404

from campaigns.models import Campaign
from campaigns.team_names import english_names
from leaderboards.actions import note_export
from leaderboards.exports.downloads import Download
from publication.bundles import pieces_of
from publication.files import csv_of, file_name
from publication.queries import Published
from publication.record_links import has_bundle

CSV, JSON, BUNDLE = "leaderboard.csv", "leaderboard.json", "bundle.zip"
CONTENT_TYPES = {CSV: "text/csv; charset=utf-8", JSON: "application/json", BUNDLE: "application/zip"}


def snapshot_file(
    found: tuple[Campaign, Published], what: str, *, reader: Any, at: datetime, is_taken: bool
) -> Download:
    """The file for somebody who may read the snapshot. `is_taken` is false where the head alone is asked for.

    Errors: `Http404` where the snapshot has no bundle.
    """
    document, stored = found[1].document, found[1].snapshot
    if what == BUNDLE and not has_bundle(stored):
        raise Http404
    pieces, n_bytes = _content(*found, what)
    if is_taken:
        _note(found, what, reader, at)
    answer = Download(pieces, name=file_name(document, what), content_type=CONTENT_TYPES[what])
    if n_bytes is not None:
        answer["Content-Length"] = str(n_bytes)
    return answer


def _content(campaign: Campaign, shown: Published, what: str) -> tuple[Iterator[bytes], int | None]:
    """The bytes, and how many they are where that is known before."""
    if what == BUNDLE:
        return pieces_of(shown.snapshot.bundle_digest), shown.snapshot.bundle_bytes
    if what == JSON:
        content = shown.snapshot.board.encode()
        return iter([content]), len(content)
    return (piece.encode() for piece in csv_of(shown.document, english_names(campaign))), None


def _note(found: tuple[Campaign, Published], what: str, reader: Any, at: datetime) -> None:
    """What everybody may read leaves no line: visitors are not followed, and the trail does not grow by their clicks."""
    campaign, shown = found
    if shown.publication is None or shown.publication.opens_at > at:
        name, format = what.split(".")
        number = shown.snapshot.number
        note_export(campaign=campaign, what=name, by=reader, at=at, format=format, snapshot=number)
