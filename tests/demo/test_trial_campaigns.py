"""The demo's organizer may try the whole way of a new campaign: marked, and not more of them than fit."""

from copy import deepcopy

import pytest
from django.urls import reverse

from accounts.models import Person
from campaigns.models import Campaign, Role
from demo import trial_campaigns

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/new/"
SENT = {"start": "msde", "slug": "fresh", "name_zh": "新评测", "name_en": "New one"}


@pytest.fixture
def its_organizer(settings, client):
    settings.ROOT_URLCONF = "tests.demo.demo_urls"
    person, _ = Person.objects.get_or_create(username="organizer")
    client.force_login(person)
    return person


def make(client, slug="fresh"):
    return client.post(PAGE, SENT | {"slug": slug})


def test_the_page_is_the_one_of_staff_and_its_campaign_is_marked(its_organizer, client):
    assert "msde" in client.get(PAGE).content.decode()
    made = client.post(PAGE, SENT, follow=True)
    campaign = Campaign.objects.get()
    assert made.redirect_chain == [("/campaigns/trial-fresh/", 302)]
    assert (campaign.name_zh, campaign.name_en) == ("试办：新评测", "Trial: New one")
    assert campaign.roles.get().role == Role.ORGANIZER
    assert not campaign.is_public


def test_its_teams_page_invites_a_team_and_names_a_system_to_register(its_organizer, client, settings):
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["OPTIONS"]["context_processors"].append("demo.context.demo")
    settings.TEMPLATES = templates
    make(client)
    client.get("/campaigns/trial-fresh/")
    page = client.get("/campaigns/trial-fresh/teams/").content.decode()
    assert "系统由参赛队登记" in page
    assert f'{reverse("invitations", args=["trial-fresh"])}?role=participant">邀请参赛队' in page
    assert "http://127.0.0.1:8101/" in page


def test_what_is_wrong_stands_in_the_form_as_it_was_typed(its_organizer, client):
    make(client)
    again = make(client)
    assert (again.status_code, Campaign.objects.count()) == (422, 1)
    assert 'value="fresh"' in again.content.decode()


def test_the_oldest_makes_room(its_organizer, client, monkeypatch):
    monkeypatch.setattr(trial_campaigns, "MOST", 2)
    for slug in ("first", "second", "third"):
        make(client, slug)
    assert set(Campaign.objects.values_list("slug", flat=True)) == {"trial-second", "trial-third"}


def test_a_campaign_that_is_no_trial_stays(its_organizer, client, campaign, monkeypatch):
    monkeypatch.setattr(trial_campaigns, "MOST", 1)
    make(client, "first")
    make(client, "second")
    assert set(Campaign.objects.values_list("slug", flat=True)) == {"small", "trial-second"}


def test_others_of_the_demo_find_no_page(its_organizer, client, tester):
    client.force_login(tester)
    assert client.get(PAGE).status_code == 404
    assert make(client).status_code == 404
    client.logout()
    assert client.get(PAGE).status_code == 302
