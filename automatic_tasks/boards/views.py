"""The board of a task on one split: a page, and a table for spreadsheets."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.access import Access
from automatic_tasks.access import board_is_visible, is_organizer, task_of
from automatic_tasks.boards.rescaling import MINUS_LOG2, UnknownScale, rescaled, rescaled_statistics, scale_of
from automatic_tasks.boards.statistics import shown_statistics, statistics_under_way
from automatic_tasks.boards.task_boards import UnknownFigure, as_table
from automatic_tasks.boards.task_boards import board as board_of
from automatic_tasks.combined.access import published_for
from automatic_tasks.models import Split
from campaigns.access import has_role
from campaigns.clocks import keep_clocks_of
from campaigns.models import Campaign, Role
from leaderboards.board import BoardSource
from leaderboards.board_page import board_page
from leaderboards.table_files.text_files import csv_pieces
from publication.views import snapshot_page


@require_GET
def board(request: HttpRequest, slug: str, key: str, split: str) -> HttpResponseBase:
    """Organizers see it as it is now, everybody else as it was published; where it was not, as teams or everybody may."""
    campaign = get_object_or_404(Campaign, slug=slug)
    keep_clocks_of(campaign)
    task = task_of(campaign, key)
    if shown := published_for(request.user, task, split, timezone.now()):
        return snapshot_page(request, campaign, shown)
    if split not in task.splits or not board_is_visible(request.user, task, split):
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise Http404
    as_organizer = is_organizer(request.user, campaign)
    try:
        scale = scale_of(request.GET.get("scale", ""), task.task_type)
        made = board_of(task, Split(split), by=request.GET.get("by", ""), for_teams=not as_organizer)
    except (UnknownFigure, UnknownScale) as unknown:
        raise Http404 from unknown
    if scale:
        made = rescaled(made)
    if request.GET.get("format") == "csv":
        return csv_answer(*as_table(made), f"{campaign.slug}-{task.key}-{split}.csv")
    # What is stored is of the task's own rule, not of a figure that a reader asks for.
    by_rule = not request.GET.get("by")
    statistics = shown_statistics(task, Split(split), for_teams=not as_organizer) if by_rule else None
    is_awaited = by_rule and not statistics and (as_organizer or split != Split.DEVELOPMENT)
    if scale:
        statistics = rescaled_statistics(statistics)
    return render(
        request,
        "automatic_tasks/board.html",
        {
            "campaign": campaign,
            "task": task,
            "shown": board_page(
                BoardSource(made, statistics, recomputing_since=task.board_changed_at if is_awaited else None),
                request.GET.getlist("compare"),
                request.GET.get("pairs", ""),
            ),
            "computing": statistics_under_way(task, Split(split)) if as_organizer else None,
            "by": request.GET.get("by", ""),
            "scale": scale,
            "minus_log2": MINUS_LOG2 if task.task_type.is_distance else "",
            "split_name": dict(Split.choices)[split],
            "as_organizer": as_organizer,
            "takes_part": as_organizer or has_role(request.user, campaign, Role.PARTICIPANT),
            "split": split,
            "sorted_by": made.rule[0].name,
        },
    )


board.access = Access("published")  # type: ignore[attr-defined]


def csv_answer(columns: Sequence[str], rows: Iterable[Sequence[Any]], name: str) -> HttpResponse:
    return HttpResponse(
        "".join(csv_pieces(columns, rows)).encode(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
