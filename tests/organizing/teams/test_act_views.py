"""One door for acts on a bot: done from three places, and where it is not possible nothing that was typed is lost."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import pause_bot, withdraw_bot
from campaigns.models import Campaign, Entry

ACTS = "/campaigns/small/teams/bots/act/"
TYPED = "Its server <is> moved to another hall."


@pytest.fixture
def browser(organizer):
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    return client


@pytest.fixture
def entry(campaign):
    return campaign.entries.get()


@pytest.mark.parametrize(
    ("back", "place"),
    [
        ("wall", "/campaigns/small/wall/"),
        ("coverage", "/campaigns/small/coverage/?chosen={alias}#chosen"),
        ("", "/campaigns/small/teams/bots/{pk}/"),
        ("https://evil.example/", "/campaigns/small/teams/bots/{pk}/"),
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


def typed_in(page: str) -> dict[str, str]:
    """What a browser sends of the form with the button "Take back", as it came."""
    (form,) = [
        part.split("</form>")[0] for part in page.split("<form")[1:] if 'value="resume"' in part.split("</form>")[0]
    ]
    fields = re.findall(r"<input\b[^>]*>", form)
    # As `POST.get` reads two fields of one name: the last one counts.
    return {
        re.search(r'name="(.*?)"', one)[1]: unescape((re.search(r'value="(.*?)"', one) or ("", ""))[1])
        for one in fields
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
