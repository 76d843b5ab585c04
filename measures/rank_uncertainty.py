"""How sure ranks are: ranks in every resample by the ordered keys of a ranking rule. Pure.

`figures` has shape `(n_resamples, n_rows, n_keys)`, in the order of the rule's keys (`resampling.resampled_figures`
with their names); a missing figure is NaN. Boards that join automatic and human figures draw both apart and put
the keys together along the last axis.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from measures.ranking import DECIMALS, RankingKey

Figures = NDArray[np.float64]
CHUNK = 500


def rank_probabilities(figures: Figures, rule: Sequence[RankingKey]) -> NDArray[np.float64]:
    """P(rank = k) per row `(n_rows, n_rows)`: the share of resamples in which the row has rank 1, 2 … n_rows.

    Ties share the better rank, so a row sums to 1 and a column need not.
    """
    n_rows = figures.shape[1]
    counts = np.zeros((n_rows, n_rows))
    for part in _parts(figures):
        for place in range(n_rows):
            counts[:, place] += (ranks(part, rule) == place + 1).sum(axis=0)
    return counts / len(figures)


def shares_ahead(figures: Figures, rule: Sequence[RankingKey]) -> NDArray[np.float64]:
    """`[i, j]`: the share of resamples in which row i is ahead of row j; ties are in neither `[i, j]` nor `[j, i]`."""
    counts = np.zeros((figures.shape[1], figures.shape[1]))
    for part in _parts(figures):
        counts += is_ahead(part, rule).sum(axis=0)
    return counts / len(figures)


def ranks(figures: Figures, rule: Sequence[RankingKey]) -> NDArray[np.int64]:
    """The ranks `(n_resamples, n_rows)` that `ranking.rank` gives in each resample: one more than how many are ahead."""
    found: NDArray[np.int64] = 1 + is_ahead(figures, rule).sum(axis=1)
    return found


def is_ahead(figures: Figures, rule: Sequence[RankingKey]) -> NDArray[np.bool_]:
    """`[resample, i, j]`: whether row i is better than row j in the first key in which the two differ."""
    ahead = np.zeros((*figures.shape[:2], figures.shape[1]), dtype=bool)
    still_equal = np.ones_like(ahead)
    for place, key in enumerate(rule):
        sortable = _sortable(figures[:, :, place], key)
        one, other = sortable[:, :, None], sortable[:, None, :]
        ahead |= still_equal & (one < other)
        still_equal &= one == other
    return ahead


def _sortable(figure: Figures, key: RankingKey) -> Figures:
    """Smaller is better; a missing figure comes after every present one, whatever the direction."""
    steady = np.round(figure, DECIMALS)
    return np.where(np.isnan(figure), np.inf, -steady if key.better == "higher" else steady)


def _parts(figures: Figures) -> list[Figures]:
    return [figures[start : start + CHUNK] for start in range(0, len(figures), CHUNK)]
