"""REST: a campaign's combined boards, and the publication of these and of boards of runs."""

from typing import Any, NotRequired, TypedDict

from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from automatic_tasks.api import Names, RankingKeyAnswer
from automatic_tasks.combined.access import board_declared, board_for, run_board_on
from automatic_tasks.combined.boards import agreement_of, combined_board, is_interim, published_board_of
from automatic_tasks.combined.bundle import board_as_frozen
from automatic_tasks.combined.freezing import order_combined_freeze
from automatic_tasks.combined.preflight import combined_findings
from automatic_tasks.combined.statistics import shown_statistics, state_of, stored_statistics
from automatic_tasks.combined.tables import to_json
from automatic_tasks.models import CombinedBoard
from campaigns.access import OrganizersView
from leaderboards.board import BoardSource, with_english_names
from publication.api import PublicationAnswer, publication_answer
from publication.board_api import WhichSnapshot, which_snapshot
from publication.documents import agreement_in, board_in
from publication.queries import Published
from reading.json_schemas import Moment


class CombinedBoardAnswer(TypedDict):
    """Rows have `figures`, `n_records`, `n_failed` of `n_turns` (null on a board of tasks alone), `intervals` by column,
    `rank_interval` and `rank_probabilities`; unranked rows `reason` and `reason_text`. `why` says of every two neighbours why the
    first is ahead. `statistics` holds everything that was drawn, with its seed; it is empty while those of these figures are computed,
    for organizers from `recomputing_since` on. `snapshot` says which one it is of a board that was published as a whole. `turns_are` is the
    unit of T, `exchanges` or `utterances`; it is missing where no column is T. `is_interim`: no team has all figures of
    the board's ranking yet, and `rule` is what ranks by now.
    """

    campaign: str
    turns_are: NotRequired[str]
    board: str
    name: Names
    rule: list[RankingKeyAnswer]
    columns: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    unranked: list[dict[str, Any]]
    why: list[dict[str, Any]]
    statistics: dict[str, Any]
    statistics_are_outdated: bool
    recomputing_since: NotRequired[Moment | None]
    is_interim: NotRequired[bool]
    snapshot: NotRequired[WhichSnapshot]


class OneCombinedBoard(APIView):
    """GET gives its columns, rows and unranked teams, unrounded, to those who may see all of its parts, and to everybody once it is published as a whole."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes("Gives a combined board, unrounded, and how sure it is", CombinedBoardAnswer)
    def get(self, request: Request, slug: str, key: str) -> Response:
        found, reader = board_for(request.user, slug, key)
        if shown := published_board_of(found, reader):
            return Response(_published(found, shown))
        made, stored = combined_board(found, reader), stored_statistics(found)
        state = state_of(found)
        statistics = shown_statistics(found, stored, made, reader, state)
        since = state.recomputing_since(stored) if reader.is_organizer else None
        answer = to_json(found, BoardSource(made, statistics, agreement_of(found, reader)))
        answer["is_interim"] = is_interim(found, made)
        answer["recomputing_since"] = since.isoformat() if since else None
        return Response(answer | {"statistics_are_outdated": stored.version != state.version})


def _published(board: CombinedBoard, shown: Published) -> dict[str, Any]:
    """As it was frozen, by the columns and the rule that it had then."""
    document = shown.document
    frozen = board_as_frozen(board.campaign, document)
    made = with_english_names(board_in(document), board.campaign.english_team_names())
    answer = to_json(frozen, BoardSource(made, document["statistics"] or {}, agreement_in(document)))
    return answer | {"statistics_are_outdated": False, "snapshot": which_snapshot(shown)}


class PublicationOfCombined(OrganizersView):
    """POST orders a freeze; what is frozen is published and withdrawn by its number, as every snapshot."""

    @describes("Gives what the preflight of a combined board finds, and its snapshots", PublicationAnswer)
    def get(self, request: Request, key: str) -> Any:
        return _publication(board_declared(self.campaign, key))

    @describes(
        "Orders a freeze of a combined board, which follows in the background",
        PublicationAnswer,
        202,
        refuses=(409,),
    )
    def post(self, request: Request, key: str) -> Any:
        board = board_declared(self.campaign, key)
        order_combined_freeze(board=board, by=person_of(request), at=timezone.now())
        return _publication(board)


class PublicationOfTaskBoard(OrganizersView):
    """As for combined boards; a development split is never frozen."""

    @describes("Gives what the preflight of a task's board finds, and its snapshots", PublicationAnswer)
    def get(self, request: Request, key: str, split: str) -> Any:
        return _publication(run_board_on(self.campaign, key, split))

    @describes(
        "Orders a freeze of a task's board, which follows in the background",
        PublicationAnswer,
        202,
        refuses=(409,),
    )
    def post(self, request: Request, key: str, split: str) -> Any:
        board = run_board_on(self.campaign, key, split)
        order_combined_freeze(board=board, by=person_of(request), at=timezone.now())
        return _publication(board)


def _publication(board: CombinedBoard) -> dict[str, Any]:
    order = board.campaign.freeze_orders.filter(of_board=board.key).first()
    return publication_answer(combined_findings(board), order, board.campaign.snapshots.filter(of_board=board.key))
