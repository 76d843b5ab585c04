"""What the page of a reviewer's queue shows: their places in their own order, how far they are, at what pace."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil
from statistics import median
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils.translation import get_language

from accounts.models import Person
from campaigns.interests import barred_entries
from campaigns.models import Campaign
from reviews.models import Review, ReviewPlace
from reviews.training import training_of

# A dialogue that was left open over lunch says nothing about the pace.
LONGEST_S = 3600.0
SHORTEST_S = 5.0
Row = dict[str, Any]


def queue_of(campaign: Campaign, reviewer: Person, at: datetime) -> Row:
    """The queue as the API gives it; nothing in it tells gold from the rest. As many queries for 3,000 places as for one."""
    rows = list(_rows(campaign, reviewer))
    training = training_of(campaign, reviewer)
    # Asked once: of thousands of rows it would be a tenth of the page's time.
    is_english = (get_language() or "").startswith("en")
    shown_training = {"done": training.n_done, "total": training.n_total, "passed": False}
    return {
        "progress": progress_of(rows),
        "training": None if training.has_passed else shown_training,
        "places": [_shown(row, at, is_english=is_english) for row in rows],
    }


def _rows(campaign: Campaign, reviewer: Person) -> Iterable[Any]:
    """The reviewer's places, with those whose reservation ran out and where nobody has begun in their stead."""
    drafts = Review.objects.filter(dialogue=OuterRef("dialogue"), reviewer=reviewer, draft__isnull=False)
    of_dialogue = "dialogue__review_places"
    begun = Q(
        **{
            f"{of_dialogue}__released_at": None,
            f"{of_dialogue}__is_gold": False,
            f"{of_dialogue}__opened_at__isnull": False,
        }
    )
    own = ReviewPlace.objects.of_campaign(campaign).filter(reviewer=reviewer)
    own = own.exclude(dialogue__assignment__entry__in=barred_entries(reviewer))
    returning = own.filter(released_because=ReviewPlace.Released.EXPIRED).annotate(n_begun=Count(of_dialogue, begun))
    returning = returning.filter(n_begun__lt=campaign.reviewers_per_dialogue)
    shown = own.filter(Q(released_at=None) | Q(pk__in=returning.values("pk")))
    return shown.order_by("position", "pk").values(
        "id", "opened_at", "expires_at", "done_at", "released_at", "dialogue_id",
        has_draft=Exists(drafts),
        alias=F("dialogue__assignment__entry__alias"),
        key=F("dialogue__assignment__scenario__key"),
        title_zh=F("dialogue__assignment__scenario__title_zh"),
        title_en=F("dialogue__assignment__scenario__title_en"),
    )  # fmt: skip


def _shown(row: Row, at: datetime, *, is_english: bool) -> Row:
    titles = (row["title_en"], row["title_zh"]) if is_english else (row["title_zh"], row["title_en"])
    status = status_of(row, at)
    expires_at = row["expires_at"] if status in {"reserved", "draft"} else None
    return {
        "id": row["id"],
        "dialogue": str(row["dialogue_id"]),
        "alias": row["alias"],
        "scenario": titles[0] or titles[1] or row["key"],
        "status": status,
        "expires_at": expires_at.isoformat() if expires_at else None,
    }


def status_of(row: Row, at: datetime) -> str:
    if row["done_at"]:
        return "done"
    if row["released_at"] or (row["expires_at"] and row["expires_at"] <= at):
        return "expired"
    if row["has_draft"]:
        return "draft"
    return "reserved" if row["opened_at"] else "new"


def progress_of(rows: Sequence[Row]) -> Row:
    """How many are done, the reviewer's own seconds per dialogue, and the minutes that the rest takes at that pace."""
    n_done = sum(row["done_at"] is not None for row in rows)
    pace = pace_s((row["done_at"] - row["opened_at"]).total_seconds() for row in rows if row["done_at"])
    n_left = len(rows) - n_done
    minutes = ceil(n_left * pace / 60) if pace is not None else None
    return {"done": n_done, "total": len(rows), "minutes_left": minutes, "pace_s": pace}


def pace_s(seconds: Iterable[float]) -> int | None:
    """The median of the seconds that dialogues took; None before the first."""
    taken = [min(max(one, SHORTEST_S), LONGEST_S) for one in seconds]
    return round(median(taken)) if taken else None
