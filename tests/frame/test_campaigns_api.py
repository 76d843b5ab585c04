"""A program learns which campaigns are its person's, in which roles, and what is next there."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.actions import issue_token
from accounts.scopes import Scope
from campaigns.models import CampaignRole, Role

pytestmark = pytest.mark.django_db
OWN = "/api/v1/account/campaigns/"
ONE = "/api/v1/campaigns/small/"
ENGLISH = {"accept-language": "en"}


def client_of(person) -> Client:
    client = Client(headers=ENGLISH)
    if person:
        client.force_login(person)
    return client


def test_ones_own_campaigns_with_roles_and_what_is_next(campaign, tester):
    (row,) = client_of(tester).get(OWN).json()
    assert (row["slug"], row["name"], row["stage"]) == ("small", {"zh": "小评测", "en": "Small"}, "preparing")
    assert row["roles"] == [{"role": "tester", "paused_at": None, "because": ""}]
    assert [(step["title"], step["page"]) for step in row["steps"]] == [
        ("Open a dialogue", "/campaigns/small/testing/")
    ]
    at = timezone.now()
    CampaignRole.objects.filter(person=tester).update(paused_at=at, paused_because="ill")
    (paused,) = client_of(tester).get(OWN).json()
    assert paused["roles"] == [{"role": "tester", "paused_at": at.isoformat(), "because": "ill"}]


def test_who_has_no_role_has_no_campaign_and_who_has_no_account_gets_nothing(campaign, outsider):
    assert client_of(outsider).get(OWN).json() == []
    assert client_of(None).get(OWN).status_code == 401


def test_a_narrowed_token_finds_the_role_that_it_is_for(campaign, tester):
    campaign.roles.create(person=tester, role=Role.REVIEWER)
    key = issue_token(person=tester, scope=Scope("reviewer", "small"))
    (row,) = Client(headers=ENGLISH | {"authorization": f"Token {key}"}).get(OWN).json()
    assert [one["role"] for one in row["roles"]] == ["reviewer"]


def test_one_campaign_says_where_it_stands_and_what_is_next(campaign, dialogue, tester, organizer):
    told = client_of(tester).get(ONE).json()
    assert (told["stage"], told["standing"]["open"], told["roles"]) == ("testing", 1, ["tester"])
    assert told["steps"][0]["page"] == f"/dialogues/{dialogue.pk}/"
    assert [rule["about"] for rule in told["rules"]][:2] == ["Scenarios", "Turns"]
    assert told["checklist"] == []
    missing = client_of(organizer).get(ONE).json()["checklist"]
    assert {"text": "No dates yet: everything is open at any time.", "page": "/campaigns/small/calendar/"} in missing


def test_outsiders_find_a_campaign_once_it_is_public(campaign, outsider):
    assert client_of(outsider).get(ONE).status_code == 404
    assert client_of(None).get("/api/v1/public-campaigns/").json() == []
    campaign.is_announced = True
    campaign.save()
    told = client_of(None).get(ONE).json()
    assert (told["is_public"], told["roles"], told["steps"], told["checklist"]) == (True, [], [], [])
    assert [row["slug"] for row in client_of(None).get("/api/v1/public-campaigns/").json()] == ["small"]
