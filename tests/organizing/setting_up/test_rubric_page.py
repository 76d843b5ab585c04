"""The rubric in the browser and its twin: criteria and points are typed, drawn, stored as the next version, and fixed by dialogues."""

import re

import pytest

from accounts.models import Person
from campaigns.models import Campaign
from organizing.setting_up.rubric_form import form_of, rubric_of
from rubrics.actions import preset_of
from rubrics.models import Rubric
from tests.trail_tries.setting_up import RUBRIC_SAID, RUBRIC_TYPED

pytestmark = pytest.mark.django_db
PAGE, API = "/campaigns/small/rubric/", "/api/v1/campaigns/small/rubric/"


@pytest.fixture
def organizing(client, campaign, organizer):
    Person.objects.update(language="en")
    client.force_login(organizer)
    return client


def test_the_form_of_a_rubric_says_the_same_rubric(campaign):
    for rubric in Rubric.objects.prefetch_related("criteria__points"):
        assert rubric_of(form_of(preset_of(rubric)), rubric.key) == preset_of(rubric)


def test_what_is_saved_is_a_version_of_the_campaigns_own_and_the_presets_stays(organizing, campaign):
    before = campaign.rubric
    assert organizing.post(PAGE, RUBRIC_TYPED).status_code == 302
    changed = Campaign.objects.get()
    assert (changed.rubric.key, changed.rubric.version) == ("small", 1)
    assert (changed.rubric.name_zh, changed.rubric.criteria.get().scores()) == ("Own", [0, 1])
    assert changed.ranking_rule == ["completion", "mean_turns"], "what the rubric no longer gives ranks nothing"
    assert before.criteria.count() == 3
    organizing.post(PAGE, RUBRIC_TYPED | {"letter": ["X"]})
    assert str(Campaign.objects.get().rubric) == "small v2"


def test_what_is_wrong_stands_at_its_criterion_and_point_and_what_was_typed_stays(organizing):
    wrong = {"point_name": ["0", "0"], "point_of": ["0", "0"], "letter": [""]}
    answer = organizing.post(PAGE, RUBRIC_TYPED | wrong)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "0 already is a point of this scale" in page
    assert re.search(r"<details class=\"box criterion\" data-row open>", page)
    assert 'value="Ease"' in page
    assert Campaign.objects.get().rubric.key == "smp2018"


def test_without_a_script_rows_are_changed_by_the_server(organizing):
    def shown(act):
        page = organizing.post(PAGE, RUBRIC_TYPED | {"act": act}).content.decode()
        page = re.sub(r"<template.*?</template>", "", page, flags=re.DOTALL)
        return page.count('name="criterion"'), page.count('name="point_name"')

    assert shown("points.add.0") == (1, 3)
    assert shown("points.remove.0.1") == (1, 1)
    assert shown("criteria.add") == (2, 4)
    assert shown("criteria.remove.0") == (0, 0)
    assert shown("criteria.up.7") == shown("nothing") == (1, 2)


def test_the_form_of_reviewers_is_drawn_of_what_is_typed(organizing):
    half_done = {"point_name": ["−1", "x"], "point_zh": ["差", ""]}
    drawn = organizing.post(PAGE, RUBRIC_TYPED | half_done | {"act": "draw"}).content.decode()
    assert "Ease" in drawn
    assert "−1" in drawn
    assert "<html" not in drawn


def test_once_a_dialogue_is_open_the_rubric_stays(organizing, dialogue):
    page = organizing.get(PAGE).content.decode()
    assert "so it stays" in page
    assert organizing.post(PAGE, RUBRIC_TYPED).status_code == 409
    answer = organizing.put(API, {"rubric": RUBRIC_SAID}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "rubric_is_fixed")
    assert Campaign.objects.get().rubric.key == "smp2018"


def test_programs_change_it_by_the_same_rules(organizing):
    before = organizing.get(API).json()
    assert (before["key"], before["may_change"]) == ("smp2018", True)
    after = organizing.put(API, {"rubric": RUBRIC_SAID}, content_type="application/json").json()
    assert (after["key"], after["version"], after["rubric"]["criteria"][0]["key"]) == ("own", 1, "ease")
    wrong = organizing.put(API, {"rubric": RUBRIC_SAID | {"criteria": []}}, content_type="application/json")
    assert wrong.status_code == 422
    unknown = {"key": "own", "name": "Own", "criteria": [RUBRIC_SAID["criteria"][0] | {"skills": ["tea"]}]}
    assert organizing.put(API, {"rubric": unknown}, content_type="application/json").status_code == 422


def test_it_is_the_organizers_alone(client, tester):
    client.force_login(tester)
    assert client.get(PAGE).status_code == 404
    assert client.get(API).status_code == 404
