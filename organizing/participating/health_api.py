"""REST: a bot's last 24 hours as a series, for its team; the numbers that its page draws."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.describing import describes
from organizing.participating.api import TeamsView
from organizing.participating.health_picture import Cell, cells_of, percent_answered, whole_of
from organizing.participating.health_reading import calls_of
from reading.json_schemas import Moment


class DayCell(TypedDict):
    """Calls of some minutes: a turn that failed and was asked again is two; failures are the bot's own. Null where none was answered."""

    since: Moment
    answered: int
    failed: int
    p50_ms: int | None
    p95_ms: int | None


class DayDocument(TypedDict):
    """`cells` are ten minutes each, the oldest first, the last the one that goes on."""

    answered: int
    failed: int
    percent_answered: float | None
    p50_ms: int | None
    p95_ms: int | None
    cells: list[DayCell]


class OwnBotHealth(TeamsView):
    @describes("Gives the last 24 hours of a bot of the own team in cells of ten minutes", DayDocument, refuses=(409,))
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        entry, at = self.entry(request, slug, entry_id), timezone.now()
        return Response(day_document(cells_of(calls_of(entry, at), at)))


def day_document(cells: list[Cell]) -> DayDocument:
    whole = whole_of(cells)
    return {
        "answered": whole.n_answered,
        "failed": whole.n_failed,
        "percent_answered": percent_answered(whole),
        "p50_ms": whole.p50_ms,
        "p95_ms": whole.p95_ms,
        "cells": [cell_document(cell) for cell in cells],
    }


def cell_document(cell: Cell) -> DayCell:
    return {
        "since": cell.since.isoformat(),
        "answered": cell.n_answered,
        "failed": cell.n_failed,
        "p50_ms": cell.p50_ms,
        "p95_ms": cell.p95_ms,
    }
