"""Where scores stand on a form: one column per value, highest first, so a score is at the same place in every row. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MINUS = "\u2212"


@dataclass(frozen=True, slots=True)
class PlacedPoint:
    """A point of a scale in its column (from 1); `shown` is the score with a real minus sign."""

    score: int
    shown: str
    label: str
    column: int


def axis(scales: Iterable[Iterable[int]]) -> list[int]:
    """Every score that a scale has, highest first: the columns of the form."""
    return sorted({score for scale in scales for score in scale}, reverse=True)


def placed(points: Iterable[tuple[int, str]], columns: Sequence[int]) -> list[PlacedPoint]:
    """The points of one scale, each in the column of its value."""
    highest_first = sorted(points, reverse=True)
    return [PlacedPoint(score, shown(score), label, columns.index(score) + 1) for score, label in highest_first]


def shown(score: int) -> str:
    return f"{MINUS}{-score}" if score < 0 else str(score)
