"""What an adjudicator sees of a panel: every reviewer's scores under a number, in the columns of the rubric. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reviews.score_rows import RubricRow


@dataclass(frozen=True, slots=True)
class PanelMark:
    """The reviewers who chose the point in that column; `shown` names it where points wrap."""

    column: int
    numbers: Sequence[int]
    shown: str


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row of the rubric with what the panel gave; `is_disputed` where they are too far apart."""

    row: RubricRow
    marks: Sequence[PanelMark] = ()
    is_disputed: bool = False


def judged_rows(
    rows: Iterable[RubricRow], contents: Sequence[Mapping[str, Any]], disputed: Iterable[str]
) -> list[JudgedRow]:
    """The rows with the marks of `contents`, the panel's reviews in their order: the first is reviewer 1."""
    ratings = set(disputed)
    return [JudgedRow(row, marks_of(row, contents), row.rating in ratings) for row in rows]


def marks_of(row: RubricRow, contents: Sequence[Mapping[str, Any]]) -> list[PanelMark]:
    chosen = [value_in(row, content) for content in contents]
    marks = []
    for point in row.points:
        numbers = [number for number, value in enumerate(chosen, start=1) if value == point.value]
        if numbers:
            marks.append(PanelMark(point.column, numbers, point.shown))
    return marks


def value_in(row: RubricRow, content: Mapping[str, Any]) -> str | None:
    """What a review says on the row, as the row's points say it; None where it says nothing."""
    if row.verdict:
        verdict = content["verdicts"].get(str(row.verdict))
        return None if verdict is None else str(int(verdict))
    score = content["ratings"].get(row.rating)
    return None if score is None else str(score)


def labels_of(contents: Sequence[Mapping[str, Any]], ratings: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    """For every label that is asked for, which reviewer gave which."""
    return {
        rating: [
            (number, str(content["ratings"][rating]))
            for number, content in enumerate(contents, start=1)
            if rating in content["ratings"]
        ]
        for rating in ratings
    }
