"""The page of a combined board, its table for spreadsheets, and the organizer's page on which it is frozen."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.access import Access, person_of
from accounts.form_routes import form_on
from automatic_tasks.actions.combined_ordering import order_combined_freeze
from automatic_tasks.board_views import csv_answer
from automatic_tasks.combined_boards import (
    Reader,
    agreement_of,
    combined_board,
    formula_of,
    is_visible,
    published_board_of,
)
from automatic_tasks.combined_preflight import combined_findings
from automatic_tasks.combined_statistics import shown_statistics, stored_statistics, version_of
from automatic_tasks.combined_tables import as_table
from automatic_tasks.models import CombinedBoard
from campaigns.access import for_roles, roles_of
from campaigns.models import Campaign, Role
from leaderboards.board_page import board_page
from leaderboards.models import FreezeOrder
from leaderboards.publication.actions.checks import NotReady
from leaderboards.publication.organizer_views import standing_publications, trail_of
from leaderboards.publication.preflight import blocks
from leaderboards.publication.views import snapshot_page


def board_for(person: Any, slug: str, key: str) -> tuple[CombinedBoard, Reader]:
    """The board, for whoever may see it. Errors: `Http404`."""
    found = CombinedBoard.objects.filter(campaign__slug=slug, key=key).select_related("campaign__rubric").first()
    if found is None:
        raise Http404
    reader = Reader(roles_of(person, found.campaign), timezone.now())
    if not is_visible(found, reader):
        raise Http404
    return found, reader


@require_GET
def combined(request: HttpRequest, slug: str, key: str) -> HttpResponseBase:
    """Organizers see it as it is now, everybody else as it was published; where it was not, the published parts joined."""
    try:
        found, reader = board_for(request.user, slug, key)
    except Http404:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise
    if shown := published_board_of(found, reader):
        return snapshot_page(request, found.campaign, shown)
    made, stored = combined_board(found, reader), stored_statistics(found)
    statistics = shown_statistics(found, stored, made, reader)
    if request.GET.get("format") == "csv":
        return csv_answer(*as_table(made, statistics), f"{slug}-{key}.csv")
    return render(
        request,
        "automatic_tasks/combined.html",
        {
            "campaign": found.campaign,
            "combined": found,
            "shown": board_page(
                made,
                statistics,
                request.GET.getlist("compare"),
                agreement_of(found, reader),
                pairs_by=request.GET.get("pairs", ""),
            ),
            "computing": stored if reader.is_organizer and stored.version != version_of(found) else None,
            "formula": formula_of(found, made),
            "as_organizer": reader.is_organizer,
        },
    )


combined.access = Access("published")  # type: ignore[attr-defined]


@for_roles(Role.ORGANIZER)
@require_GET
def combined_publication(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    """What to look at before it is frozen, and what was frozen."""
    board = board_declared(campaign, key)
    return render(request, "automatic_tasks/combined_publication.html", _publication(board))


@for_roles(Role.ORGANIZER)
@form_on("combined-publication")
def freeze(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    try:
        order_combined_freeze(board=board_declared(campaign, key), by=person_of(request), at=timezone.now())
    except NotReady as refused:
        messages.error(request, str(refused))
    return redirect("combined-publication", slug=campaign.slug, key=key)


def board_declared(campaign: Campaign, key: str) -> CombinedBoard:
    """Errors: `Http404`."""
    found = campaign.combined_boards.select_related("campaign__rubric").filter(key=key).first()
    if found is None:
        raise Http404
    return found


def _publication(board: CombinedBoard) -> dict[str, Any]:
    findings, trail = combined_findings(board), trail_of(board.campaign, of_board=board.key)
    snapshots = board.campaign.snapshots.filter(of_board=board.key).defer("board").select_related("made_by")
    return {
        "campaign": board.campaign,
        "combined": board,
        "findings": findings,
        "is_blocked": blocks(findings),
        "order": FreezeOrder.objects.filter(campaign=board.campaign, of_board=board.key).first(),
        "snapshots": standing_publications(snapshots.order_by("-number"), trail),
        "trail": trail,
        "now": timezone.now(),
    }
