"""Ranks rows by ordered keys with a direction each. Pure: rows in, ranks out; it knows no database and no bot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Direction = Literal["higher", "lower"]

# Smaller differences are the noise of the arithmetic: two means of the same records in another order of summation tie.
DECIMALS = 12


@dataclass(frozen=True, slots=True)
class RankingKey:
    """One key of a ranking rule: the figure's name and which direction is better."""

    figure: str
    better: Direction


@dataclass(frozen=True, slots=True)
class Ranked:
    rank: int
    name: str


Figures = Mapping[str, float | None]


def sort_key(figures: Figures, rule: Sequence[RankingKey]) -> tuple[tuple[bool, float], ...]:
    """A tuple that sorts the best first; a missing figure comes after every present one, whatever the direction."""
    parts = []
    for key in rule:
        figure = figures.get(key.figure)
        if figure is None:
            parts.append((True, 0.0))
        else:
            parts.append((False, -figure if key.better == "higher" else figure))
    return tuple(parts)


def rank(rows: Mapping[str, Figures], rule: Sequence[RankingKey]) -> list[Ranked]:
    """Ranks 1, 1, 3 …: rows that are equal in every key share a rank; names only order the listing of a tie.

    `rows` maps a name to its figures. Floats are compared after rounding to `DECIMALS`.
    """
    keyed = sorted(
        (sort_key({key.figure: _steady(figures.get(key.figure)) for key in rule}, rule), name)
        for name, figures in rows.items()
    )
    ranked: list[Ranked] = []
    for position, (key, name) in enumerate(keyed, start=1):
        is_tie = position > 1 and key == keyed[position - 2][0]
        ranked.append(Ranked(ranked[-1].rank if is_tie else position, name))
    return ranked


def _steady(figure: float | None) -> float | None:
    return None if figure is None else round(figure, DECIMALS)
