"""Rubrics of the papers. Labels are ours; the ranges and letters are the papers'. Pure: plain values."""

from dataclasses import dataclass

from measures.ranking import Direction
from rubrics.scales import Point


@dataclass(frozen=True, slots=True)
class CriterionPreset:
    key: str
    letter: str
    name_zh: str
    name_en: str
    points: tuple[Point, ...]
    better: Direction = "higher"

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of the scale, lowest first."""
        return tuple(point.score for point in self.points)


@dataclass(frozen=True, slots=True)
class RubricPreset:
    key: str
    name_zh: str
    name_en: str
    asks_for_verdicts: bool
    criteria: tuple[CriterionPreset, ...]


SMP2018 = RubricPreset(
    key="smp2018",
    name_zh="SMP2018-ECDT 任务二",
    name_en="SMP2018-ECDT Task 2",
    asks_for_verdicts=True,
    criteria=(
        CriterionPreset(
            "satisfaction",
            "Sa",
            "满意度",
            "Satisfaction",
            (
                Point(-2, "很不满意", "very dissatisfied"),
                Point(-1, "不满意", "dissatisfied"),
                Point(0, "一般", "neutral"),
                Point(1, "满意", "satisfied"),
                Point(2, "很满意", "very satisfied"),
            ),
        ),
        CriterionPreset(
            "fluency",
            "F",
            "流畅度",
            "Fluency",
            (
                Point(-1, "不流畅", "not fluent"),
                Point(0, "一般", "acceptable"),
                Point(1, "流畅", "fluent"),
            ),
        ),
        CriterionPreset(
            "guidance",
            "G",
            "引导能力",
            "Guidance",
            (Point(0, "没有引导", "no guidance"), Point(1, "有引导", "guides the user")),
        ),
    ),
)

RUBRIC_PRESETS = {SMP2018.key: SMP2018}
