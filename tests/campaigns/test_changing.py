"""Settings change by name, nothing else with them, and the rules of dialogues only while there is none."""

import pytest
from django.utils import timezone

from campaigns.actions import FixedByDialogues, NoSuchFigure, change_settings
from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.models import Campaign
from reading.kinds import Texts

pytestmark = pytest.mark.django_db


def test_a_change_writes_back_nothing_else_that_was_read_before(campaign):
    Campaign.objects.update(reply_deadline_s=9)
    changed = change_settings(campaign=campaign, changes={"is_published": True, "free_choice": True}, at=timezone.now())
    assert changed == [SETTINGS["is_published"]]
    stored = Campaign.objects.get()
    assert (stored.is_published, stored.reply_deadline_s) == (True, 9)
    assert campaign.is_published


def test_texts_and_lists_are_stored_in_their_columns(campaign):
    change_settings(
        campaign=campaign, changes={"name": Texts("新", "New"), "masked_words": ("Acme",)}, at=timezone.now()
    )
    stored = Campaign.objects.get()
    assert (stored.name_zh, stored.name_en, stored.masked_words) == ("新", "New", ["Acme"])
    assert change_settings(campaign=campaign, changes={"masked_words": ("Acme",)}, at=timezone.now()) == []


def test_the_rules_of_dialogues_are_fixed_by_the_first_one(campaign, dialogue):
    with pytest.raises(FixedByDialogues) as fixed:
        change_settings(
            campaign=campaign, changes={"cap_per": "dialogue", "turn_cap": 9, "reply_deadline_s": 9}, at=timezone.now()
        )
    assert [setting.name for setting in fixed.value.settings] == ["cap_per", "turn_cap"]
    stored = Campaign.objects.get()
    assert (stored.cap_per, stored.turn_cap, stored.reply_deadline_s) == ("subtask", None, 5)
    change_settings(campaign=campaign, changes={"cap_per": "subtask", "reply_deadline_s": 9}, at=timezone.now())
    assert Campaign.objects.get().reply_deadline_s == 9


def test_before_the_first_dialogue_they_may_change(campaign):
    change_settings(campaign=campaign, changes={"cap_per": "dialogue", "turn_cap": 9}, at=timezone.now())
    assert Campaign.objects.get().turn_cap == 9


def test_a_ranking_rule_names_figures_that_the_rubric_gives(campaign):
    change_settings(campaign=campaign, changes={"ranking_rule": ("fluency", "completion")}, at=timezone.now())
    assert Campaign.objects.get().ranking_rule == ["fluency", "completion"]
    # Ranks and statistics are of the rule, also where nothing but imported records ranks.
    assert Campaign.objects.get().scores_version == campaign.scores_version + 1
    with pytest.raises(NoSuchFigure, match="tea"):
        change_settings(
            campaign=campaign, changes={"ranking_rule": ("fluency", "tea"), "reply_deadline_s": 9}, at=timezone.now()
        )
    assert Campaign.objects.get().reply_deadline_s == 5


def test_numbers_that_are_none_have_a_word(campaign):
    change_settings(campaign=campaign, changes={"adjudicated_over": 2, "training_pass_percent": 80}, at=timezone.now())
    assert change_settings(campaign=campaign, changes={"adjudicated_over": "never"}, at=timezone.now()) == [
        SETTINGS["adjudicated_over"]
    ]
    stored = Campaign.objects.get()
    assert (stored.adjudicated_over, stored.training_pass_percent) == (None, 80)


@pytest.mark.parametrize(
    ("changes", "n_raised"),
    [
        ({"failed_turns": "charged"}, 1),
        ({"broken_dialogues": "left_out", "failed_turns": "charged"}, 1),
        ({"failed_turns": "free"}, 0),
        ({"is_announced": True}, 0),
    ],
)
def test_another_fault_policy_has_the_leaderboard_computed_anew(campaign, dialogue, changes, n_raised):
    before = Campaign.objects.get(pk=campaign.pk).scores_version
    change_settings(campaign=campaign, changes=changes, at=timezone.now())
    assert Campaign.objects.get(pk=campaign.pk).scores_version == before + n_raised
