"""What a page shows of a board: the table with its bars, the picture of ranks, and why one of two rows is ahead. Pure.

Boards of live campaigns, of runs and of published snapshots are shown alike: figures and stored statistics in, nothing is looked up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlencode

from leaderboards.board import Board, Key, Row, arrow_in_words, arrow_of
from leaderboards.explanations import Explanation, explanation
from leaderboards.pictures import Bar, RankPicture, figure_bars, rank_picture
from leaderboards.statistics_tables import StatisticsTables, statistics_tables
from leaderboards.uncertainty import Statistics, with_statistics
from scoring.printed_figures import fixed


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as it is set, under which head and what screen readers say of that, where it leads if anywhere, and its bar if it has one."""

    head: str
    spoken: str
    figure: str
    href: str
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """`cells` are those of each ranked row, in the order of the board's keys. `chosen` holds the keys of the two rows that `why` explains; `agreement` the panel's alpha by figure.

    `n_redrawn` resamples lacked a figure of some row; None: nearly all did, and ranks in resamples are unknown. `recomputing_since` stands
    in the place of all that is drawn, while it is not of these figures yet.
    """

    board: Board
    cells: Mapping[str, tuple[Cell, ...]]
    picture: RankPicture | None
    why: Explanation | None
    n_resamples: int | None
    n_redrawn: int | None = 0
    agreement: Mapping[str, float] = field(default_factory=dict)
    statistics: StatisticsTables | None = None
    recomputing_since: datetime | None = None

    @property
    def resamples(self) -> str:
        """Their number as sentences have it."""
        return f"{self.n_resamples:,}" if self.n_resamples else ""

    @property
    def chosen(self) -> frozenset[str]:
        return frozenset({self.why.one.key, self.why.other.key}) if self.why else frozenset()

    @property
    def compared(self) -> str:
        """What an address says to have the same two rows compared."""
        return urlencode([("compare", self.why.one.key), ("compare", self.why.other.key)]) if self.why else ""

    @property
    def lacks_intervals(self) -> bool:
        """Whether a ranked row has a figure without its interval, beside others that have theirs."""
        return self.n_resamples is not None and any(
            row.figures.get(key.name) is not None and key.name not in row.intervals
            for row in self.board.rows
            for key in self.board.keys
        )

    @property
    def has_failures(self) -> bool:
        return any(row.n_failed is not None for row in self.board.rows)


def board_page(
    board: Board,
    statistics: Statistics | None,
    chosen: Sequence[str] = (),
    agreement: Mapping[str, float] | None = None,
    pairs_by: str = "",
    recomputing_since: datetime | None = None,
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
        cells=figure_cells(sure),
        picture=rank_picture(sure),
        why=explanation(sure, statistics, *pair) if len(pair) == 2 else None,
        n_resamples=(statistics or {}).get("n_resamples") or None,
        n_redrawn=(statistics or {}).get("n_redrawn", 0),
        agreement=agreement or {},
        statistics=statistics_tables(sure, statistics, pairs_by),
        recomputing_since=recomputing_since,
    )


def figure_cells(board: Board) -> dict[str, tuple[Cell, ...]]:
    """Made here rather than in the template: twenty rows by five keys are most of what a board's page has to draw."""
    bars = figure_bars(board)
    return {row.key: tuple(_cell(row, key, bars[row.key].get(key.name)) for key in board.keys) for row in board.rows}


def _cell(row: Row, key: Key, bar: Bar | None) -> Cell:
    value = row.figures.get(key.name)
    figure = "–" if value is None else fixed(value, key.decimals)
    head, spoken = f"{key.head} {arrow_of(key.better)}", f"{key.head} ({arrow_in_words(key.better)})"
    return Cell(head, spoken, figure, row.links.get(key.name, ""), bar)
