"""The sample of a board that joins figures of several boards and may add them up. Pure.

Each part has scenarios or items of its own, so each is drawn on its own: figures of one part go together in every resample, figures
of two parts do not. A part's seed is its own, too: parts of equal size would else be drawn alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measures.crossed import Table
from measures.ranking import RankingKey
from measures.resampling import FiguresOf, Sums, figure_interval
from measures.samples import LEVEL, SEED, Pair, PairTest, Sample, pairs_of_family
from measures.tukey import N_PERMUTATIONS, Summand, randomised_tukey_hsd_of_totals


@dataclass(frozen=True, slots=True)
class Part:
    """One board's sample, its rows named as on the joined board, with the sums `(n_clusters, n_rows, n_columns)` that it was drawn from.

    `can_grow` says whether its clusters are scenarios, of which there can be more; the items of a gold are what they are.
    """

    sample: Sample
    sums: Sums
    figures_of: FiguresOf
    can_grow: bool


@dataclass(frozen=True, slots=True)
class JoinedColumn:
    """A figure of a part under a key of its own; `weight` is its factor in the total."""

    key: RankingKey
    part: Part
    figure: str
    weight: float = 1.0

    def in_part(self) -> int:
        return [key.figure for key in self.part.sample.keys].index(self.figure)


@dataclass(frozen=True, slots=True)
class JoinedTotal:
    """The sum of the weighted figures of `of`, or their weighted mean."""

    key: RankingKey
    of: Sequence[str]
    is_mean: bool


def joined_sample(
    rows: Sequence[str],
    columns: Sequence[JoinedColumn],
    total: JoinedTotal | None = None,
    *,
    seed: int = SEED,
    n_permutations: int = N_PERMUTATIONS,
) -> Sample:
    """The sample of those rows; a row that a part does not have lacks its figures. `n_clusters` is that of the smallest part."""
    places = {id(one.part): [_place(row, one.part.sample) for row in rows] for one in columns}
    figures = [_of_rows(one.part.sample.figures[None], places[id(one.part)], one.in_part())[0] for one in columns]
    n_redrawn = _n_redrawn(columns)
    n_drawn = 0 if n_redrawn is None else min(len(one.part.sample.drawn) for one in columns)
    drawn = [_of_rows(one.part.sample.drawn[:n_drawn], places[id(one.part)], one.in_part()) for one in columns]
    keys, ends = [one.key for one in columns], [_intervals(rows, one) for one in columns]
    tests = {one.key.figure: _tests(rows, one) for one in columns}
    if total is not None:
        parts = [place for place, one in enumerate(columns) if one.key.figure in total.of]
        weights = np.array([columns[place].weight for place in parts])
        divisor = weights.sum() if total.is_mean else 1.0
        keys.append(total.key)
        figures.append(np.tensordot(weights, np.array([figures[place] for place in parts]), axes=1) / divisor)
        drawn.append(np.tensordot(weights, np.array([drawn[place] for place in parts]), axes=1) / divisor)
        added = [columns[place] for place in parts]
        ends.append(_intervals_of_total(rows, drawn[-1], min(one.part.sample.n_clusters for one in added)))
        tests[total.key.figure] = _tests_of_total(rows, figures[-1], added, divisor, seed, n_permutations)
    return Sample(
        tuple(rows),
        tuple(keys),
        np.stack(figures, axis=-1),
        np.stack(drawn, axis=-1),
        tuple({key.figure: of[row] for key, of in zip(keys, ends, strict=True) if row in of} for row in rows),
        {one.key.figure: _table(one, places[id(one.part)]) for one in columns if _has_table(one)},
        {figure: found for figure, found in tests.items() if found},
        n_clusters=min(one.part.sample.n_clusters for one in columns),
        n_redrawn=n_redrawn,
    )


def _n_redrawn(columns: Sequence[JoinedColumn]) -> int | None:
    """Of all parts together; None where a part could not be drawn."""
    of_parts = {id(one.part): one.part.sample.n_redrawn for one in columns}.values()
    told = [n for n in of_parts if n is not None]
    return sum(told) if len(told) == len(of_parts) else None


def _place(row: str, sample: Sample) -> int | None:
    return sample.rows.index(row) if row in sample.rows else None


def _of_rows(drawn: NDArray[np.float64], places: Sequence[int | None], column: int) -> NDArray[np.float64]:
    """One figure of each row `(n_resamples, n_rows)`; NaN for a row that the part does not have."""
    found = np.full((len(drawn), len(places)), np.nan)
    for row, place in enumerate(places):
        if place is not None:
            found[:, row] = drawn[:, place, column]
    return found


def _intervals(rows: Sequence[str], column: JoinedColumn) -> dict[str, tuple[float, float]]:
    sample = column.part.sample
    of_row = dict(zip(sample.rows, sample.intervals, strict=True))
    return {row: of_row[row][column.figure] for row in rows if column.figure in of_row.get(row, {})}


def _intervals_of_total(
    rows: Sequence[str], drawn: NDArray[np.float64], n_clusters: int
) -> dict[str, tuple[float, float]]:
    """As wide as those of a figure of so many clusters: what the smallest part has makes them wide enough."""
    if n_clusters < 2 or not len(drawn):
        return {}
    return {
        row: figure_interval(drawn[:, place], n_clusters, LEVEL)
        for place, row in enumerate(rows)
        if not np.isnan(drawn[:, place]).any()
    }


def _tests(rows: Sequence[str], column: JoinedColumn) -> dict[Pair, PairTest]:
    found = column.part.sample.tests.get(column.figure, {})
    return {pair: test for pair, test in found.items() if set(pair) <= set(rows)}


def _tests_of_total(
    rows: Sequence[str], figures: Table, columns: Sequence[JoinedColumn], divisor: float, seed: int, n_permutations: int
) -> dict[Pair, PairTest]:
    """Every two rows that have a total, tested as one family."""
    scored = [row for row, figure in zip(rows, figures, strict=True) if not np.isnan(figure)]
    if len(scored) < 2:
        return {}
    summands = list(_summands(scored, columns, divisor))
    return pairs_of_family(scored, randomised_tukey_hsd_of_totals(summands, n_permutations=n_permutations, seed=seed))


def _summands(rows: Sequence[str], columns: Sequence[JoinedColumn], divisor: float) -> Iterator[Summand]:
    """One per part, with what each of its figures weighs, be it in more columns than one."""
    for part in {id(one.part): one.part for one in columns}.values():
        weights: dict[str, float] = {}
        for one in columns:
            if one.part is part:
                weights[one.figure] = weights.get(one.figure, 0.0) + one.weight / divisor
        yield Summand(part.sums[:, [part.sample.rows.index(row) for row in rows]], part.figures_of, weights)


def _has_table(column: JoinedColumn) -> bool:
    return column.part.can_grow and column.figure in column.part.sample.tables


def _table(column: JoinedColumn, places: Sequence[int | None]) -> Table:
    table: Mapping[int, NDArray[np.float64]] = dict(enumerate(column.part.sample.tables[column.figure]))
    nothing = np.full(column.part.sample.n_clusters, np.nan)
    return np.array([nothing if place is None else table[place] for place in places])
