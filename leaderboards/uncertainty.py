"""Puts stored statistics (`measures/board_statistics.py`) beside the figures that they are of. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from leaderboards.board import Board, Row

Statistics = Mapping[str, Any]


def with_statistics(board: Board, statistics: Statistics | None) -> Board:
    """The board with the 95 % intervals of its figures and ranks, as far as they are stored.

    Printed figures have no items to draw. Where a board has such rows, the ranks that were drawn without them are of another board.
    """
    of_rows: Mapping[str, Any] = (statistics or {}).get("rows", {})
    has_all = all(row.key in of_rows for row in board.rows)
    sure = (_sure(row, of_rows[row.key], has_all=has_all) if row.key in of_rows else row for row in board.rows)
    return replace(board, rows=tuple(sure))


def _sure(row: Row, found: Mapping[str, Any], *, has_all: bool) -> Row:
    lowest, highest = found["rank_interval"]
    intervals = {figure: (low, high) for figure, (low, high) in found["intervals"].items()}
    return replace(row, intervals=intervals, rank_interval=(lowest, highest) if has_all else None)


def pair_in(statistics: Statistics | None, one: str, other: str) -> Mapping[str, Any] | None:
    """What is stored of two rows, whichever is named first."""
    pairs = (statistics or {}).get("pairs", ())
    return next((pair for pair in pairs if {pair["one"], pair["other"]} == {one, other}), None)
