"""REST: what of a campaign is covered, as the page of the coverage shows it."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from api.paging import asked_in
from campaigns.access import campaign_for
from campaigns.models import Role
from organizing.coverage import Cell
from organizing.coverage_page import (
    BY_PERSON,
    BY_SCENARIO,
    REVIEWS,
    SCENARIO_BY_PERSON,
    Chosen,
    CoveragePage,
    Head,
    ShownRow,
    coverage_page,
)
from organizing.queries import reviewed_of, survey_of
from reading.kinds import ANY_TEXT, Choice

ASKED = {"by": Choice((BY_SCENARIO, BY_PERSON, SCENARIO_BY_PERSON, REVIEWS)), "chosen": ANY_TEXT}


class CoverageCell(TypedDict):
    """Dialogues, or reviews of panels. `left` are those not begun, by the tester; `is_hole`: nobody will do what is missing."""

    needed: int
    done: int
    open: int
    left: dict[str, int]
    paused: int
    undrawn: int
    short: int
    coming: int
    is_hole: bool


class CoverageHead(TypedDict):
    """`state` is empty, or says that a bot is paused or withdrawn, or that a person left."""

    name: str
    label: str
    state: str


class CoverageRow(CoverageHead):
    """`cells` are in the order of the columns; `missing` says in words what is missing."""

    cells: list[CoverageCell]
    total: CoverageCell
    missing: str


class CoverageGap(TypedDict):
    scenario: str
    missing: str


class CoverageChosen(TypedDict):
    """A bot by its alias or a person by their name, with what is missing of each scenario."""

    name: str
    is_tester: bool
    missing: str
    gaps: list[CoverageGap]


class CoverageAnswer(TypedDict):
    """`by` is what the matrix is about: that of reviews is there where panels score."""

    by: str
    columns: list[CoverageHead]
    rows: list[CoverageRow]
    total: CoverageCell
    n_holes: int
    missing: str
    chosen: CoverageChosen | None


class Coverage(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Gives the coverage matrix that `by` names, and what `chosen` (a bot's alias or a person's name) lacks",
        CoverageAnswer,
        asks=ASKED,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign, asked = campaign_for(request.user, slug, Role.ORGANIZER), asked_in(request, ASKED)
        page = coverage_page(
            survey_of(campaign),
            reviewed_of(campaign, timezone.now()),
            by=asked.get("by", ""),
            chosen=asked.get("chosen", ""),
        )
        return Response(coverage_document(page))


def coverage_document(page: CoveragePage) -> CoverageAnswer:
    return {
        "by": page.by,
        "columns": [head_document(head) for head in page.columns],
        "rows": [row_document(row) for row in page.rows],
        "total": cell_document(page.matrix.total),
        "n_holes": page.n_holes,
        "missing": page.sentence,
        "chosen": chosen_document(page.chosen) if page.chosen else None,
    }


def head_document(head: Head) -> CoverageHead:
    return {"name": head.name, "label": head.label, "state": head.state}


def row_document(row: ShownRow) -> CoverageRow:
    return {
        **head_document(row.head),
        "cells": [cell_document(cell) for _, cell in row.cells],
        "total": cell_document(row.row.total),
        "missing": row.sentence,
    }


def cell_document(cell: Cell) -> CoverageCell:
    return {
        "needed": cell.n_needed,
        "done": cell.n_done,
        "open": cell.n_open,
        "left": dict(cell.left),
        "paused": cell.n_paused,
        "undrawn": cell.n_undrawn,
        "short": cell.n_short,
        "coming": cell.n_coming,
        "is_hole": cell.is_hole,
    }


def chosen_document(chosen: Chosen) -> CoverageChosen:
    return {
        "name": chosen.name,
        "is_tester": chosen.is_tester,
        "missing": chosen.sentence,
        "gaps": [{"scenario": gap.label, "missing": gap.sentence} for gap in chosen.gaps],
    }
