"""Resamples in which no row lacks a figure that it has: ranks of any other would take what is missing for the worst. Pure.

A row with records on few scenarios is in some resamples without any. Those are drawn again, as if they had never been: what is left
is the bootstrap on condition that every row was drawn at least once.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Figures = NDArray[np.float64]

# Up to so many times as many are drawn as are wanted. Where more would be needed, hardly any resample resembles the board.
MOST_DRAWN = 10


@dataclass(frozen=True, slots=True)
class WholeResamples:
    """`figures` `(n_resamples, n_rows, n_keys)`, and how many were drawn again; no resample and None where that was given up."""

    figures: Figures
    n_redrawn: int | None


def whole_resamples(chunks: Iterable[Figures], needed: NDArray[np.bool_], n_resamples: int) -> WholeResamples:
    """The first so many resamples that have every figure that is `needed` `(n_rows, n_keys)`.

    `chunks` draws them, `MOST_DRAWN` times as many as are wanted; no more is taken from it than it takes.
    """
    found: list[Figures] = []
    are_whole: list[NDArray[np.bool_]] = []
    n_whole = n_drawn = 0
    for drawn in chunks:
        is_whole = np.logical_not(np.isnan(drawn[:, needed]).any(axis=1))
        found.append(drawn[is_whole])
        are_whole.append(is_whole)
        n_whole, n_drawn = n_whole + int(is_whole.sum()), n_drawn + len(drawn)
        if n_whole >= n_resamples:
            last = int(np.flatnonzero(np.concatenate(are_whole))[n_resamples - 1]) + 1
            return WholeResamples(np.concatenate(found)[:n_resamples], last - n_resamples)
        if n_drawn >= n_resamples and n_whole * MOST_DRAWN < n_drawn:
            break
    return WholeResamples(np.zeros((0, *needed.shape)), None)
