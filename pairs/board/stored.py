"""The board of pairs as it was computed last (`pairs/actions/boards.py`)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Sum

from campaigns.models import Campaign
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
