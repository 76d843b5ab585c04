"""Scales as rules: which scores a scale knows, and which of them is accepted. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

# Characters of the comment that goes with the scores.
COMMENT_LIMIT = 4000


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a scale, or one label of a label set, with its words in both languages.

    A label has a `key`, by which it is given; its `score` is only its number. `speaker` is whose words it is for, empty for both.
    """

    score: int
    label_zh: str
    label_en: str
    key: str = ""
    speaker: str = ""


class OffScale(ValueError):
    """The score is not a point of the scale."""


def accept_score(score: object, points: Sequence[int]) -> int:
    """`score` itself if it is one of the points; half points, text, booleans and missing values are refused."""
    if isinstance(score, bool) or not isinstance(score, int) or score not in points:
        raise OffScale(f"{score!r} is not on the scale {min(points)}…{max(points)}")
    return score
