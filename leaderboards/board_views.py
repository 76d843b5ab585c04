"""What stands behind a live board: the records of a figure, and the figures of parts of the records."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from campaigns.access import for_roles
from campaigns.interests import check_interest
from campaigns.models import Campaign, Role
from leaderboards.figure_records import FigureRecords
from leaderboards.live_board import board_of, stored_board

DIALOGUES_PER_PAGE = 25


@for_roles(Role.ORGANIZER)
@require_GET
def figure_records(request: HttpRequest, campaign: Campaign, entry_id: int, figure: str) -> HttpResponse:
    """The records that a figure is the mean of, some at a time."""
    entry = get_object_or_404(campaign.entries.select_related("bot__team"), pk=entry_id)
    stored = stored_board(campaign)
    board = board_of(campaign, stored.rows)
    key = next((key for key in board.keys if key.name == figure), None)
    if key is None:
        raise Http404
    check_interest(request.user, entry.pk)
    # The stubs want every sequence's methods; `Paginator` takes lengths and slices alone.
    records: Any = FigureRecords(campaign, entry, figure)
    pages = Paginator(records, DIALOGUES_PER_PAGE)
    row = board.row(str(entry_id))
    page = pages.get_page(request.GET.get("page"))
    context = {"campaign": campaign, "entry": entry, "key": key, "row": row, "n": row.n_behind(figure) if row else None}
    # The records are those of now: a figure of other scores is not the mean of them.
    context["is_awaited"] = stored.is_outdated
    has_weights = any(one.record.weight != 1 for one in page.object_list)
    return render(request, "leaderboards/records.html", context | {"page": page, "has_weights": has_weights})
