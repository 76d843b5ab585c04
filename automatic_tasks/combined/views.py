"""Pages of combined boards, and of their publication."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.access import Access, person_of
from accounts.form_routes import form_on
from automatic_tasks.boards.views import csv_answer
from automatic_tasks.combined.access import board_declared, board_for, run_board_on
from automatic_tasks.combined.boards import (
    PEOPLE,
    agreement_of,
    awaited_parts,
    final_keys,
    formula_of,
    is_interim,
    parts_of,
    places_of,
    published_board_of,
)
from automatic_tasks.combined.freezing import order_combined_freeze
from automatic_tasks.combined.preflight import combined_findings
from automatic_tasks.combined.statistics import shown_statistics, state_of, stored_statistics
from automatic_tasks.combined.tables import as_table
from automatic_tasks.models import CombinedBoard
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from dialogues.turn_policy import turn_in_words
from leaderboards.board import BoardSource
from leaderboards.board_page import board_page
from publication.actions.ordering import NotReady
from publication.organizer_views import standing_in_steps, trail_of
from publication.views import snapshot_page


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
    parts, stored = parts_of(found, reader), stored_statistics(found)
    made = parts.board
    state = state_of(found) if reader.is_organizer else None
    statistics = shown_statistics(found, stored, made, reader, state)
    if request.GET.get("format") == "csv":
        return csv_answer(*as_table(found, made, statistics), f"{slug}-{key}.csv")
    return render(
        request,
        "automatic_tasks/combined.html",
        {
            "campaign": found.campaign,
            "combined": found,
            "shown": board_page(
                BoardSource(
                    made,
                    statistics,
                    agreement_of(found, reader),
                    state.recomputing_since(stored) if state else None,
                ),
                request.GET.getlist("compare"),
                request.GET.get("pairs", ""),
            ),
            "computing": stored if state and stored.version != state.version else None,
            "formula": formula_of(found, made),
            "final": [key.words for key in final_keys(found, made)] if is_interim(found, made) else [],
            "awaited": awaited_parts(found, parts),
            "turn": turn_in_words(found.campaign.turns_are) if found.counts_turns else "",
            "as_organizer": reader.is_organizer,
        },
    )


combined.access = Access("published")  # type: ignore[attr-defined]


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
    order = board.campaign.freeze_orders.filter(of_board=board.key).first()
    steps = standing_in_steps(board.campaign, findings, order, snapshots.order_by("-number"), trail, board.key)
    context = steps | {"combined": board, "has_people": PEOPLE in places_of(board)}
    return render(request, "automatic_tasks/combined_publication.html", context | pages)
