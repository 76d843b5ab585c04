"""The page of a combined board, and its table for spreadsheets."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.access import Access
from automatic_tasks.board_views import csv_answer
from automatic_tasks.combined_access import board_for
from automatic_tasks.combined_boards import (
    agreement_of,
    awaited_parts,
    final_keys,
    formula_of,
    is_interim,
    parts_of,
    published_board_of,
)
from automatic_tasks.combined_statistics import shown_statistics, state_of, stored_statistics
from automatic_tasks.combined_tables import as_table
from dialogues.turn_policy import turn_in_words
from leaderboards.board import BoardSource
from leaderboards.board_page import board_page
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
