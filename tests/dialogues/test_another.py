"""A tester whose system fails is offered something else: the next assignment in the drawn order, or another bot of their choice."""

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.actions import pause_bot
from campaigns.models import Assignment, Campaign, Entry
from dialogues.actions import NotOffered, open_dialogue
from dialogues.actions.opening import open_instead
from dialogues.models import Dialogue
from participants.models import Bot, Team

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_bots(campaign):
    for alias in ("N1", "N2"):
        bot = Bot.objects.create(team=Team.objects.get(), name=alias)
        Entry.objects.create(
            campaign=campaign,
            bot=bot,
            key=alias,
            alias=alias,
            protocol="huace/1",
            url="http://127.0.0.1:9/",
            origin="file",
        )
    return campaign


@pytest.fixture
def failing(dialogue, two_bots):
    """The dialogue of a tester who chooses among three bots."""
    return dialogue


def drawn(campaign, tester, *aliases):
    scenario = campaign.scenarios.get()
    return [
        Assignment.objects.create(
            campaign=campaign, tester=tester, entry=campaign.entries.get(alias=alias), scenario=scenario,
            repetition=position, position=position,
        )
        for position, alias in enumerate(aliases, start=1)
    ]  # fmt: skip


@pytest.fixture
def by_assignment(two_bots):
    Campaign.objects.update(free_choice=False)
    return Campaign.objects.get()


def instead(dialogue, tester):
    return open_instead(dialogue=dialogue, tester=tester, at=timezone.now())


def test_the_next_assignment_with_another_bot_is_opened_and_the_first_dialogue_stays_open(by_assignment, tester):
    first, _same, other, _last = drawn(by_assignment, tester, "N1", "N1", "N2", "N2")
    failing = open_dialogue(assignment=first, at=timezone.now())
    opened = instead(failing, tester)
    assert opened.assignment == other
    assert Dialogue.objects.get(pk=failing.pk).is_open


def test_a_bot_that_pauses_is_passed_over_and_the_same_bot_comes_last(by_assignment, tester):
    first, same, other = drawn(by_assignment, tester, "N1", "N1", "N2")
    failing = open_dialogue(assignment=first, at=timezone.now())
    pause_bot(entry=other.entry, because="slow", at=timezone.now())
    assert instead(failing, tester).assignment == same


def test_where_nothing_is_left_that_is_said(by_assignment, tester):
    (first,) = drawn(by_assignment, tester, "N1")
    with pytest.raises(NotOffered):
        instead(open_dialogue(assignment=first, at=timezone.now()), tester)


def test_where_testers_choose_the_bot_that_they_had_least_of_is_asked_about_the_same(failing, tester):
    assert instead(failing, tester).assignment.entry.alias == "N1"
    second = instead(failing, tester)
    # Nothing was said in the first one yet: with the other bot there is none.
    assert second.assignment.entry.alias == "N2"
    assert second.assignment.scenario == failing.assignment.scenario


def test_a_bot_without_the_report_that_the_campaign_demands_is_no_other_choice(failing, tester, client):
    Campaign.objects.update(green_report_hours=24)
    client.force_login(tester)
    assert not client.get(reverse("console", args=[failing.pk])).context["settings"]["hasAnother"]
    Entry.objects.filter(alias="N2").update(green_at=timezone.now())
    assert client.get(reverse("console", args=[failing.pk])).context["settings"]["hasAnother"]
    failing = Dialogue.objects.select_related("assignment__campaign").get(pk=failing.pk)
    assert instead(failing, tester).assignment.entry.alias == "N2"


def test_the_page_and_the_api_lead_to_the_same(failing, tester, client):
    client.force_login(tester)
    assert client.get(reverse("console", args=[failing.pk])).context["settings"]["hasAnother"]
    page = client.post(reverse("open-another", args=[failing.pk]))
    opened = Dialogue.objects.latest("opened_at")
    assert page.url == reverse("console", args=[opened.pk])
    answer = client.post("/api/v1/dialogues/", {"instead_of": str(failing.pk)}, content_type="application/json")
    assert answer.status_code == 201
    assert answer.json()["id"] not in {str(failing.pk), str(opened.pk)}


def test_nobody_opens_something_instead_of_another_persons_dialogue(failing, outsider, client):
    client.force_login(outsider)
    assert client.post(reverse("open-another", args=[failing.pk])).status_code == 404
