"""What a page shows of a board: the table with its bars, the picture of ranks, and why one of two rows is ahead. Pure.

Boards of live campaigns, of runs and of published snapshots are shown alike: figures and stored statistics in, nothing is looked up.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlencode

from leaderboards import explanations
from leaderboards.board import Board, BoardSource, Key, Row, arrow_in_words, arrow_of
from leaderboards.explanations import (
    Explanation,
    StatisticsTables,
    explanation,
    n_missing,
    statistics_tables,
    with_statistics,
)
from leaderboards.paper.board_figures import Figure, ranks_figure
from scoring.printed_figures import fixed

WIDTH = 72


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure on the scale of its key: where its mark stands, its interval if it has one, and where the scale has its 0."""

    mark: int
    low: int | None
    high: int | None
    zero: int | None
    title: str

    @property
    def scale_path(self) -> str:
        ends = f"M0 3.5H{WIDTH}M.5 2V5M{WIDTH - 0.5} 2V5"
        return ends if self.zero is None else f"{ends}M{self.zero} 1V6"

    @property
    def span_path(self) -> str:
        """The interval; empty where there is none."""
        return "" if self.low is None else f"M{self.low} 3.5H{self.high}"

    @property
    def mark_path(self) -> str:
        return f"M{self.mark} 0V7"


def figure_bars(board: Board) -> dict[str, dict[str, Bar]]:
    """Bars by row and key; a key whose scale is unknown gets one from 0 that all figures and intervals of the board fit in."""
    scales = {key.name: key.scale or _range_of(key, board.rows) for key in board.keys}
    return {row.key: dict(_bars_of(row, board.keys, scales)) for row in board.rows}


def _range_of(key: Key, rows: Sequence[Row]) -> tuple[float, float] | None:
    values = [value for row in rows if (value := row.figures.get(key.name)) is not None]
    ends = [*values, *(end for row in rows for end in row.intervals.get(key.name, ()))]
    return (min(0.0, *ends), max(0.0, *ends)) if ends else None


def _bars_of(
    row: Row, keys: Sequence[Key], scales: Mapping[str, tuple[float, float] | None]
) -> Iterator[tuple[str, Bar]]:
    for key in keys:
        value, scale = row.figures.get(key.name), scales[key.name]
        if value is not None and scale is not None and scale[0] < scale[1]:
            yield key.name, _bar(value, row.intervals.get(key.name), scale, key)


def _bar(value: float, interval: tuple[float, float] | None, scale: tuple[float, float], key: Key) -> Bar:
    lowest, highest = scale

    def at(value: float) -> int:
        return round(WIDTH * min(1.0, max(0.0, (value - lowest) / (highest - lowest))))

    zero = at(0.0) if lowest < 0 < highest else None
    if interval is None:
        return Bar(at(value), None, None, zero, "")
    low, high = interval
    title = f"{fixed(low, key.decimals)} – {fixed(high, key.decimals)}"
    return Bar(at(value), at(low), at(high), zero, title)


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
    in place of all that is drawn, while it is not of these figures yet.
    """

    board: Board
    cells: Mapping[str, tuple[Cell, ...]]
    picture: Figure | None
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
    def short_rows(self) -> list[tuple[str, int]]:
        """The rows of which too little is known to say how sure they are, with how many more records that takes."""
        return [(row.label, n_missing(row)) for row in self.board.rows if n_missing(row)]

    @property
    def fewest(self) -> int:
        return explanations.FEWEST

    @property
    def has_failures(self) -> bool:
        return any(row.n_failed is not None for row in self.board.rows)


def board_page(source: BoardSource, chosen: Sequence[str] = (), pairs_by: str = "") -> BoardPage:
    """`chosen` are keys of rows as a reader gave them: the first two that are ranked are compared, else the first two of the board.

    `pairs_by` is the figure that a reader asks the tests of all pairs of.
    """
    sure, statistics = with_statistics(source.board, source.statistics), source.statistics or {}
    pair = [key for key in dict.fromkeys(chosen) if sure.row(key)][:2]
    if len(pair) < 2:
        pair = [row.key for row in sure.rows[:2]]
    return BoardPage(
        board=sure,
        cells=figure_cells(sure),
        picture=ranks_figure(sure, frozenset(pair)),
        why=explanation(sure, statistics, *pair) if len(pair) == 2 else None,
        n_resamples=statistics.get("n_resamples") or None,
        n_redrawn=statistics.get("n_redrawn", 0),
        agreement=source.agreement,
        statistics=statistics_tables(sure, statistics, pairs_by),
        recomputing_since=source.recomputing_since,
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
