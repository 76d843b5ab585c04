"""The leaderboard as it is stored now: the figures computed last, and beside them only what is of the same scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from campaigns.models import Campaign
from leaderboards.agreement_board import AGREEMENT, agreed
from leaderboards.live_board import LIVE, STATISTICS, stored_boards
from leaderboards.models import StoredBoard


@dataclass(frozen=True, slots=True)
class BoardNow:
    """`drawn` and `compared` were stored last, of whichever scores: readers see `statistics` and `agreement`."""

    figures: StoredBoard
    drawn: StoredBoard
    compared: StoredBoard

    @property
    def statistics(self) -> Mapping[str, Any]:
        """How sure these figures are; empty while that is computed."""
        return self.drawn.rows_beside(self.figures)

    @property
    def agreement(self) -> Mapping[str, float]:
        """The panel's alpha by criterion, over the scores that these figures are means of."""
        return agreed(self.compared.rows_beside(self.figures))

    @property
    def recomputing_since(self) -> datetime | None:
        """Since when the statistics of these figures are awaited: since there are these figures. None where there are both, or neither."""
        is_awaited = self.drawn.scores_version != self.figures.scores_version
        return self.figures.computed_at if is_awaited else None


def board_now(campaign: Campaign) -> BoardNow:
    """Read in one query, so that no computation can end in between."""
    return BoardNow(*stored_boards(campaign, LIVE, STATISTICS, AGREEMENT))
