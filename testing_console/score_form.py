"""The rows of the tester's score form: one per part that is finished or not, one per criterion of the rubric."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from rubrics.models import Criterion, Rubric
from testing_console.goal_card import Part
from testing_console.score_axis import (
    COMPLETION,
    PlacedPoint,
    ScoreKeys,
    axis,
    columns_of,
    placed,
    score_keys,
    shared_axis,
    wraps,
)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """`verdict` is the index of the part it is about, `criterion` the key of a rating; one of them is set."""

    letter: str
    name: str
    points: Sequence[PlacedPoint]
    n_columns: int
    verdict: int = 0
    criterion: str = ""
    question: str = ""
    is_required: bool = True

    @property
    def is_long(self) -> bool:
        """Whether its points wrap."""
        return wraps(self.n_columns)


@dataclass(frozen=True, slots=True)
class ScoreForm:
    rows: Sequence[ScoreRow]
    keys: ScoreKeys


def score_form(rubric: Rubric, parts: Sequence[Part], skill: str = "") -> ScoreForm:
    """What there is to score of a scenario of that skill, in the order in which it is asked; scales alone."""
    criteria = [one for one in criteria_for(rubric, skill) if one.kind == Criterion.Kind.SCALE]
    verdict = [(1, _("finished")), (0, _("not finished"))]
    asked = parts if rubric.asks_for_verdicts else []
    scales = [[1, 0] if asked else [], *(criterion.scores() for criterion in criteria)]
    shared = shared_axis(scales)
    columns = columns_of([1, 0], shared)
    rows = [
        ScoreRow(COMPLETION, f"{part.index} {part.label}", placed(verdict, columns), len(columns), verdict=part.index)
        for part in asked
    ]
    for criterion in criteria:
        rows += rows_of(criterion, parts, columns_of(criterion.scores(), shared))
    return ScoreForm(rows, score_keys(axis(scales)))


def rows_of(criterion: Criterion, parts: Sequence[Part], columns: Sequence[int]) -> list[ScoreRow]:
    """One row, or one per part where the criterion is about parts."""
    places = [("", criterion.name)]
    if criterion.scope == Criterion.Scope.SUBTASK:
        places = [(f"#{part.index}", f"{part.index} {part.label} · {criterion.name}") for part in parts]
    points = placed([(point.score, point.label) for point in criterion.points.all()], columns)
    return [
        ScoreRow(
            criterion.letter, name, points, len(columns), criterion=criterion.key + place, question=criterion.text("question"),
            is_required=criterion.is_required,
        )
        for place, name in places
    ]  # fmt: skip


def needs_transcript(rubric: Rubric, skill: str) -> bool:
    """Whether turns are to be labelled or pinned, or labels chosen: then the page of reviewers takes the place of the form."""
    return any(
        one.scope == Criterion.Scope.TURN or one.kind == Criterion.Kind.LABEL or one.evidence_below is not None
        for one in criteria_for(rubric, skill)
    )


def criteria_for(rubric: Rubric, skill: str) -> list[Criterion]:
    # Once per rubric that was read: a page asks for its form and for whether the form is enough.
    prefetch_related_objects([rubric], "criteria__points")
    return [one for one in rubric.criteria.all() if not one.skills or skill in one.skills]
