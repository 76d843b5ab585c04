"""Who may read which snapshot, how its board leads to its records, and how it differs from the board of today."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from campaigns.access import has_role
from campaigns.clocks import keep_clocks_of
from campaigns.interests import has_interest_in
from campaigns.models import Campaign, Role
from leaderboards.board import Board, Key, Movement, Row, linked, movements, with_english_names, with_names
from leaderboards.live_board import board_of, names_of, stored_board
from publication import bundles
from publication.documents import Document, board_in
from publication.models import OF_LEADERBOARD, FreezeOrder, Publication, PublicationQuerySet, Snapshot
from serving.stored_files import StorageGone


@dataclass(frozen=True, slots=True)
class Differences:
    """Rows that moved, rows that today's board has alone, and rows that the frozen one has alone."""

    moved: tuple[Movement, ...]
    came: tuple[Row, ...]
    gone: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.moved) + len(self.came) + len(self.gone)


def differences(frozen: Board, today: Board) -> Differences:
    before = {row.key: row for row in (*frozen.rows, *frozen.unranked)}
    after = {row.key: row for row in (*today.rows, *today.unranked)}
    return Differences(
        moved=movements(frozen, today),
        came=tuple(row for key, row in after.items() if key not in before),
        gone=tuple(row for key, row in before.items() if key not in after),
    )


@dataclass(frozen=True, slots=True)
class Published:
    """A snapshot with the publication that makes it public now or on its day; None for one that only organizers read."""

    snapshot: Snapshot
    publication: Publication | None

    @property
    def document(self) -> Document:
        document: Document = json.loads(self.snapshot.board)
        return document


def order_told(campaign: Campaign) -> FreezeOrder | None:
    """What the publication page of the leaderboard tells: its own order, or that of the board that is being frozen before it."""
    own = campaign.freeze_orders.filter(of_board=OF_LEADERBOARD).first()
    return own or campaign.freeze_orders.under_way().first()


def organizes(person: Any, campaign: Campaign) -> bool:
    return has_role(person, campaign, Role.ORGANIZER)


def campaign_with_visible_board(person: Any, slug: str) -> Campaign:
    """The campaign if a leaderboard of it is public or the person organizes it; else 404."""
    campaign = get_object_or_404(Campaign.objects.select_related("rubric"), slug=slug)
    keep_clocks_of(campaign)
    if organizes(person, campaign) or published(campaign, timezone.now()):
        return campaign
    raise Http404


def published(campaign: Campaign, at: datetime, *, of_board: str = OF_LEADERBOARD) -> Published | None:
    """What everybody reads as that board of the campaign: the newest publication of it whose day has come."""
    return _newest(Publication.objects.of_board(of_board), campaign, at)


def published_of_any(campaign: Campaign, at: datetime) -> Published | None:
    """The leaderboard that everybody reads; where none is public, the newest of another board."""
    return published(campaign, at) or _newest(Publication.objects.all(), campaign, at)


def _newest(publications: PublicationQuerySet, campaign: Campaign, at: datetime) -> Published | None:
    publication = publications.public(at).filter(snapshot__campaign=campaign).select_related("snapshot").first()
    if publication is None:
        return None
    publication.snapshot.campaign = campaign
    return Published(publication.snapshot, publication)


def readable(campaign: Campaign, number: int, *, by_organizer: bool, at: datetime) -> Published | None:
    """The snapshot of that number, for everybody as long as it is public; a newer one does not take its address."""
    snapshot = campaign.snapshots.filter(number=number).first()
    if snapshot is None:
        return None
    rows = snapshot.publications
    publication = (rows.standing() if by_organizer else rows.public(at)).first()
    return Published(snapshot, publication) if publication or by_organizer else None


def readable_by(person: Any, slug: str, number: int, at: datetime) -> tuple[Campaign, Published] | None:
    """The snapshot for that reader, with its campaign; None where they may not read it or there is none."""
    campaign = Campaign.objects.select_related("rubric").filter(slug=slug).first()
    if campaign is None:
        return None
    keep_clocks_of(campaign)
    by_organizer = organizes(person, campaign) and not has_interest_in(campaign, person)
    shown = readable(campaign, number, by_organizer=by_organizer, at=at)
    return (campaign, shown) if shown else None


def board_today(campaign: Campaign, *, hides_teams: bool) -> Board:
    """The board that is stored now, in the names that a snapshot would give it."""
    return with_names(board_of(campaign, stored_board(campaign).rows), names_of(campaign, hides_teams=hides_teams))


def differences_since(campaign: Campaign, snapshot: Snapshot) -> Differences:
    """Of a snapshot of the leaderboard."""
    frozen = with_english_names(board_in(json.loads(snapshot.board)), campaign.english_team_names())
    return differences(frozen, board_today(campaign, hides_teams=snapshot.hides_teams))


def standing_of(campaign: Campaign, at: datetime) -> dict[str, Any]:
    """What an organizer's board says of publication: which snapshot everybody reads, how many rows differ from it by now, and which
    one waits for its day.
    """
    shown = published(campaign, at)
    waiting = Publication.objects.of_board(OF_LEADERBOARD).waiting(at).filter(snapshot__campaign=campaign)
    return {
        "published": shown,
        "n_differences": len(differences_since(campaign, shown.snapshot)) if shown else 0,
        "waiting": waiting.select_related("snapshot__campaign").first(),
    }


def has_bundle(snapshot: Snapshot) -> bool:
    """A storage that does not answer says nothing against it."""
    try:
        return bool(snapshot.bundle_digest) and bundles.is_stored(snapshot.bundle_digest)
    except StorageGone:
        return True


def is_intact(snapshot: Snapshot) -> bool:
    """Whether both files of the snapshot are there and still have the digests that were told of them."""
    has_its_bundle = not snapshot.bundle_digest or bundles.is_intact(snapshot.bundle_digest, snapshot.bundle_bytes)
    return snapshot.is_intact and has_its_bundle


def published_board(campaign: Campaign, shown: Published) -> Board:
    """The frozen board with its links, and with the teams' English names of today, which no digest covers."""
    board = with_english_names(board_in(shown.document), campaign.english_team_names())

    def address(row: Row, key: Key) -> str:
        page = reverse("snapshot-records", args=[campaign.slug, shown.snapshot.number, key.name])
        return f"{page}?{urlencode({'bot': row.key})}"

    # Rows of a combined board are teams, which no record names.
    leads = has_bundle(shown.snapshot) and not shown.snapshot.of_board
    return linked(board, address) if leads else board
