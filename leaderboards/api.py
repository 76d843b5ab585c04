"""REST: the leaderboard with unrounded figures, and every export as a file."""

from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from campaigns.access import campaign_for
from campaigns.models import Campaign, Role
from leaderboards.actions import note_export
from leaderboards.downloads import download_of
from leaderboards.live_board import board_of, stored_board, to_json
from leaderboards.publication.documents import board_in
from leaderboards.publication.queries import organizes, published


class Leaderboard(APIView):
    """Organizers get the board as it is now, everybody else the one that was published last, with what says which it is."""

    access = Access("published")
    permission_classes = (AllowAny,)

    def get(self, request: Request, slug: str) -> Response:
        campaign = get_object_or_404(Campaign.objects.select_related("rubric"), slug=slug)
        if organizes(request.user, campaign):
            return Response(to_json(campaign, board_of(campaign, stored_board(campaign).rows)))
        shown = published(campaign, timezone.now())
        if shown is None:
            raise Http404
        document, snapshot = shown.document, shown.snapshot
        which = {"number": snapshot.number, "frozen_at": document["frozen_at"], "sha256": snapshot.digest}
        return Response(to_json(campaign, board_in(document)) | {"snapshot": which})


class ExportedFile(APIView):
    """GET streams the file whatever the request accepts: the address names the format."""

    access = Access("roles", (Role.ORGANIZER,))

    def get(self, request: Request, slug: str, what: str, format: str) -> HttpResponseBase:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        answer = download_of(campaign, what, format)
        note_export(campaign=campaign, what=what, by=person_of(request), at=timezone.now(), format=format)
        return answer

    def get_format_suffix(self, **kwargs: Any) -> None:
        """The framework would look for a renderer of that name."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        return super().perform_content_negotiation(request, force=True)
