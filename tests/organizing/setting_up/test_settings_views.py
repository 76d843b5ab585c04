"""The page of settings and its twin: only what differs is stored, each change is one line, errors stand beside the field."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.models import Campaign

pytestmark = pytest.mark.django_db
PAGE, API = "/campaigns/small/settings/", "/api/v1/campaigns/small/settings/"


@pytest.fixture
def organizing(client, organizer):
    client.force_login(organizer)
    return client


def lines():
    return TrailLine.objects.filter(act="settings.changed")


def patch(client, **said):
    return client.patch(API, said, content_type="application/json")


def test_every_setting_is_on_the_page(organizing):
    page = organizing.get(PAGE)
    rows = [row for subject in page.context["subjects"] for row in subject.rows]
    assert sorted(row.name for row in rows) == sorted(SETTINGS)
    assert page.content.decode().count('class="setting"') == len(SETTINGS)


def shown_rows(page):
    return {row.name for subject in page.context["subjects"] for row in subject.rows if row.applies}


def test_what_does_not_apply_is_hidden_and_not_read(organizing, campaign):
    Campaign.objects.update(free_choice=False, plan="full")
    assert {"quota", "turn_cap", "counted_reviews", "testers_per_cell"}.isdisjoint(shown_rows(organizing.get(PAGE)))
    assert organizing.post(PAGE, {"plan": "full", "quota": "no number", "turn_cap": "9"}).status_code == 302
    assert not lines().exists()
    refused = organizing.post(PAGE, {"plan": "quota", "quota": ""})
    assert refused.status_code == 422
    assert "quota" in shown_rows(refused)
    assert [one.label for one in refused.context["subjects"] if one.is_open][1:] == ["任务分配方式"]


def test_scores_count_that_are_given_where_only_one_side_gives_them(organizing):
    assert organizing.post(PAGE, {"reviewed_by": "panel", "counted_reviews": "self"}).status_code == 302
    assert Campaign.objects.get().counted_reviews == "panel"
    assert "reviewers_per_dialogue" in shown_rows(organizing.get(PAGE))


def test_only_what_differs_is_stored_in_one_line(organizing):
    same = {
        "reply_deadline_s": "5",
        "free_choice": "yes",
        "silence_limit_min": "90",
        "name_zh": "新名",
        "name_en": "Small",
    }
    assert organizing.post(PAGE, same).status_code == 302
    stored = Campaign.objects.get()
    assert (stored.silence_limit_min, stored.name_zh, stored.reply_deadline_s) == (90, "新名", 5)
    assert [one.split()[0] for one in lines().get().details["changes"]] == ["name", "silence_limit_min"]
    organizing.post(PAGE, same)
    assert lines().count() == 1


def test_a_wrong_field_changes_nothing_and_stays_typed(organizing):
    page = organizing.post(PAGE, {"reply_deadline_s": "500", "silence_limit_min": "90"})
    text = page.content.decode()
    assert (page.status_code, 'value="500"' in text, 'value="90"' in text) == (422, True, True)
    assert text.count('aria-invalid="true"') == 1
    assert Campaign.objects.get().silence_limit_min == 120
    assert not lines().exists()


def test_what_dialogues_fix_says_so_and_cannot_be_forged(organizing, dialogue):
    page = organizing.get(PAGE).content.decode()
    assert 'name="cap_per"' not in page
    assert organizing.post(PAGE, {"language": "en"}).status_code == 422
    assert Campaign.objects.get().language == "zh"


def test_the_ranking_rule_is_ordered_before_dialogues(organizing, campaign):
    rule = {f"ranking_rule_{place}": figure for place, figure in enumerate(["fluency", "", "completion"], start=1)}
    assert organizing.post(PAGE, rule).status_code == 302
    assert Campaign.objects.get().ranking_rule == ["fluency", "completion"]
    unknown = organizing.post(PAGE, {"ranking_rule_1": "tea"})
    assert unknown.status_code == 422
    assert Campaign.objects.get().ranking_rule == ["fluency", "completion"]


def test_what_is_over_is_read_only(organizing):
    Campaign.objects.update(ends_at=timezone.now() - timedelta(days=1))
    page = organizing.get(PAGE).content.decode()
    assert 'name="reply_deadline_s"' not in page
    assert organizing.post(PAGE, {"reply_deadline_s": "9"}).status_code == 409
    assert patch(organizing, reply_deadline_s=9).json()["code"] == "not_now"


def test_programs_change_settings_by_the_same_rules(organizing):
    answer = patch(organizing, reply_deadline_s=9, name={"zh": "新", "en": "New"}, adjudicated_over=2)
    assert answer.json()["reply_deadline_s"] == {"value": 9, "may_change": True}
    assert answer.json()["name"]["value"] == {"zh": "新", "en": "New"}
    assert organizing.get(API).json()["testing_until"]["may_change"] is False
    wrong = patch(organizing, reply_deadline_s=0, broken_dialogues="left_out", tea=1)
    assert sorted(wrong.json()["fields"]) == ["broken_dialogues", "reply_deadline_s", "tea"]
    assert list(patch(organizing, reviewed_by="panel").json()["fields"]) == ["counted_reviews"]
    assert lines().count() == 1


def test_it_is_the_organizers_alone(client, tester):
    client.force_login(tester)
    assert client.get(PAGE).status_code == 404
    assert patch(client, reply_deadline_s=9).status_code == 404
