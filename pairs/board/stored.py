"""The board of pairs as it was computed last, and its computing beside the pages."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Sum

from campaigns.models import Campaign
from leaderboards.computations import claim, one_state_of_the_database
from leaderboards.models import StoredBoard
from pairs.board.document import pair_board
from pairs.board.rows import AsStored, systems_of, vote_rows
from pairs.models import PairVote

KEY = "pairs"
GIVEN_UP_AFTER = timedelta(minutes=10)
# A board that takes seconds at every vote would take a processor for itself.
REST = timedelta(seconds=5)
PAUSES_PER_COMPUTATION = 10

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PairBoardNow:
    """What organizers see: the document, None before the first computation, and whether votes have come since."""

    document: Object | None
    computed_at: datetime | None
    is_outdated: bool


def mark_of(campaign: Campaign) -> str:
    """Another text as soon as a vote came, went or changed, or a system entered."""
    votes = PairVote.objects.counted(campaign).order_by()
    told = votes.aggregate(n=Count("pk"), versions=Sum("version"), last=Max("at"), ids=Sum("pk"))
    return f"{told['n']}/{told['versions']}/{told['ids']}/{told['last']}/{campaign.entries.count()}"


def pair_board_now(campaign: Campaign) -> PairBoardNow:
    stored = campaign.stored_boards.filter(key=KEY).first()
    if stored is None or not stored.rows:
        return PairBoardNow(None, None, True)
    return PairBoardNow(stored.rows["document"], stored.computed_at, stored.rows["mark"] != mark_of(campaign))


def has_pairs(campaign: Campaign) -> bool:
    """Whether people compare systems here, or a file of comparisons was imported."""
    return campaign.pairs.exists()


def n_compared(campaign: Campaign) -> int:
    """How many systems have a strength on the stored board."""
    document = pair_board_now(campaign).document
    return sum(row["rank"] is not None for row in document["systems"]) if document else 0


def refresh_outdated_pair_boards(*, at: datetime) -> int:
    """Computes the boards of pairs that lag behind their votes; returns how many. One process computes each."""
    n_computed = 0
    for campaign in Campaign.objects.filter(Exists(PairVote.objects.filter(pair__campaign=OuterRef("pk")))):
        if not pair_board_now(campaign).is_outdated:
            continue
        stored, _ = StoredBoard.objects.get_or_create(campaign=campaign, key=KEY)
        if claim(StoredBoard.objects.filter(pk=stored.pk), at=at, given_up_after=GIVEN_UP_AFTER):
            refresh_pair_board(campaign=campaign, at=at)
            n_computed += 1
    return n_computed


def refresh_pair_board(*, campaign: Campaign, at: datetime) -> Object:
    """Computes the board and stores it for its pages. Nothing is locked while it computes."""
    began = time.monotonic()
    with one_state_of_the_database():
        shown = AsStored(campaign)
        mark, systems, rows = mark_of(campaign), systems_of(campaign, shown), list(vote_rows(campaign, shown))
    document = pair_board(campaign.slug, systems, rows)
    pause = max(REST, timedelta(seconds=PAUSES_PER_COMPUTATION * (time.monotonic() - began)))
    with transaction.atomic():
        StoredBoard.objects.get_or_create(campaign=campaign, key=KEY)
        told = {"mark": mark, "document": document}
        StoredBoard.objects.filter(campaign=campaign, key=KEY).update(
            rows=told, computed_at=at, next_at=at + pause, share_done=None
        )
    return document
