"""The API does what the pages do, by the same rules: applications, agreement, data, bots."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaigns.models import Entry
from participants.limits import REASON_LIMIT
from tests.registration.conftest import FORM, apply
from tests.team_desk.conftest import client_of

pytestmark = pytest.mark.django_db
API = "/api/v1/campaigns/small/"
BOT = {
    "name": "Own bot",
    "url": "https://bot.example.com/",
    "protocol": "openai",
    "secret": "s3cret",
    "options": {"model": "m"},
}


@pytest.fixture
def team(participant):
    return client_of(participant)


def post(client, path, body, status=200):
    return checked(client.post(API + path, body, content_type="application/json"), status)


def put(client, path, body, status=200):
    return checked(client.put(API + path, body, content_type="application/json"), status)


def delete(client, path, status=200):
    return checked(client.delete(API + path), status)


def get(client, path, status=200):
    return checked(client.get(API + path), status)


def checked(answer, status):
    assert answer.status_code == status, answer.content.decode()
    return answer.json() if answer.content else None


def test_a_team_gets_in_by_the_api_alone(campaign, browser, outsider):
    newcomer = client_of(outsider)
    get(newcomer, "application/", 404)
    post(newcomer, "application/", FORM, 404)
    campaign.takes_applications = True
    campaign.save()
    wrong = post(newcomer, "application/", FORM | {"contact": ""}, 422)
    assert (wrong["code"], set(wrong["fields"])) == ("invalid", {"contact"})
    made = post(newcomer, "application/", FORM, 201)
    assert post(newcomer, "application/", FORM, 409)["code"] == "waiting"
    (listed,) = get(browser, "teams/applications/")
    assert (listed["applicant"], listed["name"]) == ("outsider", {"zh": "北辰队", "en": "Polaris"})
    answer = f"teams/applications/{made['id']}/"
    assert post(browser, answer, {"act": "refuse"}, 409)["code"] == "no_reason"
    assert post(browser, answer, {"act": "approve"})["team"] == "北辰队"
    post(browser, "teams/agreement/", {"text_zh": "只用于评测。"}, 201)
    assert post(newcomer, "team/bots/", BOT, 409)["code"] == "not_agreed"
    assert get(newcomer, "team/")["agreement"]["accepted_by"] is None
    assert post(newcomer, "team/agreement/", {"version": 2}, 409)["code"] == "other_version"
    assert post(newcomer, "team/agreement/", {"version": "1"}, 422)["fields"].keys() == {"version"}
    assert post(newcomer, "team/agreement/", {"version": 1}, 201)["accepted_by"] == "outsider"
    bot = post(newcomer, "team/bots/", BOT, 201)
    assert (bot["state"], bot["has_secret"], bot["options"]) == ("registered", True, {"model": "m"})
    assert "s3cret" not in str(bot)
    assert "alias" not in bot
    assert [one["name"] for one in get(newcomer, "team/")["bots"]] == ["Own bot"]


def test_an_applicant_withdraws_by_the_api(campaign, outsider):
    campaign.takes_applications = True
    campaign.save()
    newcomer = client_of(outsider)
    post(newcomer, "application/", FORM, 201)
    assert delete(newcomer, "application/")["state"] == "withdrawn"
    delete(newcomer, "application/", 404)


def test_a_team_moves_its_bot_and_takes_it_out(campaign, team):
    bot = post(team, "team/bots/", BOT, 201)
    path = f"team/bots/{bot['id']}/"
    moved = {"url": "https://elsewhere.example.com/", "protocol": "rasa"}
    assert put(team, path, moved, 422)["fields"].keys() == {"secret"}
    assert put(team, path, moved | {"secret": "other"})["url"] == moved["url"]
    assert Entry.objects.get(pk=bot["id"]).secret == "other"
    assert get(team, path + "failures/") == []
    assert delete(team, path)["state"] == "withdrawn"
    assert delete(team, path, 409)["code"] == "withdrawn"
    assert put(team, path, moved | {"secret": ""}, 409)["code"] == "withdrawn"


def test_a_bot_of_another_team_is_not_there(campaign, team, other_entry):
    for path in (f"team/bots/{other_entry.pk}/", f"team/bots/{other_entry.pk}/failures/"):
        get(team, path, 404)
    put(team, f"team/bots/{other_entry.pk}/", {"url": "https://evil.example.com/"}, 404)
    delete(team, f"team/bots/{other_entry.pk}/", 404)
    get(team, "teams/", 404)


def test_an_organizer_enters_pauses_and_moves_a_bot(campaign, browser):
    made = post(browser, "teams/bots/", BOT | {"team": "Team Alpha"}, 201)
    stored = Entry.objects.get(pk=made["id"])
    assert (made["team"], made["key"], made["alias"]) == ("Team Alpha", stored.key, stored.alias)
    post(browser, "teams/bots/", BOT | {"team": "Nobody"}, 404)
    path = f"teams/bots/{made['id']}/"
    for said in ("", "x" * (REASON_LIMIT + 1)):
        assert post(browser, path, {"act": "pause", "because": said}, 409)["code"] == "no_reason"
    paused = post(browser, path, {"act": "pause", "because": "slow"})
    assert (paused["state"], paused["because"]) == ("paused", "slow")
    assert post(browser, path, {"act": "resume"}, 409)["detail"].startswith("Say why, in")
    assert post(browser, path, {"act": "resume", "because": "fast again"})["state"] == "registered"
    assert post(browser, path, {"act": "explode"}, 409)["code"] == "no_such_act"
    assert post(browser, path, {"act": "withdraw", "because": "gone"})["state"] == "withdrawn"
    assert post(browser, path, {"act": "pause", "because": "x"}, 409)["code"] == "withdrawn"
    (listed,) = get(browser, "teams/")
    assert [bot["state"] for bot in listed["bots"]] == ["registered", "withdrawn"]


def test_data_is_uploaded_downloaded_and_taken_back(campaign, browser, team):
    upload = {"file": SimpleUploadedFile("a.zip", b"data"), "about": "x"}
    made = checked(browser.post(API + "teams/data/", upload), 201)
    assert get(team, "team/")["packages"] == [made]
    answer = team.get(f"{API}team/packages/{made['id']}/")
    assert answer.getvalue() == b"data"
    (listed,) = get(browser, "teams/data/")
    assert [one["person"] for one in listed["downloads"]] == ["participant"]
    delete(browser, f"teams/data/{made['id']}/", 204)
    assert get(team, f"team/packages/{made['id']}/", 409)["code"] == "gone"
    assert checked(browser.post(API + "teams/data/", {"about": "x"}), 409)["code"] == "no_file"


def test_transcripts_are_listed_once_they_are_released(campaign, team, dialogue):
    assert get(team, "team/dialogues/") == []
    get(team, f"team/dialogues/{dialogue.pk}/", 404)


def test_a_misspelt_answer_refuses_nobody(campaign, browser, outsider):
    campaign.takes_applications = True
    campaign.save()
    application = apply(campaign, outsider)
    said = post(browser, f"teams/applications/{application.pk}/", {"act": "aprove", "because": "welcome"}, 400)
    assert list(said["fields"]) == ["act"]
    application.refresh_from_db()
    assert application.state == "waiting"
