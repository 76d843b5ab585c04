"""What of a campaign waits for a person, read from the rooms where it waits."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, DateTimeField, Min, Q, QuerySet
from django.urls import reverse
from django.utils.translation import override

from automatic_tasks.models import Run, RunState
from automatic_tasks.queue import has_worker
from campaigns.models import Campaign, Role
from leaderboards.models import FreezeOrder
from organizing.wall.needs import NOTHING, BotInNeed, Demand, Facts, Need, Waiting, needs_of
from organizing.wall.state import BOT, Sections
from registration.models import Application
from reviews.models import Dispute, RevisionRequest
from reviews.panel_survey import short_panels
from testing_console.models import Dialogue, Problem

# Panels are read from whole tables.
DEARLY_EVERY = timedelta(seconds=30)
# The deadline has passed so long ago that the sweep should have failed the turn.
STUCK_AFTER = timedelta(seconds=60)


class NeedsOf:
    """What needs a person in one campaign, looked at again and again. Used by one thread at a time."""

    def __init__(self, campaign_id: int) -> None:
        self._campaign_id = campaign_id
        self._dearly_at: datetime | None = None

    def shown(self, languages: Collection[str], at: datetime, sections: Sections) -> dict[str, list[dict[str, Any]]]:
        """By language, in its words."""
        campaign = Campaign.objects.get(pk=self._campaign_id)
        facts = self._facts(campaign, at, sections)
        found = {}
        for language in languages:
            with override(language):
                found[language] = [need.shown(url_of(need, campaign)) for need in needs_of(facts)]
        return found

    def _facts(self, campaign: Campaign, at: datetime, sections: Sections) -> Facts:
        if self._dearly_at is None or at >= self._dearly_at:
            self._panels = _short_panels(campaign, at)
            self._dearly_at = at + DEARLY_EVERY
        return Facts(
            failing=failing_in(sections),
            paused=_paused(campaign),
            stuck=stuck_in(sections, at),
            problems=_first(Problem.objects.filter(dialogue__assignment__campaign=campaign, settled_at=None), "at"),
            requests=_first(_requests(campaign), "asked_at"),
            panels=self._panels,
            disputes=_first(_disputes(campaign), "opened_at"),
            n_adjudicators=campaign.roles.filter(role=Role.ADJUDICATOR).count(),
            freeze_failed=_first(FreezeOrder.objects.filter(campaign=campaign).exclude(failure=""), "asked_at"),
            runs_without_worker=_runs_without_worker(campaign, at),
            undrawn=_undrawn(campaign),
            applications=_first(Application.objects.of_campaign(campaign).waiting(), "applied_at"),
        )


def url_of(need: Need, campaign: Campaign) -> str:
    query = f"?{urlencode(need.query)}" if need.query else ""
    return reverse(need.page, args=[campaign.slug]) + query


def failing_in(sections: Sections) -> list[BotInNeed]:
    """The bots that the wall shows as failing, with how many dialogues are open with each."""
    return [
        BotInNeed(alias, datetime.fromisoformat(row["since"]), row["live"])
        for alias, row in sections["bots"].items()
        if row["state"] == "failing"
    ]


def stuck_in(sections: Sections, at: datetime) -> Waiting:
    """Dialogues that wait for a bot whose time ran out over a minute ago."""
    untils = [datetime.fromisoformat(row["until"]) for row in sections["dialogues"].values() if row["waits_for"] == BOT]
    late = [until for until in untils if until + STUCK_AFTER < at]
    return Waiting(len(late), min(late)) if late else NOTHING


def _paused(campaign: Campaign) -> list[BotInNeed]:
    paused = campaign.entries.filter(paused_at__isnull=False, withdrawn_at=None).order_by("paused_at", "pk")
    to_do = campaign.assignments.filter(started_at=None, entry__in=paused).order_by()
    n_left = Counter(dict(to_do.values_list("entry").annotate(n=Count("pk"))))
    return [BotInNeed(one.alias, one.paused_at, n_left[one.pk], one.paused_because) for one in paused]


def _requests(campaign: Campaign) -> QuerySet[RevisionRequest]:
    return RevisionRequest.objects.filter(review__dialogue__assignment__campaign=campaign, is_granted=None)


def _disputes(campaign: Campaign) -> QuerySet[Dispute]:
    reviewable = Dialogue.objects.of_campaign(campaign).reviewable()
    return Dispute.objects.filter(dialogue__in=reviewable, settled_at=None)


def _runs_without_worker(campaign: Campaign, at: datetime) -> Waiting:
    waiting = Run.objects.filter(task__campaign=campaign, state=RunState.QUEUED)
    return NOTHING if has_worker(at) else _first(waiting, "submitted_at")


def _short_panels(campaign: Campaign, at: datetime) -> Waiting:
    if not campaign.panels_score:
        return NOTHING
    short = short_panels(campaign, at)
    return Waiting(len(short), short[0].since) if short else NOTHING


def _undrawn(campaign: Campaign) -> Waiting:
    """Dialogues that the plan asks for and that nobody has begun or is to begin; since when is not known.

    Counted by bot: what exactly a drawing would change takes a second of a large plan, and the coverage page shows it.
    """
    if campaign.free_choice:
        return NOTHING
    testers = campaign.roles.filter(role=Role.TESTER).values("person")
    there = Q(assignments__started_at__isnull=False) | Q(assignments__tester__in=testers)
    assigned = campaign.entries.taking_part().annotate(n=Count("assignments", filter=there))
    demand = Demand(
        plan=campaign.plan,
        n_testers=testers.count(),
        n_scenarios=campaign.scenarios.declared().count(),
        testers_per_cell=campaign.testers_per_cell,
        dialogues_per_bot=campaign.dialogues_per_bot,
        quota=campaign.quota,
    )
    return Waiting(demand.missing(assigned.values_list("n", flat=True)))


def _first(rows: QuerySet[Any], at: str) -> Waiting:
    """How many rows there are, and the time of the first."""
    found = rows.order_by().aggregate(n=Count("pk"), first=Min(at, output_field=DateTimeField()))
    return Waiting(found["n"], found["first"])
