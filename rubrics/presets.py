"""Rubrics as plain values, before they are stored and as they were stored. Pure."""

from dataclasses import dataclass
from typing import Literal

from measures.ranking import Direction
from rubrics.scales import Point

Kind = Literal["scale", "label"]
Scope = Literal["dialogue", "subtask", "turn"]


@dataclass(frozen=True, slots=True)
class CriterionPreset:
    """One criterion; the fields mean what those of `rubrics.models.Criterion` mean."""

    key: str
    letter: str
    name_zh: str
    name_en: str
    points: tuple[Point, ...]
    better: Direction = "higher"
    kind: Kind = "scale"
    scope: Scope = "dialogue"
    question_zh: str = ""
    question_en: str = ""
    skills: tuple[str, ...] = ()
    is_required: bool = True
    evidence_below: int | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of the scale, lowest first."""
        return tuple(point.score for point in self.points)

    @property
    def is_scale(self) -> bool:
        """Whether means of it are taken, so that it can rank."""
        return self.kind == "scale"


@dataclass(frozen=True, slots=True)
class RubricPreset:
    key: str
    name_zh: str
    name_en: str
    asks_for_verdicts: bool
    criteria: tuple[CriterionPreset, ...]
    shows_latency: bool = False
