"""The organizer's pages of teams: what waits since when, who takes part with what, and acts on bots by one route from three pages."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from audit.models import TrailLine
from campaigns.access import team_of
from campaigns.actions import pause_bot, withdraw_bot
from campaigns.models import Campaign, Entry
from participants.models import Team
from registration.actions import accept_agreement, download_package
from registration.models import Agreement, Application, DataPackage
from tests.registration.conftest import apply

pytestmark = pytest.mark.django_db
TEAMS = "/campaigns/small/teams/"
ACTS = f"{TEAMS}bots/act/"
TYPED = "Its server <is> moved to another hall."
BOT = {"team": "Team Alpha", "name": "Late bot", "url": "https://late.example.com/", "protocol": "rasa"}


@pytest.fixture
def application(campaign, outsider):
    campaign.takes_applications = True
    campaign.save()
    return apply(campaign, outsider)


def page(client, address=TEAMS):
    return client.get(address).content.decode()


def test_an_application_waits_since_a_time_and_is_approved(application, browser, outsider, organizer):
    shown = page(browser)
    for word in ("北辰队", "某大学", "polaris@example.org", "wang, li@example.org", "since <time "):
        assert word in shown
    browser.post(f"{TEAMS}applications/{application.pk}/", {"act": "approve"})
    assert team_of(outsider, application.campaign).name == "北辰队"
    assert Application.objects.get().answered_by == organizer
    assert "Applications waiting for you" not in page(browser)


def test_a_refusal_without_a_reason_is_none(application, browser):
    answer = browser.post(f"{TEAMS}applications/{application.pk}/", {"act": "refuse", "because": " "}, follow=True)
    assert "Say why, in at most" in answer.content.decode()
    assert Application.objects.get().state == "waiting"
    browser.post(f"{TEAMS}applications/{application.pk}/", {"act": "refuse", "because": "full"})
    assert Application.objects.get().because == "full"


def test_the_reason_of_a_refusal_that_comes_too_late_is_not_lost(application, browser):
    browser.post(f"{TEAMS}applications/{application.pk}/", {"act": "approve"})
    late = browser.post(f"{TEAMS}applications/{application.pk}/", {"act": "refuse", "because": "full <up>"})
    field = late.content.decode().split('value="full &lt;up&gt;"')[1].split("</label>")[0]
    assert (late.status_code, "answered already" in field) == (409, True)
    assert Application.objects.get().state == "approved"


def test_an_application_of_another_campaign_is_not_there(application, browser):
    assert browser.post(f"{TEAMS}applications/{application.pk + 1}/", {"act": "approve"}).status_code == 404


def test_teams_are_listed_with_members_systems_and_what_waits(campaign, browser, organizer):
    browser.post(TEAMS + "agreement/", {"text_zh": "只用于评测。", "text_en": ""})
    shown = page(browser)
    for word in ("Team Alpha", "participant", campaign.entries.get().alias, "agreement not accepted", "since <time "):
        assert word in shown
    team = Team.objects.get(name="Team Alpha")
    accept_agreement(campaign=campaign, team=team, person=organizer, version=1, at=timezone.now())
    assert "agreement 1" in page(browser)


def test_an_organizer_registers_a_system_for_a_team_of_the_campaign_only(campaign, browser, organizer):
    browser.post(TEAMS, BOT)
    entry = Entry.objects.get(bot__name="Late bot")
    assert (entry.bot.team.name, entry.protocol, entry.registered_by) == ("Team Alpha", "rasa", organizer)
    Team.objects.create(name="Elsewhere")
    assert browser.post(TEAMS, BOT | {"team": "Elsewhere"}).status_code == 404
    answer = browser.post(TEAMS, BOT | {"url": "http://localhost/"})
    assert answer.status_code == 422
    assert "private network" in answer.content.decode()


def test_a_systems_page_names_its_changes_and_pauses_it(campaign, browser):
    browser.post(TEAMS, BOT | {"secret": "s3cret"})
    entry = Entry.objects.get(bot__name="Late bot")
    address = f"{TEAMS}bots/{entry.pk}/"
    browser.post(address, {"url": "https://late.example.com/2", "protocol": "rasa"})
    change = {"bot": entry.alias, "act": "pause", "because": "too slow", "back": "team-bot"}
    answer = browser.post(ACTS, change)
    assert answer.headers["Location"] == address
    shown = page(browser, address)
    for word in ("registered the system", "changed the address of the system", "paused the system", "too slow"):
        assert word in shown
    assert "s3cret" not in shown
    acts = list(TrailLine.objects.filter(about=entry.alias).order_by("number").values_list("act", flat=True))
    assert acts == ["bot.registered", "bot.address_changed", "bot.paused"]


def test_the_agreement_has_versions_and_the_same_text_is_none(browser):
    browser.post(TEAMS + "agreement/", {"text_zh": "一\r\n二", "text_en": "One"})
    again = browser.post(TEAMS + "agreement/", {"text_zh": "一\n二", "text_en": "One"})
    assert again.status_code == 422
    browser.post(TEAMS + "agreement/", {"text_zh": "三", "text_en": ""})
    assert list(Agreement.objects.order_by("version").values_list("version", "text_zh")) == [(1, "一\n二"), (2, "三")]
    shown = page(browser, TEAMS + "agreement/")
    assert "version 2" in shown
    assert "accepted by 0 teams" in shown


def test_a_file_is_uploaded_listed_with_its_downloads_and_taken_back(campaign, browser, participant, settings):
    browser.post(TEAMS + "data/", {"file": SimpleUploadedFile("数据.zip", b"data"), "about": "训练集"})
    package = DataPackage.objects.get()
    assert (package.file_name, package.about) == ("数据.zip", "训练集")
    team = Team.objects.get(name="Team Alpha")
    download_package(package=package, person=participant, team=team, at=timezone.now())
    shown = page(browser, TEAMS + "data/")
    assert "数据.zip" in shown
    assert "participant" in shown
    browser.post(f"{TEAMS}data/{package.pk}/remove/")
    shown = page(browser, TEAMS + "data/")
    assert "Remove the file" not in shown
    assert "participant" in shown
    answer = browser.post(TEAMS + "data/", {"about": "nothing"})
    assert answer.status_code == 422
    assert "Choose a file." in answer.content.decode()


@pytest.fixture
def entry(campaign):
    return campaign.entries.get()


@pytest.mark.parametrize(
    ("back", "place"),
    [
        ("wall", "/campaigns/small/wall/"),
        ("coverage", "/campaigns/small/coverage/?chosen={alias}#chosen"),
        ("", TEAMS + "bots/{pk}/"),
        ("https://evil.example/", TEAMS + "bots/{pk}/"),
    ],
)
def test_whoever_acts_is_back_where_they_came_from(browser, entry, back, place):
    answer = browser.post(ACTS, {"bot": entry.alias, "act": "pause", "because": TYPED, "back": back})
    assert answer["Location"] == place.format(alias=entry.alias, pk=entry.pk)
    assert Entry.objects.get().paused_because == TYPED


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        ("pause", "was withdrawn: take it back first."),
        ("send_back", "was withdrawn: only an organizer can take it back."),
    ],
)
@pytest.mark.parametrize("back", ["wall", "coverage", ""])
def test_what_became_impossible_meanwhile_leaves_the_reason_in_its_field(browser, entry, act, sentence, back):
    withdraw_bot(entry=entry, because="the team asked", at=timezone.now())
    answer = browser.post(ACTS, {"bot": entry.alias, "act": act, "because": TYPED, "back": back})
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert shown.count('value="Its server &lt;is&gt; moved to another hall."') == 1
    assert (shown.count('aria-invalid="true"'), sentence in shown) == (1, True)
    assert (Entry.objects.get().paused_at, Entry.objects.get().draft_since) == (None, None)


def typed_in(page):
    """The fields of the form with the button "Take back", as a browser sends them."""
    (form,) = [form for form in re.findall(r"<form.*?</form>", page, re.DOTALL) if 'value="resume"' in form]
    # As `POST.get` reads two fields of one name: the last one counts.
    return {
        re.search(r'name="(.*?)"', one)[1]: unescape((re.search(r'value="(.*?)"', one) or ("", ""))[1])
        for one in re.findall(r"<input\b[^>]*>", form)
    }


def test_the_page_that_refused_sends_the_reason_that_it_shows(browser, entry):
    withdraw_bot(entry=entry, because="the team asked", at=timezone.now())
    refused = browser.post(ACTS, {"bot": entry.alias, "act": "pause", "because": TYPED}).content.decode()
    assert browser.post(ACTS, typed_in(refused) | {"act": "resume"}).status_code == 302
    (line,) = TrailLine.objects.filter(act="bot.resumed")
    assert line.because == TYPED


def test_a_resume_without_a_reason_asks_why_it_takes_part_again(browser, entry):
    pause_bot(entry=entry, because="slow", at=timezone.now())
    refused = browser.post(ACTS, {"bot": entry.alias, "act": "resume", "because": " "})
    label = refused.content.decode().split('aria-invalid="true"')[0].rpartition("<span>")[2].partition("</span>")[0]
    assert (refused.status_code, label) == (409, "Why it takes part again")


def test_after_the_end_of_the_campaign_it_says_so_beside_the_reason(browser, entry):
    Campaign.objects.update(ends_at=timezone.now() - timedelta(hours=1))
    answer = browser.post(ACTS, {"bot": entry.alias, "act": "pause", "because": TYPED})
    assert answer.status_code == 409
    assert "(UTC+08:00)" in answer.content.decode().split('aria-invalid="true"')[1]


def test_the_two_reasons_on_the_page_of_a_bot_have_names_of_their_own(browser, entry):
    shown = browser.get(f"/campaigns/small/teams/bots/{entry.pk}/").content.decode()
    labels = [part.split("</span>")[0].split("<span>")[1] for part in shown.split('<label class="field">')[1:]]
    reasons = [one for one in labels if one.startswith("Why")]
    assert sorted(reasons) == ["Why it pauses or is withdrawn", "Why you send it back"]
    assert "Reason" not in labels


def test_nobody_acts_on_the_bot_of_another_campaign_or_by_an_act_that_there_is_not(browser, entry):
    assert browser.post(ACTS, {"bot": "nobody", "act": "pause", "because": "x"}).status_code == 404
    assert browser.post(ACTS, {"bot": entry.alias, "act": "delete", "because": "x"}).status_code == 409
    assert Entry.objects.filter(pk=entry.pk, paused_at=None, withdrawn_at=None).exists()
