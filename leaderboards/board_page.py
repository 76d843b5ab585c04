"""What a page shows of a board: the table with its bars, the picture of ranks, and why one of two rows is ahead. Pure.

Boards of live campaigns, of runs and of published snapshots are shown alike: figures and stored statistics in, nothing is looked up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from leaderboards.board import Board
from leaderboards.explanations import Explanation, explanation
from leaderboards.pictures import Bar, RankPicture, figure_bars, rank_picture
from leaderboards.statistics_tables import StatisticsTables, statistics_tables
from leaderboards.uncertainty import Statistics, with_statistics


@dataclass(frozen=True, slots=True)
class BoardPage:
    """`chosen` holds the keys of the two rows that `why` explains; `agreement` the panel's alpha by figure."""

    board: Board
    bars: Mapping[str, Mapping[str, Bar]]
    picture: RankPicture | None
    why: Explanation | None
    n_resamples: int | None
    agreement: Mapping[str, float] = field(default_factory=dict)
    statistics: StatisticsTables | None = None

    @property
    def chosen(self) -> frozenset[str]:
        return frozenset({self.why.one.key, self.why.other.key}) if self.why else frozenset()

    @property
    def compared(self) -> str:
        """What an address says to have the same two rows compared."""
        return urlencode([("compare", self.why.one.key), ("compare", self.why.other.key)]) if self.why else ""

    @property
    def has_failures(self) -> bool:
        return any(row.n_failed is not None for row in self.board.rows)


def board_page(
    board: Board,
    statistics: Statistics | None,
    chosen: Sequence[str] = (),
    agreement: Mapping[str, float] | None = None,
    pairs_by: str = "",
) -> BoardPage:
    """`chosen` are keys of rows as a reader gave them: the first two that are ranked are compared, else the first two of the board.

    `pairs_by` is the figure that a reader asks the tests of all pairs of.
    """
    sure = with_statistics(board, statistics)
    pair = [key for key in dict.fromkeys(chosen) if sure.row(key)][:2]
    if len(pair) < 2:
        pair = [row.key for row in sure.rows[:2]]
    return BoardPage(
        board=sure,
        bars=figure_bars(sure),
        picture=rank_picture(sure),
        why=explanation(sure, statistics, *pair) if len(pair) == 2 else None,
        n_resamples=(statistics or {}).get("n_resamples") or None,
        agreement=agreement or {},
        statistics=statistics_tables(sure, statistics, pairs_by),
    )
