"""Presets of campaigns name what there is: a rule that ranks the figures of their rubric."""

from campaigns.presets import PRESETS
from measures.live import RECORD_FIGURES


def test_every_preset_stands_under_its_own_key():
    assert [key for key, preset in PRESETS.items() if preset.key != key] == []


def test_smp2018_is_what_the_paper_says():
    preset = PRESETS["smp2018"]
    assert preset.subtask_cap == 20
    assert preset.rubric.asks_for_verdicts
    assert preset.ranking_rule == ("completion", "mean_turns", "satisfaction", "fluency", "guidance")


def test_every_rule_ranks_figures_that_its_rubric_gives():
    for preset in PRESETS.values():
        figures = {figure.name for figure in RECORD_FIGURES} | {criterion.key for criterion in preset.rubric.criteria}
        assert set(preset.ranking_rule) <= figures, preset.key
