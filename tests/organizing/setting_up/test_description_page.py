"""The organizers' form of a description, what everybody reads of it, and its API."""

import pytest
from django.utils import timezone

from campaigns.models import Campaign

pytestmark = pytest.mark.django_db
PAGE, CAMPAIGN, API = "/campaigns/small/description/", "/campaigns/small/", "/api/v1/campaigns/small/description/"


@pytest.fixture
def organizing(client, organizer):
    client.force_login(organizer)
    return client


def test_what_is_stored_stands_on_the_campaigns_page_as_markdown(organizing, campaign):
    sent = {"purpose_zh": "评测**对话**系统", "rules_en": "<b>no</b>", "based_on": "0", "act": "save"}
    assert organizing.post(PAGE, sent).status_code == 302
    page = organizing.get(CAMPAIGN).content.decode()
    assert "评测<strong>对话</strong>系统" in page
    assert "&lt;b&gt;no&lt;/b&gt;" in page
    assert "/campaigns/small/about/1/" in page


def test_a_preview_stores_nothing_and_keeps_what_was_typed(organizing, campaign):
    page = organizing.post(PAGE, {"purpose_zh": "*新*", "based_on": "0", "act": "preview"}).content.decode()
    assert "<em>新</em>" in page
    assert "*新*</textarea>" in page
    assert not campaign.descriptions.exists()


def test_an_older_form_overwrites_nothing_and_loses_nothing(organizing, campaign):
    organizing.post(PAGE, {"purpose_zh": "一", "based_on": "0"})
    answer = organizing.post(PAGE, {"purpose_zh": "二", "based_on": "0"})
    assert answer.status_code == 409
    assert "二</textarea>" in answer.content.decode()
    assert campaign.descriptions.get().purpose_zh == "一"


def test_every_version_can_be_read_by_who_sees_the_campaign(organizing, client, campaign):
    for number, text in enumerate(("一", "二")):
        organizing.post(PAGE, {"purpose_zh": text, "based_on": str(number)})
    client.logout()
    assert client.get("/campaigns/small/about/1/").status_code == 404
    Campaign.objects.update(is_announced=True)
    assert "<p>一</p>" in client.get("/campaigns/small/about/1/").content.decode()
    assert "<p>二</p>" in client.get(CAMPAIGN).content.decode()
    assert client.get("/campaigns/small/about/3/").status_code == 404
    assert client.get(PAGE).status_code == 302


def test_programs_read_all_and_organizers_write(organizing, campaign, tester):
    assert organizing.get(API).json() | {"parts": ""} == {"version": 0, "written_at": None, "parts": "", "versions": []}
    sent = {"purpose": {"zh": "一", "en": "One"}, "contact": "a@example.org", "based_on": 0}
    stored = organizing.patch(API, sent, content_type="application/json").json()
    assert stored["version"] == 1
    assert stored["parts"]["contact"] == {"zh": "a@example.org", "en": "a@example.org"}
    assert [one["version"] for one in stored["versions"]] == [1]
    assert organizing.patch(API, sent, content_type="application/json").status_code == 409
    campaign.descriptions.create(version=2, written_at=timezone.now())
    assert organizing.get(f"{API}1/").json()["parts"]["purpose"]["en"] == "One"
    organizing.force_login(tester)
    assert organizing.get(API).status_code == 200
    assert organizing.patch(API, sent, content_type="application/json").status_code == 404
