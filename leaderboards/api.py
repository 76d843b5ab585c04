"""REST: the leaderboard with unrounded figures, and every export as a file."""

from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from campaigns.access import campaign_for
from campaigns.models import Role
from leaderboards.downloads import download_of
from leaderboards.live_board import board_of, stored_board, to_json
from leaderboards.views import campaign_with_visible_board


class Leaderboard(APIView):
    access = Access("published")
    permission_classes = (AllowAny,)

    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_with_visible_board(request.user, slug)
        return Response(to_json(campaign, board_of(campaign, stored_board(campaign).rows)))


class ExportedFile(APIView):
    """GET streams the file whatever the request accepts: the address names the format."""

    access = Access("roles", (Role.ORGANIZER,))

    def get(self, request: Request, slug: str, what: str, format: str) -> HttpResponseBase:
        return download_of(campaign_for(request.user, slug, Role.ORGANIZER), what, format)

    def get_format_suffix(self, **kwargs: Any) -> None:
        """The framework would look for a renderer of that name."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        return super().perform_content_negotiation(request, force=True)
