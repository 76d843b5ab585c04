"""Opening dialogues by REST and the goal card: testers name aliases; keys are for organizers; fields are read strictly."""

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from accounts.models import Person
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


@pytest.mark.parametrize("value", ["5", "５", 5.0, True, 0, 2**31, None, [5]])
def test_an_assignment_is_a_json_whole_number(tester, value):
    answer = client_of(tester).post("/api/v1/dialogues/", {"assignment": value}, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["assignment"])


@pytest.mark.parametrize("value", ["5", 5, None, "6e2b7a30-3d43-4c5c-8a3b-59d6a6f1b2c", ["x"]])
def test_what_is_opened_instead_of_a_dialogue_names_it_by_its_id(tester, value):
    answer = client_of(tester).post("/api/v1/dialogues/", {"instead_of": value}, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["instead_of"])


def test_a_wrong_field_is_named_in_the_readers_language(tester):
    body = {"campaign": "small", "bot": 5, "scenario": "s"}
    said = [
        client_of(tester)
        .post("/api/v1/dialogues/", body, format="json", headers={"accept-language": language})
        .json()["fields"]
        for language in ("en", "zh-hans")
    ]
    assert said == [{"bot": ["must be a text, not a number"]}, {"bot": ["必须是文本，不能是数字"]}]


def card_for(person, dialogue):
    return client_of(person).get(f"/api/v1/dialogues/{dialogue.pk}/card/")


def test_a_program_reads_what_a_tester_reads(dialogue, tester):
    card = card_for(tester, dialogue).json()
    assert card["title"] == {"zh": "机票和酒店", "en": "Flight and hotel"}
    assert card["opening"] == {"zh": "帮我订一张从北京到上海的飞机票", "en": ""}
    assert card["subtasks"] == [
        {"index": 1, "kind": "flight", "turn_cap": 3}, {"index": 2, "kind": "hotel", "turn_cap": 2},
    ]  # fmt: skip
    assert card["facts"]["flight"] == {"from": "北京", "to": "上海"}
    assert (card["scenario"], card["turn_cap"], card["items"]) == ("flight-then-hotel", None, [])


def test_it_tells_nothing_of_the_team(dialogue, tester):
    assert "Alpha" not in card_for(tester, dialogue).content.decode()


def test_the_card_of_another_tester_is_not_found(dialogue, campaign):
    other = Person.objects.create_user("other")
    campaign.roles.create(person=other, role="tester")
    assert card_for(other, dialogue).status_code == 404
