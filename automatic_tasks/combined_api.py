"""REST: a campaign's combined boards."""

from typing import Any, TypedDict

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from accounts.describing import describes
from automatic_tasks.api import Names, RankingKeyAnswer
from automatic_tasks.combined_boards import agreement_of, combined_board, to_json
from automatic_tasks.combined_views import board_for


class CombinedBoardAnswer(TypedDict):
    campaign: str
    board: str
    name: Names
    rule: list[RankingKeyAnswer]
    columns: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    unranked: list[dict[str, Any]]


class OneCombinedBoard(APIView):
    """GET gives its columns, rows and unranked teams, unrounded, to whoever may see all of its parts."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes("Gives a combined board, unrounded", CombinedBoardAnswer)
    def get(self, request: Request, slug: str, key: str) -> Response:
        found, reader = board_for(request.user, slug, key)
        return Response(to_json(found, combined_board(found, reader), agreement_of(found, reader)))
