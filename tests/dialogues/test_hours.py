"""Outside of a bot's hours or of a tester's shift no dialogue is opened, and lists say why and until when; what is open goes on."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone, translation

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import load_campaign
from campaigns.actions.hours import BadHours, change_hours
from campaigns.campaign_file.dumping import document_of, file_of
from campaigns.campaign_file.reader import read_campaign_file
from dialogues.actions import open_chosen_dialogue, open_dialogue
from dialogues.actions.opening import NotOffered, OffShift
from dialogues.pauses import bot_pause
from dialogues.queries import offered_to
from participants.adapters import PROTOCOLS
from reading.checking import BadFile
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
# A Tuesday on the clocks of the campaign.
NOON = datetime(2026, 12, 1, 12, tzinfo=ZoneInfo("Asia/Shanghai"))
EVENING = NOON + timedelta(hours=8)
OFFICE = "mon-fri 09:00-18:00"
PAGE, API = "/campaigns/small/people/hours/", "/api/v1/campaigns/small/people/hours/"


@pytest.fixture
def entry(campaign):
    return campaign.entries.get()


def opened(campaign, tester, at):
    return open_chosen_dialogue(
        campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(), at=at
    )


def set_hours(campaign, at=NOON, **said):
    return change_hours(campaign=campaign, bots=said.get("bots", {}), testers=said.get("testers", {}), by=None, at=at)


def test_a_bot_is_offered_in_its_hours_alone(campaign, tester, entry):
    set_hours(campaign, bots={entry.alias: OFFICE})
    assert list(offered_to(tester, campaign, NOON)) == [entry]
    assert not offered_to(tester, campaign, EVENING).exists()
    begun = opened(campaign, tester, NOON)
    with pytest.raises(NotOffered):
        opened(campaign, tester, EVENING)
    assert open_dialogue(assignment=begun.assignment, at=EVENING) == begun


def test_a_closed_bot_says_until_when(campaign, entry):
    set_hours(campaign, bots={entry.alias: OFFICE})
    entry.refresh_from_db()
    assert bot_pause(entry, campaign, NOON) is None
    with translation.override("en"):
        pause = bot_pause(entry, campaign, EVENING)
    assert pause.because == f"It is closed at this hour; it is open: {OFFICE}"
    assert pause.until == "until 2026-12-02 09:00 (UTC+08:00)"


def test_a_tester_opens_in_their_shift_alone(campaign, tester):
    set_hours(campaign, testers={"tester": OFFICE})
    begun = opened(campaign, tester, NOON)
    with pytest.raises(OffShift):
        opened(campaign, tester, EVENING)
    assert open_dialogue(assignment=begun.assignment, at=EVENING) == begun


def test_by_default_it_is_always(campaign, tester, entry):
    assert (entry.hours, campaign.roles.get(person=tester).hours) == ("", "")
    assert opened(campaign, tester, EVENING)


def test_the_list_says_when_the_next_shift_begins(campaign, tester, client):
    Person.objects.update(language="en")
    yesterday = timezone.localdate() - timedelta(days=1)
    tomorrow = timezone.localdate() + timedelta(days=1)
    client.force_login(tester)
    set_hours(campaign, timezone.now(), testers={"tester": f"{tomorrow + timedelta(days=1)} 09:00-18:00"})
    assert "Your next shift begins at" in client.get("/campaigns/small/testing/").content.decode()
    assert "Your next shift begins at" in client.get("/campaigns/small/").content.decode()
    set_hours(campaign, timezone.now(), testers={"tester": f"{yesterday - timedelta(days=1)} 09:00-18:00"})
    assert "Your shift is over" in client.get("/campaigns/small/testing/").content.decode()


def test_only_what_differs_is_stored_in_one_line(campaign, entry):
    assert set_hours(campaign, bots={entry.alias: OFFICE}, testers={"tester": ""}) == [f"bots.{entry.alias}"]
    assert set_hours(campaign, bots={entry.alias: f" {OFFICE} "}) == []
    line = TrailLine.objects.get(act="hours.changed")
    assert line.details == {"hours": {f"bots.{entry.alias}": OFFICE}}


def test_one_that_is_wrong_keeps_all_of_them(campaign, entry):
    with pytest.raises(BadHours) as bad:
        set_hours(campaign, bots={entry.alias: OFFICE, "Z0": ""}, testers={"tester": "at noon", "reviewer": ""})
    assert list(bad.value.wrong) == ["bots.Z0", "testers.tester", "testers.reviewer"]
    entry.refresh_from_db()
    assert entry.hours == ""


def test_the_page_and_its_twin(campaign, organizer, tester, entry):
    client = Client()
    client.force_login(organizer)
    assert client.post(PAGE, {f"bots.{entry.alias}": OFFICE, "testers.tester": "周末"}).status_code == 422
    assert client.post(PAGE, {f"bots.{entry.alias}": OFFICE, "testers.tester": ""}).status_code == 302
    assert OFFICE in client.get(PAGE).content.decode()
    said = {"time_zone": "Asia/Shanghai", "bots": {entry.alias: OFFICE}, "testers": {"tester": ""}}
    assert client.get(API).json() == said
    sent = {"testers": {"tester": "sat 10:00-12:00"}}
    assert client.patch(API, sent, content_type="application/json").json()["testers"] == sent["testers"]
    refused = client.patch(API, {"testers": {"tester": "soon"}}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "bad_hours")
    client.force_login(tester)
    assert client.get(PAGE).status_code == client.get(API).status_code == 404


def test_an_older_page_sets_back_nothing(campaign, organizer, tester, entry):
    """Each row says what was shown: rows left as they were change nothing, and one that another changed is not overwritten."""
    browser, bot, shift = Client(headers={"accept-language": "en"}), f"bots.{entry.alias}", "testers.tester"
    browser.force_login(organizer)
    shown = {bot: "", f"was.{bot}": "", shift: "", f"was.{shift}": ""}
    set_hours(campaign, bots={entry.alias: OFFICE})
    assert browser.post(PAGE, shown | {shift: "sat 09:00-12:00"}).status_code == 302
    entry.refresh_from_db()
    assert (entry.hours, campaign.roles.get(person=tester).hours) == (OFFICE, "sat 09:00-12:00")
    refused = browser.post(PAGE, shown | {bot: "sun 09:00-12:00", f"was.{shift}": "", shift: ""})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert f"Meanwhile somebody changed this to: {OFFICE}." in page
    assert f'name="was.{bot}" value="{OFFICE}"' in page
    assert f'name="{shift}"\n          value="sat 09:00-12:00"' in page, "what nobody touched is shown as it is stored"
    entry.refresh_from_db()
    assert entry.hours == OFFICE
    assert browser.post(PAGE, {bot: "sun 09:00-12:00", f"was.{bot}": OFFICE}).status_code == 302
    entry.refresh_from_db()
    assert entry.hours == "sun 09:00-12:00"


def test_the_file_says_them_and_who_is_not_named_stays(campaign):
    text = SMALL_CAMPAIGN + f'[hours]\nbots = {{a = "{OFFICE}"}}\n'
    set_hours(campaign, testers={"tester": "sat 10:00-12:00"})
    assert load_campaign(spec=spec_of(text))[1] == ["hours of a changed"]
    assert document_of(campaign, with_secrets=False)["hours"] == {
        "bots": {"a": OFFICE},
        "testers": {"tester": "sat 10:00-12:00"},
    }
    again = read_campaign_file("a.toml", file_of(campaign, "toml", with_secrets=True).encode(), PROTOCOLS)
    assert load_campaign(spec=again)[1] == []


def test_a_new_campaign_has_those_of_its_file(db):
    text = SMALL_CAMPAIGN + f'[hours]\nbots = {{a = "{OFFICE}"}}\ntesters = {{tester = "sat 10:00-12:00"}}\n'
    campaign, _changes = load_campaign(spec=spec_of(text))
    assert (campaign.entries.get().hours, campaign.roles.get(role="tester").hours) == (OFFICE, "sat 10:00-12:00")


def test_a_name_that_nobody_knows_is_a_problem_with_its_place(campaign):
    with pytest.raises(BadFile, match=r"\[hours\] bots z"):
        load_campaign(spec=spec_of(SMALL_CAMPAIGN + f'[hours]\nbots = {{z = "{OFFICE}"}}\n'))
