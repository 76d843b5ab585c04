"""Presets of whole campaigns: rubric, ranking rule, cap policy and who reviews, as the papers had them. Pure: plain values."""

from dataclasses import dataclass

from measures.live import COMPLETION, MEAN_TURNS
from rubrics.presets import SMP2018, RubricPreset


@dataclass(frozen=True, slots=True)
class CampaignPreset:
    """`ranking_rule` names figures, the one that decides first in front; `subtask_cap` is the default turn cap of a subtask.

    Directions and letters are those of the criteria, so the rule does not repeat them.
    """

    key: str
    rubric: RubricPreset
    ranking_rule: tuple[str, ...]
    subtask_cap: int


PRESETS = {
    preset.key: preset
    for preset in (
        CampaignPreset(
            "smp2018",
            SMP2018,
            ranking_rule=(COMPLETION.name, MEAN_TURNS.name, "satisfaction", "fluency", "guidance"),
            subtask_cap=20,
        ),
    )
}
