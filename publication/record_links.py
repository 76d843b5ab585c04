"""Where the figures of a published board lead: to its records, as long as its bundle is there to read them from."""

from urllib.parse import urlencode

from django.urls import reverse

from campaigns.models import Campaign
from campaigns.team_names import english_names
from leaderboards.board import Board, Key, Row, linked, with_english_names
from publication import bundles
from publication.bundles import path_of
from publication.documents import board_in
from publication.models import Snapshot
from publication.queries import Published


def has_bundle(snapshot: Snapshot) -> bool:
    return bool(snapshot.bundle_digest) and path_of(snapshot.bundle_digest).exists()


def is_intact(snapshot: Snapshot) -> bool:
    """Whether both files of the snapshot are there and still have the digests that were told of them."""
    has_its_bundle = not snapshot.bundle_digest or bundles.is_intact(snapshot.bundle_digest, snapshot.bundle_bytes)
    return snapshot.is_intact and has_its_bundle


def published_board(campaign: Campaign, shown: Published) -> Board:
    """The frozen board with its links, and with the teams' English names of today, which no digest covers."""
    board = with_english_names(board_in(shown.document), english_names(campaign))

    def address(row: Row, key: Key) -> str:
        page = reverse("snapshot-records", args=[campaign.slug, shown.snapshot.number, key.name])
        return f"{page}?{urlencode({'bot': row.key})}"

    # Rows of a combined board are teams, which no record names.
    leads = has_bundle(shown.snapshot) and not shown.snapshot.of_board
    return linked(board, address) if leads else board
