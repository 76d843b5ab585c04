"""Puts stored statistics (`measures/board_statistics.py`) beside the figures that they are of. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from leaderboards.board import Board, Row

Statistics = Mapping[str, Any]


def with_statistics(board: Board, statistics: Statistics | None) -> Board:
    """The board with the 95% intervals of its figures and ranks, as far as they are stored.

    Printed figures have no items to draw. Where a board has such rows, the ranks that were drawn without them are of another board.
    """
    of_rows: Mapping[str, Any] = (statistics or {}).get("rows", {})
    has_all = all(row.key in of_rows for row in board.rows)
    sure = (_sure(row, of_rows[row.key], has_all=has_all) if row.key in of_rows else row for row in board.rows)
    return replace(board, rows=tuple(sure))


def _sure(row: Row, found: Mapping[str, Any], *, has_all: bool) -> Row:
    intervals = {figure: (low, high) for figure, (low, high) in found["intervals"].items()}
    # A rank has no interval where hardly any resample had every row (`measures/redrawing.py`).
    ends = found.get("rank_interval")
    return replace(row, intervals=intervals, rank_interval=(ends[0], ends[1]) if ends and has_all else None)


def pair_in(statistics: Statistics | None, one: str, other: str) -> Mapping[str, Any] | None:
    """What is stored of two rows, told of `one` against `other`, whichever is stored first."""
    pairs = (statistics or {}).get("pairs", ())
    pair = next((pair for pair in pairs if {pair["one"], pair["other"]} == {one, other}), None)
    return pair if pair is None or pair["one"] == one else turned(pair)


def turned(pair: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same pair, the other row first: what was ahead is behind, and every difference has the other sign."""
    ends = {"one": pair["other"], "other": pair["one"], "ahead": pair["behind"], "behind": pair["ahead"]}
    return {**pair, **ends, "tests": {name: _mirrored(test) for name, test in pair["tests"].items()}}


def _mirrored(test: Mapping[str, Any]) -> dict[str, Any]:
    # Not `-x`: of a tie that would be −0.
    return {
        "difference": 0.0 - test["difference"],
        "p": test["p"],
        "effect": None if test["effect"] is None else 0.0 - test["effect"],
    }
