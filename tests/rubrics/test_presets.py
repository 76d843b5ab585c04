"""The rubrics of the papers: letters and ranges as printed (Zhao et al. 2019, Task 2)."""

import pytest

from rubrics.presets import RUBRIC_PRESETS, SMP2018


def test_smp2018_scores_satisfaction_fluency_and_guidance_on_the_papers_ranges():
    scales = {row.letter: (row.key, [point.score for point in row.points]) for row in SMP2018.criteria}
    assert scales == {
        "Sa": ("satisfaction", [-2, -1, 0, 1, 2]),
        "F": ("fluency", [-1, 0, 1]),
        "G": ("guidance", [0, 1]),
    }
    assert SMP2018.asks_for_verdicts


@pytest.mark.parametrize("preset", RUBRIC_PRESETS.values(), ids=RUBRIC_PRESETS)
def test_a_preset_is_whole(preset):
    assert RUBRIC_PRESETS[preset.key] is preset
    keys = [criterion.key for criterion in preset.criteria]
    assert len(set(keys)) == len(keys)
    for criterion in preset.criteria:
        scores = [point.score for point in criterion.points]
        assert scores == sorted(set(scores)), "lowest first, none twice: the console's digits count from the left"
        assert all(point.label_zh and point.label_en for point in criterion.points)
