"""The organizer's pages on which a combined board, or that of one task, is frozen."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on
from automatic_tasks.actions.combined_ordering import order_combined_freeze
from automatic_tasks.combined_access import board_declared, run_board_on
from automatic_tasks.combined_boards import PEOPLE, places_of
from automatic_tasks.combined_preflight import combined_findings
from automatic_tasks.models import CombinedBoard
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from publication.actions.ordering import NotReady
from publication.organizer_views import standing_publications, trail_of
from publication.preflight import blocks


@for_roles(Role.ORGANIZER)
@require_GET
def combined_publication(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    """What to look at before it is frozen, and what was frozen."""
    pages = {
        "board_page": reverse("combined-board", args=[campaign.slug, key]),
        "freeze_page": reverse("freeze-combined", args=[campaign.slug, key]),
    }
    return _publication(request, board_declared(campaign, key), pages)


@for_roles(Role.ORGANIZER)
@form_on("combined-publication")
def freeze_combined(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    _order(request, board_declared(campaign, key))
    return redirect("combined-publication", slug=campaign.slug, key=key)


@for_roles(Role.ORGANIZER)
@require_GET
def task_board_publication(request: HttpRequest, campaign: Campaign, key: str, split: str) -> HttpResponse:
    """The same for the board of a task on a split."""
    pages = {
        "board_page": reverse("task-board", args=[campaign.slug, key, split]),
        "freeze_page": reverse("freeze-task-board", args=[campaign.slug, key, split]),
    }
    return _publication(request, run_board_on(campaign, key, split), pages)


@for_roles(Role.ORGANIZER)
@form_on("task-board-publication")
def freeze_task_board(request: HttpRequest, campaign: Campaign, key: str, split: str) -> HttpResponse:
    _order(request, run_board_on(campaign, key, split))
    return redirect("task-board-publication", slug=campaign.slug, key=key, split=split)


def _order(request: HttpRequest, board: CombinedBoard) -> None:
    try:
        order_combined_freeze(board=board, by=person_of(request), at=timezone.now())
    except NotReady as refused:
        messages.error(request, str(refused))


def _publication(request: HttpRequest, board: CombinedBoard, pages: dict[str, str]) -> HttpResponse:
    findings, trail = combined_findings(board), trail_of(board.campaign, of_board=board.key)
    snapshots = board.campaign.snapshots.filter(of_board=board.key).select_related("made_by")
    context = {
        "campaign": board.campaign,
        "combined": board,
        "has_people": PEOPLE in places_of(board),
        "findings": findings,
        "is_blocked": blocks(findings),
        "order": board.campaign.freeze_orders.filter(of_board=board.key).first(),
        "snapshots": standing_publications(snapshots.order_by("-number"), trail),
        "trail": trail,
        "now": timezone.now(),
    }
    return render(request, "automatic_tasks/combined_publication.html", context | pages)
