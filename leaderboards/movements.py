"""What moved between two boards of the same bots: ranks and figures, before and after. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboards.board import Board, Key, Row

# As in `measures/ranking.py`: less is the noise of the arithmetic.
DECIMALS = 12


@dataclass(frozen=True, slots=True)
class MovedFigure:
    """A figure of one row on both boards; None where it had or has none."""

    key: Key
    before: float | None
    after: float | None

    @property
    def has_moved(self) -> bool:
        if self.before is None or self.after is None:
            return self.before is not self.after
        return round(self.before - self.after, DECIMALS) != 0


@dataclass(frozen=True, slots=True)
class Movement:
    """One row on both boards. A rank is None where the row had or has none."""

    before: Row
    after: Row
    figures: tuple[MovedFigure, ...]

    @property
    def has_new_rank(self) -> bool:
        return self.before.rank != self.after.rank

    @property
    def has_moved(self) -> bool:
        return self.has_new_rank or self.before.n != self.after.n or any(one.has_moved for one in self.figures)


def movements(before: Board, after: Board) -> tuple[Movement, ...]:
    """The rows of `after` in which anything moved, in their order there; rows of one board alone have not moved."""
    known = {row.key: row for row in (*before.rows, *before.unranked)}
    return tuple(one for one in _all(known, after) if one.has_moved)


def _all(known: dict[str, Row], after: Board) -> Iterator[Movement]:
    for row in (*after.rows, *after.unranked):
        if row.key in known:
            was = known[row.key]
            figures = (MovedFigure(key, was.figures.get(key.name), row.figures.get(key.name)) for key in after.keys)
            yield Movement(was, row, tuple(figures))
