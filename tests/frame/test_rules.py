"""How systems are compared, in sentences."""

import pytest
from django.utils import translation

from campaigns.actions import load_campaign
from frame.rules import rules_of
from tests.conftest import SMALL_CAMPAIGN, spec_of


@pytest.mark.django_db
def test_the_rules_come_from_the_campaign(campaign):
    with translation.override("en"):
        said = dict(rules_of(campaign))
        assert said["Scenarios"] == "1 scenario; parts: Flight 1, Hotel 1"
        assert said["Turns"] == "At most 3 turns per part; an unfinished part is charged its cap."
        assert said["Scores"].startswith("Sa Satisfaction (−2 … 2); F Fluency")
        assert said["Ranking"] == "First by C, then by T, Sa, F, G; equal in all of them share a rank."
        campaign.cap_per, campaign.turn_cap = "dialogue", 10
        assert dict(rules_of(campaign))["Turns"] == "At most 10 turns per dialogue."
        assert said["One turn"] == "A turn is what the tester says together with the answer to it."
        campaign.turns_are = "utterances"
        assert dict(rules_of(campaign))["One turn"].startswith("Each utterance is a turn")


@pytest.mark.django_db
def test_what_failures_cost_is_what_the_campaign_set(campaign):
    with translation.override("en"):
        said = dict(rules_of(campaign))
        assert said["Failed turns"].startswith("A turn that the system fails to answer is not charged")
        assert said["Failed parts"].endswith("the part closes and counts as not finished.")
        campaign.failed_turns, campaign.broken_dialogues = "charged", "left_out"
        said = dict(rules_of(campaign))
        assert said["Failed turns"].endswith("is charged like an answered one.")
        assert said["Failed parts"].endswith("its dialogue is left out of the result.")


@pytest.mark.django_db
def test_labels_have_no_ends_and_one_key_has_no_second():
    text = SMALL_CAMPAIGN.replace('"smp2018"', '"ntcir14"').replace(", turn_cap = 3", "").replace(", turn_cap = 2", "")
    campaign, _ = load_campaign(spec=spec_of(text + '[ranking]\nkeys = ["satisfaction"]\n'))
    with translation.override("en"):
        said = dict(rules_of(campaign))
    assert said["Scores"].endswith("E Dialogue effectiveness (−2 … 2); N Nugget")
    assert said["Ranking"] == "By S; equal in it share a rank."


@pytest.mark.django_db
def test_a_campaign_of_records_says_nothing_about_turns(campaign):
    campaign.scenarios.all().delete()
    with translation.override("en"):
        assert [head for head, _ in rules_of(campaign)] == ["Scores", "Ranking", "Anonymity"]
