"""REST: the board in parts, as it was computed last: per kind, skill, tester and reviewer, and freed from severity."""

from typing import Any, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from api.paging import asked_in
from campaigns.access import campaign_for
from campaigns.models import Role
from leaderboards.board import Board, Key
from leaderboards.live_board import board_of
from leaderboards.slice_views import WAYS, adjusted_criteria, key_named, parts_of
from leaderboards.slices import parts_now
from reading.json_schemas import Moment
from reading.kinds import ANY_TEXT, Choice

ASKED = {"by": Choice(tuple(WAYS)), "figure": ANY_TEXT}


class PartAnswer(TypedDict):
    """The figure of a bot over the `n` records of a part; null where it has none there."""

    name: str
    figure: float | None
    n: int


class PartsOfBot(TypedDict):
    """`bot` is its id in the campaign."""

    bot: int
    team: str
    team_en: str
    name: str
    parts: list[PartAnswer]


class AdjustedBot(TypedDict):
    """The mean as it was scored, and as an average reviewer would have; the ranks are by this criterion alone."""

    bot: int
    team: str
    team_en: str
    name: str
    plain: float
    adjusted: float
    rank: int
    adjusted_rank: int


class AdjustedCriterion(TypedDict):
    """`severity` is each reviewer's, in points."""

    criterion: str
    rows: list[AdjustedBot]
    severity: dict[str, float]


class PartsAnswer(TypedDict):
    """`rows` are those of every way but severity, which has `criteria`. `scores_version` is that of the board's figures; both are empty, and
    `computed_at` is null, from `recomputing_since` until the parts of these figures are computed.
    """

    by: str
    figure: str | None
    computed_at: Moment | None
    is_outdated: bool
    scores_version: int
    recomputing_since: Moment | None
    rows: list[PartsOfBot]
    criteria: list[AdjustedCriterion]


class BoardParts(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Gives a figure of the board over parts of its records, or with `by` severity the means freed from it",
        PartsAnswer,
        asks=ASKED,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign, asked = campaign_for(request.user, slug, Role.ORGANIZER), asked_in(request, ASKED)
        now = parts_now(campaign)
        board = board_of(campaign, now.figures.rows)
        by, key = asked.get("by", "kind"), key_named(board, asked.get("figure"))
        is_severity = by == "severity"
        return Response(
            {
                "by": by,
                "figure": None if is_severity else key.name,
                "computed_at": now.parts.computed_at.isoformat() if now.rows and now.parts.computed_at else None,
                "is_outdated": now.parts.is_outdated,
                "scores_version": now.figures.scores_version,
                "recomputing_since": now.recomputing_since.isoformat() if now.recomputing_since else None,
                "rows": part_rows(board, now.rows, by, key) if now.rows and not is_severity else [],
                "criteria": criteria_documents(board, now.rows) if is_severity else [],
            }
        )


def part_rows(board: Board, stored: dict[str, Any], by: str, key: Key) -> list[PartsOfBot]:
    names, rows = parts_of(board, stored, by, key)
    return [
        {
            "bot": int(row.key),
            "team": row.team,
            "team_en": row.team_en,
            "name": row.name,
            "parts": [
                {"name": name, "figure": cell.figure, "n": cell.n} for name, cell in zip(names, cells, strict=True)
            ],
        }
        for row, cells in rows
    ]


def criteria_documents(board: Board, stored: dict[str, Any]) -> list[AdjustedCriterion]:
    return [
        {
            "criterion": key.name,
            "rows": [
                {
                    "bot": int(one.row.key),
                    "team": one.row.team,
                    "team_en": one.row.team_en,
                    "name": one.row.name,
                    "plain": one.plain,
                    "adjusted": one.adjusted,
                    "rank": one.rank,
                    "adjusted_rank": one.adjusted_rank,
                }
                for one in rows
            ],
            "severity": dict(severity),
        }
        for key, rows, severity in adjusted_criteria(board, stored)
    ]
