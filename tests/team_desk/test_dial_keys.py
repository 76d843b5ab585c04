"""The key of a system that connects itself, on its page, over the API and by command: shown once, then never again."""

import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaigns.actions import register_bot
from participants.adapters import ADAPTERS
from participants.bot_form import read_bot
from participants.models import Team
from registration.models import DialKey
from tests.team_desk.conftest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def entry(campaign):
    form = read_bot({"name": "Behind a wall", "protocol": "dial-out"}, ADAPTERS)
    team = Team.objects.get(name="Team Alpha")
    return register_bot(campaign=campaign, team=team, form=form, by=None, at=timezone.now())


def key_in(answer):
    return re.search(r'id="issued">(huace-bot-[\w-]+)<', answer.content.decode())


@pytest.mark.parametrize(("who", "place"), [("participant", "team"), ("organizer", "teams")])
def test_the_key_is_shown_once_and_revoked_on_the_page(entry, participant, organizer, who, place):
    client = client_of({"participant": participant, "organizer": organizer}[who])
    page = f"/campaigns/small/{place}/bots/{entry.pk}/"
    shown = client.get(page).content.decode()
    assert "It has no key" in shown
    assert "ws://testserver/ws/bots/" in shown
    key = key_in(client.post(f"{page}key/", {"act": "make"}))[1]
    assert DialKey.objects.count() == 1
    again = client.get(page)
    assert key not in again.content.decode()
    assert "not connected" in again.content.decode()
    assert "is revoked" in client.post(f"{page}key/", {"act": "revoke"}, follow=True).content.decode()
    assert not DialKey.objects.exists()
    assert "has no key" in client.post(f"{page}key/", {"act": "revoke"}, follow=True).content.decode()


def test_the_page_says_since_when_it_is_connected_and_when_it_was_last(entry, browser):
    browser.post(f"/campaigns/small/team/bots/{entry.pk}/key/", {"act": "make"})
    now = timezone.now()
    DialKey.objects.update(connected_at=now, seen_at=now, connection="c")
    page = browser.get(f"/campaigns/small/team/bots/{entry.pk}/").content.decode()
    assert "not connected" not in page
    DialKey.objects.update(left_at=now)
    assert "last seen" in browser.get(f"/campaigns/small/team/bots/{entry.pk}/").content.decode()


def test_a_system_that_is_called_has_no_connection(campaign, browser):
    called = campaign.entries.get()
    page = f"/campaigns/small/team/bots/{called.pk}/"
    assert 'id="key"' not in browser.get(page).content.decode()
    answer = browser.post(f"{page}key/", {"act": "make"}, follow=True)
    assert "Only systems with the protocol dial-out have a key" in answer.content.decode()


def test_the_api_gives_the_key_once_and_says_how_the_connection_stands(entry, browser):
    address = f"/api/v1/campaigns/small/team/bots/{entry.pk}/"
    assert browser.get(address).json()["state"] == "no_key"
    made = browser.post(f"{address}key/", {}, content_type="application/json")
    assert (made.status_code, made.json()["key"][:10]) == (201, "huace-bot-")
    now = timezone.now()
    DialKey.objects.update(connected_at=now, seen_at=now - timedelta(minutes=1), connection="c")
    said = browser.get(address).json()
    assert (said["url"], said["protocol"], said["state"]) == ("", "dial-out", "registered")
    assert (said["connection"]["is_connected"], said["connection"]["connected_at"]) == (False, None)
    assert said["connection"]["last_seen_at"] is not None
    assert made.json()["key"] not in str(said)
    assert browser.delete(f"{address}key/").status_code == 204
    refused = browser.delete(f"{address}key/")
    assert (refused.status_code, refused.json()["code"]) == (409, "no_key")


def test_nobody_makes_a_key_for_another_teams_system(entry, rival):
    assert rival.post(f"/campaigns/small/team/bots/{entry.pk}/key/", {"act": "make"}).status_code == 404
    answer = rival.post(f"/api/v1/campaigns/small/team/bots/{entry.pk}/key/", {}, content_type="application/json")
    assert answer.status_code == 404
    assert not DialKey.objects.exists()


def test_the_command_prints_the_key_and_revokes_it(entry, capsys):
    call_command("dial_key", "small", entry.key)
    assert capsys.readouterr().out.startswith("huace-bot-")
    call_command("dial_key", "small", entry.key, "--revoke")
    assert not DialKey.objects.exists()
    for wrong in (["small", "nobody"], ["nowhere", entry.key], ["small", "a"], ["small", entry.key, "--revoke"]):
        with pytest.raises(CommandError):
            call_command("dial_key", *wrong)
