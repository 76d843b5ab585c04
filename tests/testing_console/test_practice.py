"""What a tester practises with: nothing is stored, and every preset's scores have a reference on their own scale."""

import pytest
from django.utils.translation import override

from campaigns.models import Assignment
from campaigns.presets import PRESETS
from dialogues.models import Dialogue
from testing_console.practice import judged, practice_settings

PAGE = "/campaigns/small/testing/practice/"


@pytest.mark.django_db
def test_the_page_writes_no_row(client, campaign, tester):
    client.force_login(tester)
    page = client.get(PAGE)
    assert page.status_code == 200
    assert page.context["settings"]["practice"]["spoken"]["city"] == ("杭州",)
    assert not Dialogue.everything.exists()
    assert not Assignment.everything.exists()


@pytest.mark.django_db
def test_the_list_offers_it_first_to_who_is_new(client, campaign, dialogue, tester):
    client.force_login(tester)
    address = "/campaigns/small/testing/"
    assert not client.get(address).context["is_new_here"]
    Dialogue.objects.all().delete()
    listed = client.get(address)
    assert listed.context["is_new_here"]
    assert PAGE in listed.content.decode()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.key)
def test_each_scale_of_a_preset_that_needs_no_skill_has_a_judgement(preset, language):
    with override(language):
        for criterion in preset.rubric.criteria:
            if criterion.is_scale and not criterion.skills:
                assert judged(criterion.key).why


@pytest.mark.django_db
def test_references_are_points_of_the_scale(campaign):
    references = practice_settings(campaign.rubric)["references"]
    for criterion in campaign.rubric.criteria.all():
        assert references[criterion.key]["score"] in criterion.scores()
    assert {key: found["score"] for key, found in references.items()} == {
        "satisfaction": 1,
        "fluency": 1,
        "guidance": 1,
    }
