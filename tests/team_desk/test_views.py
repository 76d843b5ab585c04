"""A team's pages: its own systems and nobody else's, secrets never, testers' words only once they are released."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone
from django.utils.html import strip_tags

from automatic_tasks.actions import load_tasks
from automatic_tasks.task_file import read_task_file
from campaigns.actions import send_back_bot
from campaigns.models import Campaign, Entry
from conformance.models import Check
from dialogues.turn_taking import EndReason
from participants.adapters import FIND_OUT
from participants.failures import FailureKind
from registration.actions import upload_package, write_agreement
from registration.models import Acceptance, PackageDownload
from team_desk.address_form import stored_fields
from tests.automatic_tasks.conftest import TASKS, content_of
from tests.dialogues.test_actions import Talk
from tests.team_desk.conftest import SAID, client_of

pytestmark = pytest.mark.django_db
TEAM = "/campaigns/small/team/"
BOT = {"name": "Own bot", "url": "https://bot.example.com/chat", "protocol": "huace/1", "secret": "s3cret-of-alpha"}


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


def page(client, address=TEAM):
    return client.get(address).content.decode()


def own(campaign):
    return f"{TEAM}bots/{campaign.entries.get(bot__team__name='Team Alpha').pk}/"


def test_a_system_is_registered_in_the_browser_and_seen_at_once(campaign, browser, participant):
    answer = browser.post(TEAM, BOT, follow=True)
    entry = Entry.objects.get(bot__name="Own bot")
    assert answer.redirect_chain == [(f"{TEAM}bots/{entry.pk}/", 302)]
    assert (entry.secret, entry.registered_by) == ("s3cret-of-alpha", participant)
    shown = page(browser)
    assert "Own bot" in shown
    assert "registered" in shown
    assert f">{entry.alias}<" not in shown.replace("\n", "").replace(" ", "")
    assert "s3cret" not in shown + answer.content.decode()
    assert "Stored. Type another one to replace it." in answer.content.decode()


def test_errors_stand_by_their_fields_what_was_typed_stays_but_no_secret(campaign, browser):
    typed = BOT | {"url": "http://10.0.0.8/", "protocol": "openai", "option-max_tokens": "many", "option-model": "m-7"}
    answer = browser.post(TEAM, typed)
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert "s3cret" not in shown
    assert 'value="http://10.0.0.8/"' in shown
    assert "must be a whole number" in shown
    shown = browser.post(TEAM, typed | {"option-max_tokens": "50"}).content.decode()
    assert "private network" in shown
    assert 'value="m-7"' in shown
    assert campaign.entries.count() == 1


def test_a_refused_url_stays_in_the_form_in_which_it_was_typed_where_the_protocol_is_to_be_found_out(campaign, browser):
    answer = browser.post(TEAM, BOT | {"url": "http://10.0.0.8/", "protocol": FIND_OUT})
    assert (answer.status_code, answer.templates[0].name) == (422, "team_desk/team.html")
    assert "The URL leads into a private network (10.0.0.8)" in answer.content.decode()


def test_the_row_of_a_system_says_what_its_last_check_found(campaign, browser, participant):
    assert "Not called yet" in page(browser)
    entry = campaign.entries.get(bot__team__name="Team Alpha")
    for minutes, verdict in ((2, "fail"), (1, "warn")):
        at = timezone.now() - timedelta(minutes=minutes)
        Check.objects.create(entry=entry, asked_at=at, state="done", verdict=verdict, protocol="huace/1")
    shown = page(browser)
    assert "passed with warnings" in shown
    assert "Not called yet" not in shown


def test_switches_are_stored_as_such_and_shown_again(campaign, browser):
    typed = {
        "name": "A",
        "url": "https://bot.example.com/",
        "protocol": "ollama",
        "option-whole": "1",
        "option-think": "low",
    }
    page = browser.post(TEAM, typed, follow=True).content.decode()
    entry = campaign.entries.get(bot__name="A")
    assert entry.options == {"whole": True, "think": "low"}
    assert 'name="option-whole" value="1" checked' in page
    assert '<option value="low" selected>' in page


def test_a_switch_that_a_file_says_is_off_is_not_ticked(campaign):
    entry = campaign.entries.get()
    entry.options = {"close": False}
    assert "option_close" not in stored_fields(entry)


def test_the_number_of_turns_at_a_time_is_typed_shown_and_refused_where_it_is_none(campaign, browser):
    typed = {"name": "A", "url": "https://bot.example.com/", "protocol": "huace/1", "parallel": "7"}
    page = browser.post(TEAM, typed | {"parallel": "none"})
    assert page.status_code == 422
    assert 'value="none"' in page.content.decode()
    page = browser.post(TEAM, typed, follow=True).content.decode()
    assert campaign.entries.get(bot__name="A").parallel == 7
    assert 'name="parallel"' in page
    assert 'value="7"' in page


def test_another_server_must_be_given_the_secret_again(campaign, browser):
    browser.post(TEAM, BOT)
    entry = Entry.objects.get(bot__name="Own bot")
    address = f"{TEAM}bots/{entry.pk}/"
    moved = {"url": "https://elsewhere.example.com/", "protocol": "huace/1"}
    answer = browser.post(address, moved)
    assert answer.status_code == 422
    assert "was given for another server" in answer.content.decode()
    browser.post(address, moved | {"no_secret": "1"})
    entry.refresh_from_db()
    assert (entry.url, entry.secret) == ("https://elsewhere.example.com/", "")


def test_a_team_takes_its_system_out_until_somebody_talked_to_it(campaign, browser, talk):
    answer = browser.post(own(campaign) + "withdraw/", {"because": "not ready"})
    field = answer.content.decode().split('value="not ready"')[1].split("</label>")[0]
    assert (answer.status_code, "ask the organizers to withdraw it" in field) == (409, True)
    browser.post(TEAM, BOT)
    entry = Entry.objects.get(bot__name="Own bot")
    browser.post(f"{TEAM}bots/{entry.pk}/withdraw/", {"because": "not ready"})
    entry.refresh_from_db()
    assert (entry.withdrawn_at is not None, entry.paused_because) == (True, "not ready")
    assert "Only an organizer can take it back." in page(browser, f"{TEAM}bots/{entry.pk}/")


def test_after_the_freeze_no_address_changes_but_a_system_may_leave(campaign, browser):
    browser.post(TEAM, BOT)
    entry = Entry.objects.get(bot__name="Own bot")
    campaign.frozen_at = timezone.now() - timedelta(hours=1)
    campaign.save()
    address = f"{TEAM}bots/{entry.pk}/"
    assert 'name="url"' not in page(browser) + page(browser, address)
    answer = browser.post(address, {"url": "https://bot.example.com/new", "protocol": "huace/1"})
    assert answer.status_code == 302
    assert "notice error" in browser.post(TEAM, BOT | {"name": "Another"}, follow=True).content.decode()
    entry.refresh_from_db()
    assert (entry.url, campaign.entries.count()) == (BOT["url"], 2)
    browser.post(address + "withdraw/")
    entry.refresh_from_db()
    assert entry.withdrawn_at is not None


def test_after_the_freeze_a_wrong_secret_is_named_and_unknown_options_of_a_file_stay(campaign, browser):
    Entry.objects.update(options={"of_another_version": 1}, url="https://bot.example.com/")
    Campaign.objects.update(frozen_at=timezone.now() - timedelta(hours=1))
    answer = browser.post(own(campaign), {"only_secret": "1", "secret": "two\nlines"})
    assert answer.status_code == 422
    assert "is sent in an HTTP header" in answer.content.decode()
    assert browser.post(own(campaign), {"only_secret": "1", "secret": "new-secret"}).status_code == 302
    entry = campaign.entries.get()
    assert (entry.secret, entry.options) == ("new-secret", {"of_another_version": 1})


def test_after_the_freeze_a_system_that_was_sent_back_is_changed_on_its_page(campaign, browser):
    browser.post(TEAM, BOT)
    entry = Entry.objects.get(bot__name="Own bot")
    Campaign.objects.update(frozen_at=timezone.now() - timedelta(hours=1))
    send_back_bot(entry=entry, because="Another server, please.", by=None, at=timezone.now())
    address = f"{TEAM}bots/{entry.pk}/"
    assert 'name="url"' in page(browser, address)
    browser.post(address, {"url": "https://bot.example.com/new", "protocol": "huace/1", "secret": "new"})
    entry.refresh_from_db()
    assert entry.url == "https://bot.example.com/new"
    Campaign.objects.update(ends_at=timezone.now() - timedelta(minutes=1))
    assert 'name="url"' not in page(browser, address)


def test_nothing_of_another_team_is_there(campaign, browser, other_entry, rival):
    foreign = f"{TEAM}bots/{other_entry.pk}/"
    assert browser.get(foreign).status_code == 404
    assert browser.post(foreign, {"url": "https://evil.example.com/"}).status_code == 404
    assert browser.post(foreign + "withdraw/").status_code == 404
    assert "Rival" not in page(browser)
    assert "Team Beta" not in page(browser)
    assert "Rival" in page(rival)
    assert rival.get(own(campaign)).status_code == 404


def test_a_failure_is_shown_with_evidence_and_without_the_testers_words(campaign, browser, talk):
    talk.fail(talk.send(text=SAID).asked, FailureKind.HTTP_5XX, status=502, evidence="<script>alert(1)</script>")
    shown = page(browser, own(campaign))
    for word in ("http_5xx", "HTTP 502", "&lt;script&gt;alert(1)", f"{len(SAID)} characters"):
        assert word in shown
    for hidden in (SAID, "机票和酒店", "Flight and hotel", "北京"):
        assert hidden not in shown, hidden


def test_transcripts_are_there_once_they_are_released_and_only_the_teams_own(campaign, browser, talk, rival):
    talk.answer(talk.send(text=SAID).asked, text="好的，几点出发？")
    talk.end(EndReason.GAVE_UP)
    address = f"{TEAM}dialogues/{talk.id}/"
    assert browser.get(address).status_code == 404
    assert str(talk.id) not in page(browser, own(campaign))
    campaign.releases_transcripts = True
    campaign.save()
    assert str(talk.id) in page(browser, own(campaign))
    shown = page(browser, address)
    assert SAID in shown
    assert "好的，几点出发？" in shown
    assert ">tester<" not in shown
    assert rival.get(address).status_code == 404


def test_an_open_dialogue_is_not_shown_even_where_transcripts_are_released(campaign, browser, talk):
    campaign.releases_transcripts = True
    campaign.save()
    talk.answer(talk.send(text=SAID).asked)
    assert browser.get(f"{TEAM}dialogues/{talk.id}/").status_code == 404


@pytest.fixture
def package(campaign, organizer):
    return upload_package(
        campaign=campaign,
        file_name='数据 "a".zip',
        content=ContentFile(b"data"),
        about="",
        by=organizer,
        at=timezone.now(),
    )


def test_before_the_agreement_there_is_no_form_and_no_data(campaign, browser, package, participant):
    write_agreement(campaign=campaign, text_zh="", text_en="For <b>us</b> only.", by=None, at=timezone.now())
    shown = page(browser)
    assert "For &lt;b&gt;us&lt;/b&gt; only." in shown
    assert 'name="secret"' not in shown
    file = f"{TEAM}packages/{package.pk}/"
    assert "Your team has to accept the agreement first." in browser.get(file, follow=True).content.decode()
    assert "Your team has to accept the agreement first." in browser.post(TEAM, BOT, follow=True).content.decode()
    assert not PackageDownload.objects.exists()
    browser.post(TEAM + "agreement/", {"version": "x"})
    assert not Acceptance.objects.exists()
    browser.post(TEAM + "agreement/", {"version": "1"})
    assert Acceptance.objects.get().person == participant
    assert 'name="secret"' in page(browser)
    assert browser.get(file).status_code == 200


def test_a_download_is_a_file_whatever_its_name_and_is_recorded(campaign, browser, package, organizer):
    answer = browser.get(f"{TEAM}packages/{package.pk}/")
    assert answer.getvalue() == b"data"
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment; filename*=utf-8''%E6%95%B0")
    client_of(organizer).get(f"{TEAM}packages/{package.pk}/")
    downloads = PackageDownload.objects.order_by("pk").values_list("person__username", "team__name")
    assert list(downloads) == [("participant", "Team Alpha"), ("organizer", None)]


def test_a_package_of_another_campaign_is_not_there(campaign, browser, package):
    assert browser.get(f"{TEAM}packages/{package.pk + 1}/").status_code == 404


def test_a_participant_without_a_team_is_told_so(campaign, browser, participant):
    campaign.team_members.all().delete()
    assert "You belong to no team in this campaign" in page(browser)
    assert browser.post(TEAM, BOT).status_code == 404


def test_each_task_says_until_when_it_accepts_runs(campaign, browser):
    load_tasks(file=read_task_file("tasks.toml", TASKS.encode()), content_of=content_of)
    campaign.ends_at = datetime(2030, 6, 1, 16, tzinfo=UTC)
    campaign.save()
    campaign.automatic_tasks.filter(key="quality").update(runs_until=datetime(2030, 4, 1, tzinfo=UTC))
    shown = strip_tags(page(browser))
    assert shown.count("Runs are accepted until 2030-04-01 08:00 (UTC+08:00).") == 1
    assert shown.count("Runs are accepted until 2030-06-02 00:00 (UTC+08:00).") == 2
