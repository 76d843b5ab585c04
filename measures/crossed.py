"""Scores crossed over two things, such as reviewer × dialogue or bot × scenario, and what each of the two adds. Pure.

A table has shape `(n_rows, n_columns)`; a missing cell is NaN.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]
Row = TypeVar("Row", bound=Hashable)
Column = TypeVar("Column", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Crossed(Generic[Row, Column]):
    """A table with the names of its rows and columns, both in the order in which they first came."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    table: Table


@dataclass(frozen=True, slots=True)
class Effects:
    """The least-squares fit of cell = column + row effect + residual.

    `rows` `(n_rows,)` is centred on 0 within each group of rows that share columns, directly or through others; rows
    of two groups cannot be compared. A row that shares no column with another is NaN. `residuals` has the shape of
    the table; `n_free` is its degrees of freedom.
    """

    rows: NDArray[np.float64]
    residuals: Table
    n_free: int


def crossed(cells: Iterable[tuple[Row, Column, float]]) -> Crossed[Row, Column]:
    """The table of the cells `(row, column, score)`. Errors: `ValueError` for a cell that is given twice."""
    found: dict[tuple[Row, Column], float] = {}
    for row, column, score in cells:
        if (row, column) in found:
            raise ValueError(f"{row} × {column} is given twice.")
        found[row, column] = score
    rows = {row: place for place, row in enumerate(dict.fromkeys(row for row, _ in found))}
    columns = {column: place for place, column in enumerate(dict.fromkeys(column for _, column in found))}
    table = np.full((len(rows), len(columns)), np.nan)
    for (row, column), score in found.items():
        table[rows[row], columns[column]] = score
    return Crossed(tuple(rows), tuple(columns), table)


def column_means(table: Table) -> NDArray[np.float64]:
    """The mean of the cells that are there, per column; NaN where there is none."""
    present = ~np.isnan(table)
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = np.where(present, table, 0.0).sum(axis=0) / present.sum(axis=0)
    return means


def effects(table: Table) -> Effects:
    """What rows and columns add, told apart: a row is not taken for low because its columns are low in every row."""
    present = ~np.isnan(table)
    share = present / np.maximum(present.sum(axis=0), 1)
    centred = np.where(present, table - column_means(table), 0.0)
    # The normal equations after the columns are eliminated. Their null space is one constant per group of rows, and
    # the solution of least length has none of it: that is what centres each group.
    equations = np.diag(present.sum(axis=1)) - present.astype(float) @ share.T
    rows, _, n_compared, _ = np.linalg.lstsq(equations, centred.sum(axis=1), rcond=1e-12)
    residuals = np.where(present, centred - rows[:, None] + rows @ share, np.nan)
    is_shared = (present & (present.sum(axis=0) > 1)).any(axis=1)
    n_free = int(present.sum() - present.any(axis=0).sum() - n_compared)
    return Effects(np.where(is_shared, rows, np.nan), residuals, n_free)
