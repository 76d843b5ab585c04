"""Where a campaign stands: its stage, how much is done, when it was."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns.models import Assignment, Campaign, Entry, Scenario
from dialogues.fault_policy import LEFT_OUT
from dialogues.models import Dialogue, is_broken
from leaderboards.models import ImportedRecord
from publication.models import Publication
from reviews.desk import is_scored
from reviews.models import Review


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a campaign in words, with the pill and icon that show it."""

    key: str
    label: Promise
    pill: str
    icon: str


PREPARING = Stage("preparing", _("in preparation"), "", "circle-dashed")
TESTING = Stage("testing", _("testing"), "now", "circle-dot")
TESTED = Stage("tested", _("all dialogues scored"), "good", "circle-check")
PUBLISHED = Stage("published", _("leaderboard published"), "good", "lock")


@dataclass(frozen=True, slots=True)
class Standing:
    """The counts that a campaign's page and rows show; nothing in them tells who made a bot."""

    n_entries: int
    n_scenarios: int
    n_assigned: int
    n_dialogues: int
    n_scored: int
    n_open: int
    n_cells: int
    n_covered: int
    n_records: int
    first_at: datetime | None
    last_at: datetime | None
    is_published: bool

    @property
    def n_expected(self) -> int:
        """How many dialogues there are to be: the drawn ones, or as many as there were where testers choose freely."""
        return max(self.n_assigned, self.n_dialogues)

    @property
    def is_imported(self) -> bool:
        """Whether all there is came from elsewhere: then it says how many records, not how far it is."""
        return bool(self.n_records) and not self.n_expected

    @property
    def stage(self) -> Stage:
        if self.is_published:
            return PUBLISHED
        if not self.n_dialogues and not self.n_open:
            return PREPARING
        return TESTED if self.n_scored and self.n_scored >= self.n_expected else TESTING


def standing_of(campaign: Campaign) -> Standing:
    return standings_of([campaign])[campaign.pk]


def standings_of(campaigns: Collection[Campaign]) -> dict[int, Standing]:
    """By the campaigns' ids; counted on each call, in nine queries at most, however many campaigns there are.

    Records are what a leaderboard is made of, imported ones too.
    """
    pks = [campaign.pk for campaign in campaigns]
    dialogues = Dialogue.objects.filter(assignment__campaign__in=pks).counted()
    of_campaign = dialogues.values("assignment__campaign").annotate(
        closed=Count("pk", filter=Q(closed_at__isnull=False)),
        scored=Count("pk", filter=is_scored()),
        running=Count("pk", filter=Q(closed_at__isnull=True)),
        first=Min("opened_at"),
        last=Max("opened_at"),
    )
    counts = {row["assignment__campaign"]: row for row in of_campaign}
    scored = dialogues.filter(is_scored())
    place = "assignment__"
    cells = list(
        scored.order_by()
        .values_list(f"{place}campaign", f"{place}entry", f"{place}scenario", f"{place}entry__withdrawn_at")
        .distinct()
    )
    n_covered = Counter(campaign for campaign, *_cell in cells)
    # A bot that withdrew meets nobody any more: its cells are those that are covered.
    n_left_behind = Counter(campaign for campaign, *_cell, withdrawn_at in cells if withdrawn_at is not None)
    n_drawn = _drawn_cells(campaigns, dialogues)
    n_entries = _numbers(Entry.objects.filter(withdrawn_at=None), pks)
    standing = Q(entry__withdrawn_at=None) | Q(pk__in=dialogues.order_by().values("assignment"))
    n_scenarios = _numbers(Scenario.objects.filter(is_practice=False), pks)
    n_assigned = _numbers(Assignment.objects.filter(standing), pks)
    # Reviews that count, of dialogues that their campaign's fault policy does not leave out.
    records = Review.objects.filter(is_counted=True).exclude(
        is_broken("dialogue"), dialogue__assignment__campaign__broken_dialogues=LEFT_OUT
    )
    n_reviews = _numbers(records, pks, "dialogue__assignment__campaign")
    n_imported = _numbers(ImportedRecord.objects.all(), pks, "entry__campaign")
    readable = Publication.objects.filter(snapshot__campaign__in=pks).public(timezone.now())
    with_board = set(readable.values_list("snapshot__campaign", flat=True))
    nothing: dict[str, Any] = {"closed": 0, "scored": 0, "running": 0, "first": None, "last": None}
    return {
        campaign.pk: Standing(
            # A file may say that it is published before anything is frozen: until then there is no board to read.
            is_published=campaign.is_published and campaign.pk in with_board,
            n_dialogues=own["closed"],
            n_scored=own["scored"],
            n_open=own["running"],
            first_at=own["first"],
            last_at=own["last"],
            n_entries=n_entries.get(campaign.pk, 0),
            n_scenarios=n_scenarios.get(campaign.pk, 0),
            n_assigned=n_assigned.get(campaign.pk, 0),
            n_cells=(
                n_entries.get(campaign.pk, 0) * n_scenarios.get(campaign.pk, 0) + n_left_behind[campaign.pk]
                if campaign.covers_every_scenario
                else n_drawn[campaign.pk]
            ),
            n_covered=n_covered[campaign.pk],
            n_records=n_reviews.get(campaign.pk, 0) + n_imported.get(campaign.pk, 0),
        )
        for campaign in campaigns
        for own in [counts.get(campaign.pk, nothing)]
    }


