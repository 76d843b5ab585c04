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
from pairs.board.stored import KEY, is_outdated, mark_of
from pairs.models import PairVote

GIVEN_UP_AFTER = timedelta(minutes=10)
# A board that takes seconds at every vote would take a processor for itself.
REST = timedelta(seconds=5)
PAUSES_PER_COMPUTATION = 10


def refresh_outdated_pair_boards(*, at: datetime) -> int:
    """Computes the boards of pairs that lag behind their votes; returns how many. One process computes each."""
    n_computed = 0
    for campaign in Campaign.objects.filter(Exists(PairVote.objects.filter(pair__campaign=OuterRef("pk")))):
        stored, _ = StoredBoard.objects.get_or_create(campaign=campaign, key=KEY)
        if stored.rows and not is_outdated(stored, campaign):
            _note_unchanged(stored, campaign.scores_version)
            continue
        if claim(StoredBoard.objects.filter(pk=stored.pk), at=at, given_up_after=GIVEN_UP_AFTER):
            refresh_pair_board(campaign=campaign, at=at)
            n_computed += 1
    return n_computed


def _note_unchanged(stored: StoredBoard, version: int) -> None:
    """Scores changed and no vote did. The version was read before the votes: a vote since then has a later one."""
    if stored.scores_version != version:
        StoredBoard.objects.filter(pk=stored.pk, computed_at=stored.computed_at).update(scores_version=version)


def refresh_pair_board(*, campaign: Campaign, at: datetime) -> dict[str, Any]:
    """Computes the board and stores it for its pages. Nothing is locked while it computes."""
    began = time.monotonic()
    with one_state_of_the_database():
        shown = AsStored(campaign)
        mark, systems, rows = mark_of(campaign), systems_of(campaign, shown), list(vote_rows(campaign, shown))
        version = Campaign.objects.values_list("scores_version", flat=True).get(pk=campaign.pk)
    document = pair_board(campaign.slug, systems, rows)
    pause = max(REST, timedelta(seconds=PAUSES_PER_COMPUTATION * (time.monotonic() - began)))
    with transaction.atomic():
        StoredBoard.objects.get_or_create(campaign=campaign, key=KEY)
        told = {"mark": mark, "document": document}
        StoredBoard.objects.filter(campaign=campaign, key=KEY).update(
            rows=told, scores_version=version, computed_at=at, next_at=at + pause, share_done=None
        )
    return document
