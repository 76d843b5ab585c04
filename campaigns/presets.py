"""Presets of whole campaigns: rubric, ranking rule, cap policy and who reviews, as the papers had them. Pure: plain values."""

from dataclasses import dataclass

from rubrics.presets import SMP2018, RubricPreset


@dataclass(frozen=True, slots=True)
class CampaignPreset:
    """`ranking_rule` names a rule of the leaderboards; `subtask_cap` is the default turn cap of a subtask."""

    key: str
    rubric: RubricPreset
    ranking_rule: str
    subtask_cap: int


PRESETS = {"smp2018": CampaignPreset("smp2018", SMP2018, ranking_rule="smp2018", subtask_cap=20)}
