"""REST: the leaderboard with unrounded figures, and every export as a file."""

from typing import Any, NotRequired, TypedDict

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.describing import FileOf, describes
from accounts.file_views import FileView
from campaigns.access import campaign_for
from campaigns.models import Campaign, Role
from leaderboards.actions import note_export
from leaderboards.downloads import download_of
from leaderboards.export_formats import FORMATS
from leaderboards.live_board import board_of, stored_board, to_json
from leaderboards.publication.documents import board_in
from leaderboards.publication.queries import organizes, published
from scoring.json_schemas import Moment

EXPORTED = (*(one.content_type for one in FORMATS.values()), "application/zip")


class BoardKey(TypedDict):
    key: str
    better: str


class BoardColumn(BoardKey):
    """`head` and `decimals` are those of the page."""

    head: str
    decimals: int


class WhichSnapshot(TypedDict):
    number: int
    frozen_at: Moment
    sha256: str


class LeaderboardAnswer(TypedDict):
    """Rows have `rank`, `team`, `bot`, `n_records` and one member per column.

    `is_outdated` is true for the second or two in which scores that were just handed in are not in the figures yet.
    """

    campaign: str
    rule: list[BoardKey]
    columns: list[BoardColumn]
    rows: list[dict[str, Any]]
    unranked: list[dict[str, Any]]
    is_outdated: NotRequired[bool]
    snapshot: NotRequired[WhichSnapshot]


class Leaderboard(APIView):
    """Organizers get the board as it is now, everybody else the one that was published last, with what says which it is."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes(
        "Gives the leaderboard, unrounded: as it is now to organizers, as it was published to others", LeaderboardAnswer
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = get_object_or_404(Campaign.objects.select_related("rubric"), slug=slug)
        if organizes(request.user, campaign):
            stored = stored_board(campaign)
            answer = to_json(campaign, board_of(campaign, stored.rows))
            return Response(answer | {"is_outdated": stored.is_outdated})
        shown = published(campaign, timezone.now())
        if shown is None:
            raise Http404
        document, snapshot = shown.document, shown.snapshot
        which = {"number": snapshot.number, "frozen_at": document["frozen_at"], "sha256": snapshot.digest}
        return Response(to_json(campaign, board_in(document)) | {"snapshot": which})


class ExportedFile(FileView):
    """GET streams the file whatever the request accepts: the address names the format."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Streams an export as a file", FileOf(EXPORTED))
    def get(self, request: Request, slug: str, what: str, format: str) -> HttpResponseBase:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        answer = download_of(campaign, what, format)
        note_export(campaign=campaign, what=what, by=person_of(request), at=timezone.now(), format=format)
        return answer

    def get_format_suffix(self, **kwargs: Any) -> None:
        """The framework would look for a renderer of that name."""
