"""Where scores stand on a form: one column per value, highest first, so a score is at the same place in every row. Pure.

A scale with more points than a row has room for wraps: its numbers stand in lines of their own, without words.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

# The letter of completion in the papers; its two points are verdicts, not scores of the rubric.
COMPLETION = "C"

MINUS = "\u2212"
# As many numbers with their words have room side by side, at 1280 px beside the transcript too (static/testing_console/scores.css).
COLUMNS_AT_MOST = 11


def wraps(n_columns: int) -> bool:
    """Whether a scale with `n_columns` points is longer than a line."""
    return n_columns > COLUMNS_AT_MOST


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


def shared_axis(scales: Iterable[Collection[int]]) -> list[int]:
    """The columns that rows have in common: of all scales that fit a row. Empty where they are too many together."""
    columns = axis(scale for scale in scales if not wraps(len(scale)))
    return columns if not wraps(len(columns)) else []


def columns_of(scale: Collection[int], shared: Sequence[int]) -> Sequence[int]:
    """The columns of a row: the shared ones, or its own where it has no place in them."""
    return shared if set(scale) <= set(shared) else axis([scale])


@dataclass(frozen=True, slots=True)
class ScoreKeys:
    """How the scores of a form are typed: `digits` are those of one digit, highest first; `negative` is the digit of a
    negative one and `long` a score of several digits, each empty where there is none."""

    digits: Sequence[str]
    negative: str
    long: str


def score_keys(scores: Iterable[int]) -> ScoreKeys:
    of_one_digit = [score for score in axis([scores]) if -10 < score < 10]
    negative = next((str(-score) for score in of_one_digit if score < 0), "")
    longest = max((shown(score) for score in axis([scores])), key=len, default="")
    return ScoreKeys(
        [str(score) for score in of_one_digit if score >= 0],
        negative,
        longest if len(longest.lstrip(MINUS)) > 1 else "",
    )


def placed(points: Iterable[tuple[int, str]], columns: Sequence[int]) -> list[PlacedPoint]:
    """The points of one scale, each in the column of its value."""
    highest_first = sorted(points, reverse=True)
    return [PlacedPoint(score, shown(score), label, columns.index(score) + 1) for score, label in highest_first]


def shown(score: int) -> str:
    return f"{MINUS}{-score}" if score < 0 else str(score)
