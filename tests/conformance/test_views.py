"""Pages and API of the lab: a team sees and asks for checks of its own systems, an organizer of all."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import register_bot
from campaigns.models import Role, TeamMember
from conformance.actions import ask_check, claim_check, end_check, note_results
from conformance.models import Check
from conformance.results import Result, Verdict
from conformance.system_kinds import BOTS
from participants.adapters import ADAPTERS
from participants.bot_form import read_bot
from participants.models import Team
from reading.findings import Finding

API = "/api/v1/campaigns/small/"
PAGES = "/campaigns/small/"


def client_of(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


@pytest.fixture
def entry(campaign):
    """A system whose alias is found nowhere by chance: not in a drawing's path, not in a token."""
    campaign.entries.filter(key="a").update(alias="alias-of-a")
    return campaign.entries.select_related("campaign", "bot__team").get(key="a")


@pytest.fixture
def rival(campaign):
    """A participant of another team, with a system of its own."""
    team, person = Team.objects.create(name="Team Beta"), Person.objects.create_user("rival")
    campaign.roles.create(person=person, role=Role.PARTICIPANT)
    TeamMember.objects.create(campaign=campaign, team=team, person=person)
    form = read_bot({"name": "Rival", "url": "https://rival.example.com/"}, ADAPTERS)
    register_bot(campaign=campaign, team=team, form=form, by=None, at=timezone.now())
    return client_of(person)


FOUND = [
    Result("reachable", Verdict.PASS, Finding("", "The name resolves, and a connection opens."), "", 12),
    Result("schema", Verdict.FAIL, Finding("", "%(detail)s", {"detail": "<b>text</b> is missing"}), "curl -X 'x'", 3),
]


def done(entry):
    ask_check(BOTS, system=entry, by=None, at=timezone.now())
    check = claim_check(BOTS, worker="w", at=timezone.now())
    end_check(BOTS, check=check, worker="w", results=FOUND, at=timezone.now())
    return check


def test_a_team_asks_for_a_check_and_follows_it(entry, participant):
    browser = client_of(participant)
    answer = browser.post(f"{PAGES}bots/{entry.pk}/checks/")
    check = Check.objects.get()
    assert answer["Location"] == f"{PAGES}checks/{check.pk}/"
    page = browser.get(answer["Location"]).content.decode()
    assert 'id="report" data-follows' in page
    assert '<meta http-equiv="refresh"' in page
    claim_check(BOTS, worker="w", at=timezone.now())
    note_results(check=check, worker="w", results=FOUND[:1], at=timezone.now())
    document = browser.get(f"{API}checks/{check.pk}/").json()
    assert (document["state"], document["done"], document["total"], document["is_over"]) == ("running", 1, 26, False)
    assert document["probes"][0]["title"] == "Reachable"


def test_the_report_says_what_failed_first_and_what_to_do(entry, participant):
    check = done(entry)
    page = client_of(participant).get(f"{PAGES}checks/{check.pk}/").content.decode()
    assert page.index("Shape") < page.index("Reachable")
    assert "Compare the answer with the example of the protocol" in page
    assert "curl -X &#x27;x&#x27;" in page
    assert "&lt;b&gt;text&lt;/b&gt; is missing" in page
    assert entry.alias not in page


def test_the_api_starts_reads_and_lists_checks(entry, participant):
    browser = client_of(participant)
    asked = browser.post(f"{API}bots/{entry.pk}/checks/", "{}", content_type="application/json")
    assert asked.status_code == 201
    again = browser.post(f"{API}bots/{entry.pk}/checks/", "{}", content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "checking")
    (listed,) = browser.get(f"{API}bots/{entry.pk}/checks/").json()
    assert (listed["id"], listed["state"], listed["verdict"]) == (asked.json()["id"], "queued", "")
    assert browser.get(f"{API}bots/{entry.pk}/fingerprints/").json() == []


