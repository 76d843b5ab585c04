"""The leaderboard as it was computed last: unrounded figures, then how sure they are, failures, why a row has no rank, and the unit of T."""

from collections.abc import Iterable
from typing import Any

from campaigns.models import Campaign
from leaderboards.board import Key, Row
from leaderboards.column_kinds import NUMBER, TEXT, WHOLE, Columns
from leaderboards.exports.parts import Rows
from leaderboards.live_board import board_of, columns_of, current_statistics, stored_board
from leaderboards.uncertainty import with_statistics
from measures.live import MEAN_TURNS


def leaderboard_columns(campaign: Campaign) -> Columns:
    return _columns(columns_of(campaign))


def _columns(keys: Iterable[Key]) -> Columns:
    names = [key.name for key in keys]
    head: Columns = {"rank": WHOLE, "team": TEXT, "bot": TEXT, "n_records": WHOLE}
    ends: Columns = {f"{name}_{end}": NUMBER for name in names for end in ("low", "high")}
    tail: Columns = {"rank_low": WHOLE, "rank_high": WHOLE, "n_failed": WHOLE, "n_turns": WHOLE, "reason": TEXT}
    unit: Columns = {"turns_are": TEXT} if MEAN_TURNS.name in names else {}
    return {**head, **dict.fromkeys(names, NUMBER), **ends, **tail, **unit}


def leaderboard_rows(campaign: Campaign) -> Rows:
    """Intervals are those of these very figures: empty while they are still being computed."""
    board = with_statistics(board_of(campaign, stored_board(campaign).rows), current_statistics(campaign))
    columns = _columns(board.keys)
    for row in (*board.rows, *board.unranked):
        told = _told(row) | {"turns_are": campaign.turns_are}
        yield tuple(told.get(name) for name in columns)


def _told(row: Row) -> dict[str, Any]:
    rank_low, rank_high = row.rank_interval or (None, None)
    ends = {
        f"{name}_{end}": value
        for name, pair in row.intervals.items()
        for end, value in zip(("low", "high"), pair, strict=True)
    }
    return {
        **{"rank": row.rank, "team": row.team, "bot": row.name, "n_records": row.n},
        **row.figures,
        **ends,
        **{"rank_low": rank_low, "rank_high": rank_high},
        **{"n_failed": row.n_failed, "n_turns": None if row.n_failed is None else row.n_turns},
        "reason": row.reason.value if row.reason else None,
    }
