"""The page and the API of the wall."""

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.models import Campaign
from dialogues.actions.announcing import make_announcement
from operating.trail_acts import BACKED_UP
from tests.dialogues.test_actions import Talk
from tests.test_page_queries import add_dialogues

pytestmark = pytest.mark.django_db
PAGE, API = "/campaigns/small/wall/", "/api/v1/campaigns/small/wall/"


def stated(answer):
    found = re.search(r'<script id="page-state" type="application/json">(.*?)</script>', answer.content.decode())
    return json.loads(found[1])


def test_the_page_holds_the_state_so_that_it_is_painted_before_the_socket_opens(client, organizer, dialogue):
    client.force_login(organizer)
    answer = client.get(PAGE)
    state = stated(answer)
    assert list(state["sections"]["dialogues"]) == [str(dialogue.pk)]
    assert state["titles"] == {"flight-then-hotel": "机票和酒店"}
    assert state["needs"] == []


def test_a_program_reads_the_same_state(client, organizer, dialogue):
    client.force_login(organizer)
    read, page = client.get(API).json(), stated(client.get(PAGE))
    for name in ("dialogues", "testers", "figures"):
        assert read["sections"][name] == page["sections"][name]
    assert set(read) == {"at", "sections", "titles", "needs"}


@pytest.mark.parametrize("path", [PAGE, API])
@pytest.mark.parametrize("who", ["tester", "reviewer", "participant"])
def test_only_its_organizers_find_it(client, campaign, path, who):
    client.force_login(Person.objects.get(username=who))
    assert client.get(path).status_code == 404


def test_a_bot_is_paused_from_the_wall_and_one_is_back_there(client, organizer, campaign):
    client.force_login(organizer)
    alias = campaign.entries.get().alias
    said = {"bot": alias, "act": "pause", "because": "It restarts.", "back": "wall"}
    answer = client.post("/campaigns/small/teams/bots/act/", said)
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    needs = stated(client.get(PAGE))["needs"]
    assert [need["key"] for need in needs] == [f"paused:{alias}"]
    assert needs[0]["url"] == f"/campaigns/small/coverage/?chosen={alias}"


def test_the_page_asks_no_more_often_for_more_of_everything(client, organizer, campaign):
    client.force_login(organizer)
    client.get(PAGE)  # notes the login
    counts = []
    for n in (4, 20):
        Campaign.objects.update(free_choice=True, reviewed_by="both")
        add_dialogues(campaign, n)
        Campaign.objects.update(free_choice=False)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(PAGE).status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 60


def test_a_bot_that_fails_needs_a_person(client, organizer, campaign, dialogue, admission):
    talk = Talk(dialogue, admission)
    talk.fail(talk.send().asked)
    for _ in range(2):
        talk.fail(talk.retry(1))
    client.force_login(organizer)
    state = stated(client.get(PAGE))
    alias = campaign.entries.get().alias
    assert [need["key"] for need in state["needs"]] == [f"failing:{alias}"]
    assert state["sections"]["figures"]["all"]["failing"] == [alias]
    assert state["at"] <= timezone.now().isoformat()


def test_an_announcement_is_taken_back_for_a_reason_alone_by_the_page_and_the_api(client, organizer, campaign):
    made = [
        make_announcement(campaign=campaign, by=organizer, zh="", en=text, until=None, at=timezone.now())
        for text in ("A rest", "A break")
    ]
    client.force_login(organizer)
    page, api = f"{PAGE}announcements/{made[0].pk}/take-back/", f"/api/v1/campaigns/small/announcements/{made[1].pk}/"
    client.post(page, {"because": " "})
    refused = client.delete(api, {"because": ""}, content_type="application/json")
    assert refused.status_code == 422
    assert campaign.announcements.standing(timezone.now()).count() == 2
    client.post(page, {"because": "over"})
    assert client.delete(api, {"because": "over"}, content_type="application/json").status_code == 204
    assert not campaign.announcements.standing(timezone.now()).exists()


def test_the_wall_says_when_everything_was_last_backed_up(client, organizer, campaign):
    client.force_login(organizer)
    assert "No backup was made yet." in client.get(PAGE, headers={"accept-language": "en"}).content.decode()
    now = timezone.now()
    for age, is_old in ((timedelta(hours=25), True), (timedelta(hours=1), False)):
        record(BACKED_UP, by=None, at=now - age, about="huace.zip", details={"bytes": 1})
        page = client.get(PAGE, headers={"accept-language": "en"}).content.decode()
        assert "Last backup" in page
        assert ("one per day should be made" in page) is is_old


@pytest.mark.parametrize(
    ("reviewed_by", "told"), [("self", "Dialogues scored"), ("panel", "Dialogues done"), ("both", "Dialogues scored")]
)
def test_where_panels_score_alone_no_dialogue_is_called_scored(client, organizer, campaign, reviewed_by, told):
    Campaign.objects.update(reviewed_by=reviewed_by)
    client.force_login(organizer)
    assert f"<dt>{told}</dt>" in client.get(PAGE, headers={"accept-language": "en"}).content.decode()
