"""The board of pairs as it was computed last (`pairs/actions/boards.py`)."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db.models import Count, Max, Sum

from campaigns.models import Campaign
from dialogues.models import Dialogue
from dialogues.turn_taking import UNCOUNTED
from leaderboards.models import StoredBoard
from pairs.models import PairVote

KEY = "pairs"

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PairBoardNow:
    """What organizers see: the document, None before the first computation, and whether votes have come since."""

    document: Object | None
    computed_at: datetime | None
    is_outdated: bool


def mark_of(campaign: Campaign) -> str:
    """Another text as soon as a vote came, went or changed, or a dialogue counts no more, or again.

    Reads every vote and the ids of void dialogues: to join each vote with its dialogues would take six times as long.
    """
    votes = PairVote.objects.given().filter(pair__campaign=campaign, pair__released_at=None).order_by()
    told = votes.aggregate(n=Count("pk"), versions=Sum("version"), last=Max("at"), ids=Sum("pk"))
    uncounted = Dialogue.everything.of_campaign(campaign).filter(status__in=UNCOUNTED).order_by("pk")
    void = sha256("".join(map(str, uncounted.values_list("pk", flat=True))).encode()).hexdigest()
    return f"{told['n']}/{told['versions']}/{told['ids']}/{told['last']}/{void[:16]}"


def is_outdated(stored: StoredBoard, campaign: Campaign) -> bool:
    """Whether a vote or a system is missing. Votes change with the scores' version: where that stands, none is read."""
    if len(stored.rows["document"]["systems"]) != campaign.entries.count():
        return True
    return stored.scores_version != campaign.scores_version and stored.rows["mark"] != mark_of(campaign)


def pair_board_now(campaign: Campaign) -> PairBoardNow:
    stored = campaign.stored_boards.filter(key=KEY).first()
    if stored is None or not stored.rows:
        return PairBoardNow(None, None, True)
    return PairBoardNow(stored.rows["document"], stored.computed_at, is_outdated(stored, campaign))


def has_pairs(campaign: Campaign) -> bool:
    """Whether people compare systems here, or a file of comparisons was imported."""
    return campaign.pairs.exists()


def n_compared(campaign: Campaign) -> int:
    """How many systems have a strength on the stored board."""
    stored = campaign.stored_boards.filter(key=KEY).first()
    return sum(row["rank"] is not None for row in stored.rows["document"]["systems"]) if stored and stored.rows else 0
