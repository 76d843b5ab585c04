"""The board in parts, for organizers: stored figures (`slices.py`) beside the names of today."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from leaderboards.board import Board, Key, Row
from leaderboards.live_board import board_of
from leaderboards.slices import parts_now
from measures.ranking import RankingKey, rank

WAYS = {
    "kind": _("By kind of scenario"),
    "skill": _("By skill"),
    "tester": _("By tester"),
    "reviewer": _("By reviewer"),
    "severity": _("Freed from severity"),
}
CELLS = tuple(way for way in WAYS if way != "severity")


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of one row in one part; None where it has no record there."""

    figure: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A row's mean as it was scored, and as an average reviewer would have; ranks by this criterion alone."""

    row: Row
    plain: float
    adjusted: float
    rank: int
    adjusted_rank: int


@for_roles(Role.ORGANIZER)
@require_GET
def slices(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    now = parts_now(campaign)
    board = board_of(campaign, now.figures.rows)
    by = request.GET.get("by", "kind")
    by = by if by in WAYS else "kind"
    key = key_named(board, request.GET.get("figure"))
    shown = _adjusted(board, now.rows) if by == "severity" else _parts(board, now.rows, by, key)
    return render(
        request,
        "leaderboards/slices.html",
        {"campaign": campaign, "now": now, "board": board, "by": by, "key": key, "ways": WAYS.items(), **shown},
    )


def key_named(board: Board, name: str | None) -> Key:
    """The column of that name, or the first."""
    return next((key for key in board.keys if key.name == name), board.keys[0])


def _parts(board: Board, stored: dict[str, Any], by: str, key: Key) -> dict[str, Any]:
    names, rows = parts_of(board, stored, by, key)
    return {"names": names, "rows": rows}


def parts_of(board: Board, stored: dict[str, Any], by: str, key: Key) -> tuple[list[str], list[tuple[Row, list[Cell]]]]:
    """The names of the parts, and each row of the board with its cells."""
    rows = stored.get("by", {}).get(by, {})
    names = sorted({name for cells in rows.values() for name in cells})
    return names, [(row, [_cell(rows.get(row.key, {}).get(name), key) for name in names]) for row in board.rows]


def _cell(told: dict[str, Any] | None, key: Key) -> Cell:
    return Cell(told["figures"].get(key.name), told["n"]) if told else Cell(None, 0)


def _adjusted(board: Board, stored: dict[str, Any]) -> dict[str, Any]:
    return {"criteria": adjusted_criteria(board, stored)}


def adjusted_criteria(
    board: Board, stored: dict[str, Any]
) -> list[tuple[Key, list[Adjusted], list[tuple[str, float]]]]:
    """Of every criterion that could be adjusted its rows, the best adjusted first, and the reviewers with their severity."""
    found = stored.get("severity", {})
    rows = {row.key: row for row in board.rows}
    return [
        (key, _adjusted_rows(key, found[key.name]["rows"], rows), sorted(found[key.name]["severity"].items()))
        for key in board.keys
        if key.name in found
    ]


def _adjusted_rows(key: Key, told: dict[str, list[float]], rows: dict[str, Row]) -> list[Adjusted]:
    plain, adjusted = ({entry: {key.name: ends[i]} for entry, ends in told.items() if entry in rows} for i in (0, 1))
    rule = (RankingKey(key.name, key.better),)
    before = {place.name: place.rank for place in rank(plain, rule)}
    return [
        Adjusted(rows[place.name], told[place.name][0], told[place.name][1], before[place.name], place.rank)
        for place in rank(adjusted, rule)
    ]
