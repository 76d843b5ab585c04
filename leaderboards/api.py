"""REST: the leaderboard with unrounded figures."""

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from leaderboards.boards import leaderboard
from leaderboards.views import campaign_with_visible_board


class Leaderboard(APIView):
    access = Access("published")
    permission_classes = (AllowAny,)

    def get(self, request: Request, slug: str) -> Response:
        return Response(leaderboard(campaign_with_visible_board(request.user, slug)).to_json())
