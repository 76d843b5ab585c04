"""A board of distances as −log2 of their means, in which higher is better: the way in which NTCIR gave feedback. Pure.

Ranks stay as they are, for the order of the means does. Tests are of the distances themselves and are not told beside other figures.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from leaderboards.board import Board, Figures, Key, Row, Statistics, Words
from measures.automatic.distributions import minus_log2
from scoring.task_types.contract import TaskType

MINUS_LOG2 = "minus-log2"

Ends = tuple[float, float]


class UnknownScale(Exception):
    """The task's figures have no such scale."""


def scale_of(asked: str, task_type: TaskType) -> str:
    """The scale that was asked for; empty for the figures as they are. Errors: `UnknownScale`."""
    if asked and (asked != MINUS_LOG2 or not task_type.is_distance):
        raise UnknownScale(asked)
    return asked


def rescaled(board: Board) -> Board:
    keys = {key.name: _key(key) for key in board.keys}
    return replace(
        board,
        keys=tuple(keys.values()),
        rule=tuple(keys.get(key.name) or _key(key) for key in board.rule),
        rows=tuple(map(_row, board.rows)),
        unranked=tuple(map(_row, board.unranked)),
        is_compared=False,
    )


def rescaled_statistics(statistics: Statistics | None) -> dict[str, Any]:
    """The intervals on that scale, the ranks as they are, and no test."""
    if not statistics:
        return {}
    rows = {name: {**row, "intervals": _intervals(row["intervals"])} for name, row in statistics["rows"].items()}
    pairs = [{**pair, "tests": {}} for pair in statistics["pairs"]]
    return {**statistics, "rows": rows, "pairs": pairs}


def _key(key: Key) -> Key:
    words = Words(f"−log2 {key.words.zh}", f"−log2 {key.words.en}")
    return replace(key, words=words, better="higher", scale=None)


def _row(row: Row) -> Row:
    return replace(row, figures=_figures(row.figures), intervals=_intervals(row.intervals), better_than=())


def _figures(figures: Figures) -> Figures:
    """A mean of 0 has none: its −log2 is no number."""
    return {name: minus_log2(mean) if mean is not None and mean > 0 else None for name, mean in figures.items()}


def _intervals(intervals: Mapping[str, Any]) -> dict[str, Ends]:
    """The nearer end is the higher one; one that reaches 0 has no end."""
    return {name: (minus_log2(high), minus_log2(low)) for name, (low, high) in intervals.items() if low > 0}
