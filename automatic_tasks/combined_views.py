"""The page of a combined board, and its table for spreadsheets."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.access import Access
from automatic_tasks.board_views import csv_answer
from automatic_tasks.combined_access import board_for
from automatic_tasks.combined_boards import agreement_of, combined_board, formula_of, published_board_of
from automatic_tasks.combined_statistics import recomputing_since, shown_statistics, stored_statistics, version_of
from automatic_tasks.combined_tables import as_table
from leaderboards.board_page import board_page
from leaderboards.publication.views import snapshot_page
from testing_console.turn_policy import turn_in_words


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
    since = recomputing_since(found, stored) if reader.is_organizer else None
    if request.GET.get("format") == "csv":
        return csv_answer(*as_table(found, made, statistics), f"{slug}-{key}.csv")
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
                recomputing_since=since,
            ),
            "computing": stored if reader.is_organizer and stored.version != version_of(found) else None,
            "formula": formula_of(found, made),
            "turn": turn_in_words(found.campaign.turns_are) if found.counts_turns else "",
            "as_organizer": reader.is_organizer,
        },
    )


combined.access = Access("published")  # type: ignore[attr-defined]
