"""The page of a combined board, and its table for spreadsheets."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.access import Access
from automatic_tasks.board_views import csv_answer
from automatic_tasks.combined_boards import Reader, agreement_of, combined_board, formula_of, is_visible
from automatic_tasks.combined_statistics import shown_statistics, stored_statistics, version_of
from automatic_tasks.combined_tables import as_table
from automatic_tasks.models import CombinedBoard
from campaigns.access import roles_of
from leaderboards.board_page import board_page


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
def combined(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    try:
        found, reader = board_for(request.user, slug, key)
    except Http404:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise
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
        },
    )


combined.access = Access("published")  # type: ignore[attr-defined]
