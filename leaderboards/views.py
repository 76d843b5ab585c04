"""The leaderboard page, and what an organizer sees of a campaign."""

from typing import Any

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from accounts.access import Access, person_of
from campaigns.access import for_roles
from campaigns.clocks import keep_clocks_of
from campaigns.interests import Interested, has_interest_in
from campaigns.models import Campaign, Role
from campaigns.shown_settings import shown_settings
from dialogues.models import Dialogue
from dialogues.turn_policy import turn_in_words
from dialogues.turn_taking import DialogueStatus
from leaderboards.actions import note_export
from leaderboards.agreement_board import criteria_rows, gold_rows, reviewer_rows, stored_agreement
from leaderboards.board_now import board_now
from leaderboards.board_page import board_page
from leaderboards.downloads import download_of
from leaderboards.export_formats import FORMATS
from leaderboards.exports import EXPORTS
from leaderboards.figure_links import leading_to_records
from leaderboards.final_ranking import final_ranking_of
from leaderboards.live_board import board_of
from leaderboards.publication.queries import organizes, published_of_any, standing_of
from leaderboards.publication.views import not_public, snapshot_page
from reviews.gold_files import NoGold, gold_file, gold_tasks
from reviews.panel_page import FIRST_SHOWN, shown_panels
from reviews.panel_survey import lacking_panels
from scoring.task_types import TASK_TYPES


@require_GET
def board(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Organizers see the board as it is now, everybody else the one that was published last, of whatever board where there is none."""
    campaign = Campaign.objects.select_related("rubric").filter(slug=slug).first()
    if campaign is None:
        return not_public(request)
    keep_clocks_of(campaign)
    if not organizes(request.user, campaign):
        shown = published_of_any(campaign, timezone.now())
        return snapshot_page(request, campaign, shown) if shown else not_public(request)
    now = board_now(campaign)
    return render(
        request,
        "leaderboards/board.html",
        {
            "shown": board_page(
                leading_to_records(campaign, board_of(campaign, now.figures.rows)),
                now.statistics,
                request.GET.getlist("compare"),
                now.agreement,
                pairs_by=request.GET.get("pairs", ""),
                recomputing_since=now.recomputing_since,
            ),
            "turn": turn_in_words(campaign.turns_are),
            "now": now,
            "final_ranking": final_ranking_of(campaign),
            "campaign": campaign,
            **standing_of(campaign, timezone.now()),
        },
    )


board.access = Access("published")  # type: ignore[attr-defined]


@for_roles(Role.ORGANIZER)
@require_GET
def organize(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    dialogues = Dialogue.objects.of_campaign(campaign)
    testers = (
        campaign.roles.filter(role=Role.TESTER)
        .order_by("person__username")
        .values_list("person_id", "person__username")
    )
    done_by = dict(dialogues.filter(_is_done(campaign)).values_list("tester").annotate(n=Count("pk")))
    assigned_to = dict(campaign.assignments.values_list("tester").annotate(n=Count("pk")))
    return render(
        request,
        "leaderboards/organize.html",
        {
            "campaign": campaign,
            "entries": campaign.entries.select_related("bot__team").annotate(**_counts(campaign)).order_by("key"),
            "testers": [(name, done_by.get(pk, 0), assigned_to.get(pk, 0)) for pk, name in testers],
            "live": dialogues.open().with_names().select_related("tester").order_by("opened_at")[:100],
            "short": shown_panels(lacking_panels(campaign, timezone.now()), most=FIRST_SHOWN),
            "n_scenarios": campaign.scenarios.tested().count(),
            "settings": shown_settings(campaign),
            "exports": [(what, EXPORT_NAMES[what]) for what in EXPORTS],
            "formats": [(key, format.title) for key, format in FORMATS.items()],
            "bundles": BUNDLE_NAMES.items(),
            "golds": [(f"gold-{task}", TASK_TYPES[task].title) for task in gold_tasks(campaign)],
        },
    )


def _counts(campaign: Campaign) -> dict[str, Count]:
    """What is counted of each entry. Joins pass the managers by, so that practice is left out here."""
    counts, talks = Q(assignments__is_practice=False), "assignments__dialogues"
    return {
        "n_assigned": Count("assignments", filter=counts, distinct=True),
        "n_done": Count(talks, filter=counts & _is_done(campaign, f"{talks}__")),
        "n_open": Count(talks, filter=counts & Q(assignments__dialogues__status=DialogueStatus.OPEN)),
        "n_void": Count(talks, filter=counts & Q(assignments__dialogues__status=DialogueStatus.VOID)),
    }


def _is_done(campaign: Campaign, prefix: str = "") -> Q:
    """Whether a dialogue is one that its tester has done with: it counts, and is scored where testers score."""
    counts = Q(**{f"{prefix}status__in": [DialogueStatus.COMPLETED, DialogueStatus.UNFINISHED]})
    return counts & Q(**{f"{prefix}scored_at__isnull": False}) if campaign.testers_score else counts


@for_roles(Role.ORGANIZER)
@require_GET
def agreement(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """How far the panel agrees, and what each reviewer is like, as it was computed last."""
    stored = stored_agreement(campaign)
    return render(
        request,
        "leaderboards/agreement.html",
        {
            "campaign": campaign,
            "stored": stored,
            "has_panel": campaign.panels_score,
            "has_imported": campaign.imported_records.exists(),
            "criteria": criteria_rows(campaign, stored.rows),
            "reviewers": reviewer_rows(stored.rows),
            "gold": gold_rows(campaign, stored.rows),
        },
    )


EXPORT_NAMES = {
    "turns": _("Every turn"),
    "dialogues": _("Dialogues"),
    "reviews": _("Scored dialogues"),
    "ratings": _("Single scores"),
    "attempts": _("Requests to systems"),
    "ledger": _("Ledger"),
    "changes": _("Changes of scores"),
    "records": _("Records"),
    "minutes": _("Minutes at work"),
    "leaderboard": _("Leaderboard"),
}


BUNDLE_NAMES = {
    "bundle": _("Everything, for anybody to check"),
    "bundle-aliases": _("The same with aliases in the place of teams"),
}


@for_roles(Role.ORGANIZER)
@require_GET
def download(request: HttpRequest, campaign: Campaign, what: str, format: str) -> HttpResponseBase:
    if what.startswith("gold-") and format == "json":
        answer: HttpResponseBase = _gold(campaign, what.removeprefix("gold-"), request.user)
    else:
        answer = download_of(campaign, what, format, request.user)
    note_export(campaign=campaign, what=what, by=person_of(request), at=timezone.now(), format=format)
    return answer


def _gold(campaign: Campaign, task: str, reader: Any) -> HttpResponse:
    try:
        content = gold_file(campaign, task)
    except NoGold as nothing:
        raise Http404 from nothing
    if has_interest_in(campaign, reader):
        raise Interested
    named = f'attachment; filename="{campaign.slug}-gold-{task}.json"'
    return HttpResponse(content, content_type="application/json", headers={"Content-Disposition": named})
