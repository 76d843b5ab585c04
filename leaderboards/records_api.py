"""REST: the records that a figure of the live board is the mean of."""

from collections.abc import Iterable
from typing import Any, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from api.paging import page_of, pages_of
from campaigns.access import campaign_for
from campaigns.interests import check_interest
from campaigns.models import Role
from leaderboards.figure_records import FigureRecord, FigureRecords
from leaderboards.live_board import columns_of
from measures.live import SubtaskOutcome
from reading.json_schemas import Id

# Of each dialogue a page has all records, so that fewer dialogues fit on one.
DIALOGUES_PER_PAGE = 100


class OutcomeAnswer(TypedDict):
    """`turns` of an unfinished subtask is what was spent; its cap is what counts."""

    kind: str
    completed: bool
    turns: int
    cap: int


class FigureRecordAnswer(TypedDict):
    """`value` is the record's value of the figure, null where its reviewer gave none; an imported record has no `dialogue`. `weight` is the record's share of its dialogue."""

    dialogue: Id | None
    part: str
    scenario: str
    reviewer: str
    subtasks: list[OutcomeAnswer]
    value: float | None
    weight: float


class RecordsOfFigure(APIView):
    """GET pages by dialogue: `per_page` and `X-Total-Count` count dialogues, and a page has every record of each."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Lists the records that a figure of a bot is the mean of; `per_page` counts dialogues, each with all its records",
        list[FigureRecordAnswer],
        asks=pages_of(DIALOGUES_PER_PAGE),
        refuses=(409,),
    )
    def get(self, request: Request, slug: str, entry_id: int, figure: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        entry = get_object_or_404(campaign.entries, pk=entry_id)
        if figure not in {key.name for key in columns_of(campaign)}:
            raise Http404
        check_interest(request.user, entry.pk)
        # The stubs want every sequence's methods; `Paginator` takes lengths and slices alone.
        records: Any = FigureRecords(campaign, entry, figure)
        page = page_of(request, records, most=DIALOGUES_PER_PAGE)
        return Response([record_document(one) for one in page.rows], headers=page.headers)


def record_document(one: FigureRecord) -> FigureRecordAnswer:
    return {
        "dialogue": str(one.dialogue) if one.dialogue else None,
        "part": one.part,
        "scenario": one.record.scenario,
        "reviewer": one.record.reviewer,
        "subtasks": outcomes(one.record.subtasks),
        "value": one.value,
        "weight": float(one.record.weight),
    }


def outcomes(subtasks: Iterable[SubtaskOutcome]) -> list[OutcomeAnswer]:
    return [{"kind": one.kind, "completed": one.is_finished, "turns": one.turns, "cap": one.cap} for one in subtasks]
