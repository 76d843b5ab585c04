"""REST: a campaign's combined boards."""

from typing import Any, TypedDict

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from accounts.describing import describes
from automatic_tasks.api import Names, RankingKeyAnswer
from automatic_tasks.combined_boards import agreement_of, combined_board
from automatic_tasks.combined_statistics import shown_statistics, stored_statistics, version_of
from automatic_tasks.combined_tables import to_json
from automatic_tasks.combined_views import board_for


class CombinedBoardAnswer(TypedDict):
    """Rows have `figures`, `n_records`, `n_failed` of `n_turns` (null on a board of tasks alone), `intervals` by column,
    `rank_interval` and `rank_probabilities`; unranked rows `reason` and `reason_text`. `why` says of every two neighbours why the
    first is ahead. `statistics` holds everything that was drawn, with its seed; it is empty while those of these figures are computed.
    """

    campaign: str
    board: str
    name: Names
    rule: list[RankingKeyAnswer]
    columns: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    unranked: list[dict[str, Any]]
    why: list[dict[str, Any]]
    statistics: dict[str, Any]
    statistics_are_outdated: bool


class OneCombinedBoard(APIView):
    """GET gives its columns, rows and unranked teams, unrounded, to whoever may see all of its parts."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes("Gives a combined board, unrounded, and how sure it is", CombinedBoardAnswer)
    def get(self, request: Request, slug: str, key: str) -> Response:
        found, reader = board_for(request.user, slug, key)
        made, stored = combined_board(found, reader), stored_statistics(found)
        statistics = shown_statistics(found, stored, made, reader)
        answer = to_json(found, made, agreement_of(found, reader), statistics)
        return Response(answer | {"statistics_are_outdated": stored.version != version_of(found)})