def test_another_team_finds_nothing(entry, rival):
    check = done(entry)
    for address in (f"{PAGES}checks/{check.pk}/", f"{PAGES}bots/{entry.pk}/checks/", f"{API}checks/{check.pk}/"):
        assert rival.get(address).status_code == 404
    assert rival.post(f"{PAGES}bots/{entry.pk}/checks/").status_code == 404
    assert rival.post(f"{API}bots/{entry.pk}/checks/", "{}", content_type="application/json").status_code == 404
    assert Check.objects.count() == 1


def test_an_organizer_sees_the_checks_of_all(entry, organizer, rival):
    check = done(entry)
    browser = client_of(organizer)
    assert entry.alias in browser.get(f"{PAGES}checks/{check.pk}/").content.decode()
    other = entry.campaign.entries.get(bot__name="Rival")
    assert browser.get(f"{PAGES}bots/{other.pk}/checks/").status_code == 200


def test_the_badge_is_open_to_everybody_and_names_nobody(entry, client):
    check = done(entry)
    answer = client.get(f"/checks/{check.pk}/badge.svg")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    shown = answer.content.decode()
    assert "#b42318" in shown
    assert entry.alias not in shown
    assert "Alpha" not in shown
    assert "small" not in shown


def test_a_second_click_leads_to_the_check_that_runs(entry, participant):
    browser = client_of(participant)
    first = browser.post(f"{PAGES}bots/{entry.pk}/checks/")
    second = browser.post(f"{PAGES}bots/{entry.pk}/checks/")
    assert first["Location"] == second["Location"]


def test_the_systems_page_shows_the_latest_report_and_what_is_next(entry, participant):
    done(entry)
    page = client_of(participant).get(f"{PAGES}team/bots/{entry.pk}/").content.decode()
    assert "&lt;b&gt;text&lt;/b&gt; is missing" in page
    assert "1 probe passed" in page
    assert 'aria-current="step"' in page


@pytest.mark.parametrize("hours", [0, 24])
def test_the_demand_of_a_green_report_is_said_where_there_is_one(entry, participant, hours):
    entry.campaign.green_report_hours = hours
    entry.campaign.save()
    page = client_of(participant).get(f"{PAGES}team/bots/{entry.pk}/").content.decode()
    assert ("This system has none now." in page) is bool(hours)


def test_a_draft_is_submitted_and_admitted_in_the_browser(campaign, participant, organizer):
    campaign.admission = "organizer"
    campaign.save()
    team = client_of(participant)
    team.post(f"{PAGES}team/", {"name": "Own bot", "url": "https://own.example.com/", "protocol": "huace/1"})
    entry = campaign.entries.get(bot__name="Own bot")
    own, theirs = f"{PAGES}team/bots/{entry.pk}/", f"{PAGES}teams/bots/{entry.pk}/"
    assert "Submit for admission" in team.get(own).content.decode()
    team.post(own + "submit/")
    assert "Submit for admission" not in team.get(own).content.decode()
    boss = client_of(organizer)
    assert "Admit" in boss.get(theirs).content.decode()
    acts = f"{PAGES}teams/bots/act/"
    boss.post(acts, {"bot": entry.alias, "act": "admit"})
    entry.refresh_from_db()
    assert entry.draft_since is None
    boss.post(acts, {"bot": entry.alias, "act": "send_back", "because": "It answers in English."})
    assert "It answers in English." in team.get(own).content.decode()


def test_after_the_freeze_a_team_changes_its_secret_alone(campaign, entry, participant):
    campaign.frozen_at = timezone.now() - timezone.timedelta(hours=1)
    campaign.save()
    team, own = client_of(participant), f"{PAGES}team/bots/{entry.pk}/"
    page = team.get(own).content.decode()
    assert 'name="only_secret"' in page
    assert 'name="url"' not in page
    team.post(own, {"only_secret": "1", "secret": "another"})
    entry.refresh_from_db()
    assert entry.secret == "another"
    document = json.loads(team.get(f"{API}team/bots/{entry.pk}/").content)
    assert document["stage"] == "frozen"