def _drawn_cells(campaigns: Collection[Campaign], dialogues: QuerySet[Dialogue]) -> Counter[int]:
    """How many cells, system × scenario, each campaign has whose plan draws scenarios: those that were drawn, or talked about."""
    pks = [campaign.pk for campaign in campaigns if not campaign.covers_every_scenario]
    if not pks:
        return Counter()
    drawn = Assignment.objects.of_the_plan() | Assignment.objects.filter(pk__in=dialogues.values("assignment"))
    cells = drawn.filter(campaign__in=pks).order_by().values_list("campaign", "entry", "scenario").distinct()
    return Counter(campaign for campaign, _entry, _scenario in cells)


def _numbers(rows: QuerySet[Any], campaigns: Collection[int], path: str = "campaign") -> dict[int, int]:
    """How many of the rows each campaign has; `path` leads from a row to its campaign."""
    of_each = rows.filter(**{f"{path}__in": campaigns}).order_by().values_list(path)
    return dict(of_each.annotate(n=Count("pk")))


@dataclass(frozen=True, slots=True)
class Milestone:
    """A stage on the line of a campaign's page; `state` is done, now or to_come."""

    label: str
    detail: str
    state: str


def milestones_of(campaign: Campaign, standing: Standing) -> list[Milestone]:
    """The four stages in their order, with the campaign's dates where it has them, else with a date or a count behind."""
    reached = [PREPARING, TESTING, TESTED, PUBLISHED].index(standing.stage)
    scored = f"{standing.n_scored} / {standing.n_expected}" if standing.n_expected else ""
    lines = [
        (gettext("Prepared"), _day(campaign, campaign.created_at)),
        (gettext("Testing"), _span(campaign, "testing_from", "testing_until") or _day(campaign, standing.first_at)),
        (gettext("All scored"), scored or _span(campaign, "review_from", "review_until")),
        (
            gettext("Publication"),
            gettext("for everybody") if standing.is_published else _span(campaign, "publication_at", "publication_at"),
        ),
    ]
    states = ["done" if place < reached else "now" if place == reached else "to_come" for place in range(len(lines))]
    return [Milestone(label, detail, state) for (label, detail), state in zip(lines, states, strict=True)]


def _span(campaign: Campaign, opens: str, closes: str) -> str:
    """From the one day to the other; a side that is not said is left open."""
    days = [_day(campaign, getattr(campaign, name)) for name in (opens, closes)]
    return " – ".join(dict.fromkeys(days)).strip() if any(days) else ""


def _day(campaign: Campaign, moment: datetime | None) -> str:
    """The day on the campaign's clocks."""
    return date_format(localtime(moment, ZoneInfo(campaign.time_zone)), "Y-m-d") if moment else ""
