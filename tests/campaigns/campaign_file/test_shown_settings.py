"""The organizer's page shows each setting in the reader's words, not in those of the file."""

import pytest
from django.utils import translation
from django.utils.html import escape

from campaigns.actions import load_campaign
from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.campaign_file.shown_settings import in_words, shown_settings
from campaigns.models import Campaign
from reading.kinds import Texts
from tests.conftest import SMALL_CAMPAIGN, spec_of


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"),
        (False, "no"),
        (None, "–"),
        ((), "–"),
        (("A", "B"), "A, B"),
        (Texts("甲", "A"), "甲 / A"),
        (30, "30"),
        ("", "–"),
        ({}, "–"),
        ({"chit-chat": 5, "knowledge": 3}, "chit-chat 5, knowledge 3"),
        ("{context}", "{context}"),
    ],
)
def test_a_value_is_shown_in_words(value, words):
    with translation.override("en"):
        assert in_words(value) == words


@pytest.mark.django_db
def test_the_page_of_settings_shows_every_one(client, campaign, organizer):
    client.force_login(organizer)
    with translation.override("en"):
        page = client.get("/campaigns/small/settings/", headers={"Accept-Language": "en"}).content.decode()
        assert len(shown_settings(campaign)) == len(SETTINGS)
        for setting in shown_settings(campaign):
            assert escape(setting.label) in page
            assert escape(setting.about) in page


def values_in(language: str, campaign: Campaign) -> dict[str, str]:
    with translation.override(language):
        return dict(zip(SETTINGS, [shown.value for shown in shown_settings(campaign)], strict=True))


def test_choices_have_words_and_figures_their_letters(campaign):
    shown = values_in("en", campaign)
    assert (shown["preset"], shown["language"], shown["cap_per"]) == ("SMP2018-ECDT Task 2", "Chinese", "subtask")
    assert (shown["plan"], shown["reviewed_by"], shown["counted_reviews"]) == ("full", "its tester", "the tester's")
    assert (shown["adjudicated_over"], shown["training_pass_percent"]) == ("never", "no training")
    assert shown["ranking_rule"] == "C, T, Sa, F, G"


def test_on_a_chinese_page_no_choice_is_shown_raw(campaign):
    shown = values_in("zh-hans", campaign)
    assert shown["preset"] == "SMP2018-ECDT 任务二"
    for name, setting in SETTINGS.items():
        if setting.words:
            assert setting.words.keys() >= set(setting.stored_choices), name
            assert shown[name] not in setting.words, name


def test_a_preset_that_is_no_longer_shipped_is_named_by_its_key(campaign):
    campaign.preset = "gone"
    assert values_in("en", campaign)["preset"] == "gone"


@pytest.mark.django_db
def test_a_quota_names_skill_and_number():
    text = SMALL_CAMPAIGN.replace('"smp2018"', '"msde"').replace(", turn_cap = 3", "").replace(", turn_cap = 2", "")
    campaign, _ = load_campaign(spec=spec_of(text))
    assert values_in("en", campaign)["quota"] == "chit-chat 10, knowledge 10, persona 10, recommendation 10"
