"""The heat map of a meta-evaluation: metrics by criteria, each cell a correlation, as MSDE Tables 11–13. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SIGNIFICANT = 0.05
# Shades on each side of 0: under 0.2 there is none, from 0.8 on the darkest.
SHADES = 4
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """A correlation; all None where it is undefined or no system has both figures. `shade` is −4…4."""

    value: float | None = None
    interval: Sequence[float] | None = None
    p: float | None = None
    n: int = 0

    @property
    def shade(self) -> int:
        if self.value is None:
            return 0
        steps = min(SHADES, int(abs(self.value) * 5 + 1e-9))
        return steps if self.value > 0 else -steps

    @property
    def is_significant(self) -> bool:
        """At the 5% level, for this pair alone."""
        return self.p is not None and self.p < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class HeatMap:
    """One table: `skill` (empty: all of them), its criteria as columns, per metric one cell for each."""

    skill: str
    criteria: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]


def cell_of(row: Row, coefficient: str) -> Cell:
    """The named coefficient of a row as `scoring/figure_tables.py` gives it."""
    return Cell(row[coefficient], row[f"{coefficient}_interval"], row[f"{coefficient}_p"], row["n"])


def heat_maps(
    rows: Sequence[Row], coefficient: str, *, metrics: Sequence[str], criteria: Sequence[str]
) -> list[HeatMap]:
    """One map per skill in the order of the rows; metrics and criteria in the given order, those without any row left out."""
    found: dict[str, dict[tuple[str, str], Cell]] = {}
    for row in rows:
        found.setdefault(row["skill"], {})[row["metric"], row["criterion"]] = cell_of(row, coefficient)
    maps = []
    for skill, cells in found.items():
        there = {metric for metric, _ in cells}, {criterion for _, criterion in cells}
        columns = [name for name in criteria if name in there[1]]
        lines = [
            (metric, [cells.get((metric, criterion), Cell()) for criterion in columns])
            for metric in metrics
            if metric in there[0]
        ]
        if lines and columns:
            maps.append(HeatMap(skill, columns, lines))
    return maps
