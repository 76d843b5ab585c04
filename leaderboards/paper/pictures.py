"""What the figures of a live board are drawn from: its records added up beside the statistics and stored; pages read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from campaigns.models import Campaign
from leaderboards.explanations import with_statistics
from leaderboards.exports.records import weighed_lines
from leaderboards.live_board import LIVE, STATISTICS, board_of, scored_criteria, stored_boards
from leaderboards.models import StoredBoard
from leaderboards.paper.board_figures import Figure, board_figures
from measures.live import record_of
from measures.tally import Tally

PICTURES = "pictures"


def pictures_of(campaign: Campaign) -> dict[str, Any]:
    """What `Tally.to_json` tells, by the ids of entries as texts."""
    ids = {key: str(pk) for pk, key in campaign.entries.values_list("pk", "key")}
    tally = Tally([criterion.key for criterion in scored_criteria(campaign)])
    for entry, line, weight in weighed_lines(campaign):
        tally.add(ids[entry], line["scenario"], record_of(line | {"weight": weight}), line.get("dialogue", ""))
    return tally.to_json(campaign.ranking_keys())


@dataclass(frozen=True, slots=True)
class FiguresNow:
    """`board`, `drawn` and `tallied` were stored last; shown beside the board is only what is of the same scores."""

    board: StoredBoard
    drawn: StoredBoard
    tallied: StoredBoard

    @property
    def recomputing_since(self) -> datetime | None:
        return self.tallied.awaited_since(self.board) or self.drawn.awaited_since(self.board)

    def figures(self) -> list[Figure]:
        statistics: Mapping[str, Any] = self.drawn.rows_beside(self.board)
        board = with_statistics(board_of(self.board.campaign, self.board.rows), statistics)
        return board_figures(board, self.tallied.rows_beside(self.board))


def figures_now(campaign: Campaign) -> FiguresNow:
    """Read in one query, so that no computation can end in between."""
    return FiguresNow(*stored_boards(campaign, LIVE, STATISTICS, PICTURES))
