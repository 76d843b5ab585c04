"""Small pictures of a board, as numbers for SVG. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboards.board import Row

WIDTH = 120.0
MARGIN = 4.0


@dataclass(frozen=True, slots=True)
class IntervalBar:
    """A 95 % interval on the scale that all bars of the board share, with the figure itself as a mark."""

    x: float
    width: float
    mark: float
    low: float
    high: float


def interval_bars(rows: Sequence[Row], figure: str) -> dict[str, IntervalBar]:
    """Bars by the key of the row; empty where no row has an interval of the figure."""
    ends = {row.key: row.intervals[figure] for row in rows if figure in row.intervals}
    values = {row.key: row.figures.get(figure) for row in rows}
    if not ends:
        return {}
    lowest = min(low for low, _ in ends.values())
    span = max(high for _, high in ends.values()) - lowest or 1.0

    def at(value: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * min(1.0, max(0.0, (value - lowest) / span)), 1)

    return {
        name: IntervalBar(
            at(low), max(1.0, round(at(high) - at(low), 1)), at(value if value is not None else low), low, high
        )
        for name, (low, high) in ends.items()
        for value in [values[name]]
    }
