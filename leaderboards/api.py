"""REST: the leaderboard with unrounded figures."""

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from leaderboards.live_board import board_of, stored_board, to_json
from leaderboards.views import campaign_with_visible_board


class Leaderboard(APIView):
    access = Access("published")
    permission_classes = (AllowAny,)

    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_with_visible_board(request.user, slug)
        return Response(to_json(campaign, board_of(campaign, stored_board(campaign).rows)))
