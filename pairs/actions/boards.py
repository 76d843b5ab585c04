"""Computes the boards of pairs beside the pages and stores them."""

import time
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from campaigns.models import Campaign
from leaderboards.computations import claim, one_state_of_the_database
from leaderboards.models import StoredBoard
from pairs.board.document import pair_board
from pairs.board.rows import AsStored, systems_of, vote_rows
from pairs.board.stored import KEY, mark_of, pair_board_now
from pairs.models import PairVote

GIVEN_UP_AFTER = timedelta(minutes=10)
# A board that takes seconds at every vote would take a processor for itself.
REST = timedelta(seconds=5)
PAUSES_PER_COMPUTATION = 10


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


def refresh_pair_board(*, campaign: Campaign, at: datetime) -> dict[str, Any]:
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
