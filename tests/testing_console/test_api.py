"""Opening dialogues by REST: testers name aliases; keys are for organizers; bots without an address are not offered."""

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from campaigns.actions import pause_bot
from campaigns.models import Role
from participants.models import Bot, Team

pytestmark = pytest.mark.django_db


def client_of(person):
    client = APIClient()
    client.force_authenticate(person)
    return client


def open_with(person, bot):
    content = {"campaign": "small", "bot": bot, "scenario": "flight-then-hotel"}
    return client_of(person).post("/api/v1/dialogues/", content, format="json")


def test_a_tester_names_a_bot_by_its_alias(campaign, tester):
    assert open_with(tester, campaign.entries.get().alias).status_code == 201


def test_a_guessed_key_is_answered_like_an_unknown_alias(campaign, tester):
    guessed, unknown = open_with(tester, "a"), open_with(tester, "Z9")
    assert (guessed.status_code, guessed.json()) == (unknown.status_code, unknown.json())
    assert guessed.status_code == 400
    assert not campaign.assignments.exists()


def test_who_organizes_the_campaign_too_may_name_the_key(campaign, tester):
    campaign.roles.create(person=tester, role=Role.ORGANIZER)
    assert open_with(tester, "a").status_code == 201


def test_an_organizer_of_another_campaign_may_not_name_the_key(campaign, tester):
    other = type(campaign).objects.create(slug="other", rubric=campaign.rubric)
    other.roles.create(person=tester, role=Role.ORGANIZER)
    assert open_with(tester, "a").status_code == 400


def test_a_bot_without_an_address_is_not_offered_anywhere(campaign, tester, client):
    bot = Bot.objects.create(team=Team.objects.get(name="Team Alpha"), name="silent")
    campaign.entries.create(bot=bot, key="silent", alias="no-voice")
    alias = campaign.entries.get(key="a").alias
    assert open_with(tester, "no-voice").json() == open_with(tester, "nobody").json()
    assert client_of(tester).get("/api/v1/campaigns/small/choices/").json()["bots"] == [alias]
    client.force_login(tester)
    assert "no-voice" not in client.get("/campaigns/small/testing/").content.decode()
    answer = client.post("/campaigns/small/testing/open/", {"bot": "no-voice", "scenario": "flight-then-hotel"})
    assert answer.status_code == 404
    assert not campaign.assignments.exists()


def test_the_choices_of_a_tester_are_aliases_and_scenarios(campaign, tester):
    assert client_of(tester).get("/api/v1/campaigns/small/choices/").json() == {
        "bots": [campaign.entries.get().alias],
        "scenarios": ["flight-then-hotel"],
    }
    campaign.free_choice = False
    campaign.save()
    assert client_of(tester).get("/api/v1/campaigns/small/choices/").json() == {"bots": [], "scenarios": []}


def test_a_paused_assignment_says_why_since_when_and_until_when_and_tells_no_team(campaign, tester, dialogue):
    entry, at = campaign.entries.get(), datetime(2026, 5, 17, 12, tzinfo=UTC)
    campaign.assignments.create(tester=tester, entry=entry, scenario=campaign.scenarios.get(), repetition=9, position=9)
    pause_bot(entry=entry, because="Team Alpha moves", at=at)
    begun, paused = client_of(tester).get("/api/v1/assignments/", headers={"accept-language": "en"}).json()
    assert (begun["state"], begun["paused"]) == ("begun", None)
    assert (paused["state"], paused["paused"]) == (
        "paused",
        {
            "because": "██████████ moves",
            "since": "2026-05-17T12:00:00+00:00",
            "until": "until an organizer resumes it",
            "closes_at": None,
        },
    )
