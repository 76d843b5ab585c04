"""The leaderboard as it was computed last: unrounded figures, then how sure they are, failures, why a row has no rank, the unit of T, and of
which scores it is. Where programs count, how many records of a row are theirs.
"""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from leaderboards.board import Key, Row
from leaderboards.board_now import board_now
from leaderboards.explanations import with_statistics
from leaderboards.exports.parts import Export, Rows, iso
from leaderboards.live_board import columns_of
from leaderboards.of_programs import counts_any, records_of_programs
from leaderboards.table_files.column_kinds import NUMBER, TEXT, TIME, WHOLE, Columns
from measures.live import MEAN_TURNS


def leaderboard_columns(campaign: Campaign) -> Columns:
    return _columns(campaign, columns_of(campaign))


def _columns(campaign: Campaign, keys: Iterable[Key]) -> Columns:
    names = [key.name for key in keys]
    head: Columns = {"rank": WHOLE, "team": TEXT, "bot": TEXT, "n_records": WHOLE}
    ends: Columns = {f"{name}_{end}": NUMBER for name in names for end in ("low", "high")}
    tail: Columns = {"rank_low": WHOLE, "rank_high": WHOLE, "n_failed": WHOLE, "n_turns": WHOLE, "reason": TEXT}
    unit: Columns = {"turns_are": TEXT} if MEAN_TURNS.name in names else {}
    of_scores: Columns = {"scores_version": WHOLE, "recomputing_since": TIME, "team_en": TEXT}
    of_programs: Columns = {"n_of_programs": WHOLE} if counts_any(campaign) else {}
    return {**head, **dict.fromkeys(names, NUMBER), **ends, **tail, **unit, **of_scores, **of_programs}


def leaderboard_rows(campaign: Campaign) -> Rows:
    """Intervals are those of these very figures: empty from `recomputing_since` until they are computed."""
    now = board_now(campaign)
    board = with_statistics(now.source.board, now.statistics)
    columns, of_programs = _columns(campaign, board.keys), records_of_programs(campaign)
    of_scores = {"scores_version": now.figures.scores_version, "recomputing_since": iso(now.recomputing_since)}
    for row in (*board.rows, *board.unranked):
        told = _told(row) | {"turns_are": campaign.turns_are} | of_scores
        told["n_of_programs"] = of_programs.get(row.key, 0)
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
        **{"reason": row.reason.value if row.reason else None, "team_en": row.team_en},
    }


LEADERBOARD = Export("leaderboard", _("Leaderboard"), leaderboard_columns, rows=leaderboard_rows)
