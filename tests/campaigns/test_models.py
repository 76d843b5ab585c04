"""Facts of one campaign."""

from dataclasses import replace

import pytest

from campaigns.actions import load_campaign
from campaigns.campaign_file.reader import ROLES
from campaigns.models import Role
from campaigns.preset_files import PRESET_FILES
from campaigns.presets import PRESETS
from leaderboards.live_board import leaderboard
from measures.ranking import RankingKey
from tests.conftest import SMALL_CAMPAIGN, spec_of


@pytest.mark.django_db
def test_directions_and_letters_of_the_ranking_come_from_the_criteria(monkeypatch):
    preset = PRESETS["smp2018"]
    errors = replace(preset.rubric.criteria[0], key="errors", letter="E", better="lower")
    rubric = replace(preset.rubric, key="counts-errors", criteria=(errors, preset.rubric.criteria[1]))
    rule = ("errors", "completion", "mean_turns", "fluency")
    monkeypatch.setitem(PRESET_FILES, "other", PRESET_FILES["smp2018"])
    monkeypatch.setitem(PRESETS, "other", replace(preset, key="other", rubric=rubric, ranking_rule=rule))
    campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('preset = "smp2018"', 'preset = "other"')))
    assert campaign.ranking_keys() == (
        RankingKey("errors", "lower"), RankingKey("completion", "higher"), RankingKey("mean_turns", "lower"),
        RankingKey("fluency", "higher"),
    )  # fmt: skip
    assert leaderboard(campaign).ranked_by() == ["E", "C", "T", "F"]


def test_campaign_files_know_the_roles_that_are_stored():
    """The reader is pure, so it has the names once more."""
    assert tuple(Role.values) == ROLES
