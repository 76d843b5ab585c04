"""A combined board as programs get it and as a table for spreadsheets, with how sure it is."""

from typing import Any

from automatic_tasks.models import CombinedBoard
from leaderboards.board import Board, BoardSource, Statistics
from leaderboards.board_json import counts, how_sure, whys
from leaderboards.explanations import with_statistics


def as_table(
    board: CombinedBoard, made: Board, statistics: Statistics | None = None
) -> tuple[list[str], list[list[Any]]]:
    """Columns and one flat row per team, unrounded; unranked teams come last, with the reason. Intervals are two columns each."""
    sure, names = with_statistics(made, statistics), [key.name for key in made.keys]
    ends = [f"{name}_{end}" for name in names for end in ("low", "high")]
    unit = {"turns_are": board.campaign.turns_are} if board.counts_turns else {}
    counted = ["rank_low", "rank_high", "n_records", "n_failed", "n_turns", "reason"]
    heads = ["rank", "team", *names, *ends, *counted, *unit, "team_en"]
    rows = [
        [
            *(row.rank, row.team),
            *(row.figures.get(name) for name in names),
            *(end for name in names for end in row.intervals.get(name, (None, None))),
            *(row.rank_interval or (None, None)),
            *counts(row).values(),
            row.reason.value if row.reason else "",
            *unit.values(),
            row.team_en,
        ]
        for row in (*sure.rows, *sure.unranked)
    ]
    return heads, rows


def to_json(board: CombinedBoard, source: BoardSource) -> dict[str, Any]:
    """A column of which the panel's alpha is known has it as `agreement`."""
    of_column = {column["key"]: column for column in board.columns}
    sure, statistics = with_statistics(source.board, source.statistics), source.statistics
    return {
        "campaign": board.campaign.slug,
        "board": board.key,
        "name": {"zh": board.name_zh, "en": board.name_en},
        **({"turns_are": board.campaign.turns_are} if board.counts_turns else {}),
        "rule": [{"key": key.name, "better": key.better} for key in sure.rule],
        "columns": [
            {"key": key.name, "better": key.better}
            | _of(of_column.get(key.name), board)
            | ({"agreement": source.agreement[key.name]} if key.name in source.agreement else {})
            for key in sure.keys
        ],
        "rows": [
            {
                **{"rank": row.rank, "team": row.team, "team_en": row.team_en, "figures": row.figures},
                **counts(row),
                **how_sure(row, statistics),
            }
            for row in sure.rows
        ],
        "unranked": [
            {
                **{"team": row.team, "team_en": row.team_en, "figures": row.figures, **counts(row)},
                "reason": row.reason.value if row.reason else None,
                "reason_text": str(row.reason.label) if row.reason else None,
            }
            for row in sure.unranked
        ],
        "why": whys(sure, statistics),
        "statistics": statistics,
    }


def _of(column: dict[str, Any] | None, board: CombinedBoard) -> dict[str, Any]:
    """What a column is made of; the total names its columns."""
    if column is None:
        return {"by": board.total["by"], "of": board.total["of"]} if board.total else {}
    return {
        "task": column["task"] or None,
        "split": column["split"] or None,
        "figure": column["figure"],
        "weight": column["weight"],
    }
