"""The rows of the tester's score form: one per part that is finished or not, one per criterion of the rubric."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rubrics.models import Rubric
from testing_console.goal_card import Part
from testing_console.score_axis import PlacedPoint, axis, placed

# The letter of completion in the papers; its two points are verdicts, not scores of the rubric.
COMPLETION = "C"


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """`verdict` is the index of the part it is about, `criterion` the key of a criterion; one of them is set."""

    letter: str
    name: str
    points: Sequence[PlacedPoint]
    verdict: int = 0
    criterion: str = ""


@dataclass(frozen=True, slots=True)
class ScoreForm:
    n_columns: int
    rows: Sequence[ScoreRow]


def score_form(rubric: Rubric, parts: Sequence[Part]) -> ScoreForm:
    """What there is to score, in the order in which it is asked."""
    criteria = list(rubric.criteria.prefetch_related("points"))
    verdict = [(1, _("finished")), (0, _("not finished"))]
    asked = parts if rubric.asks_for_verdicts else []
    columns = axis([[1, 0] if asked else [], *(criterion.scores() for criterion in criteria)])
    rows = [
        ScoreRow(COMPLETION, f"{part.index} {part.label}", placed(verdict, columns), verdict=part.index)
        for part in asked
    ]
    rows += [
        ScoreRow(
            criterion.letter,
            criterion.name,
            placed([(point.score, point.label) for point in criterion.points.all()], columns),
            criterion=criterion.key,
        )
        for criterion in criteria
    ]
    return ScoreForm(len(columns), rows)
