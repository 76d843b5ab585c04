"""A team practises with its own bot: in the real console, with its own people only, and in no list or figure."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, Person
from campaigns.actions import draw_assignments
from campaigns.campaign_file.dumping import scenario_document
from campaigns.models import Assignment, Campaign, Entry, Role, TeamMember
from dialogues.actions import NotOffered
from dialogues.actions.opening import open_practice
from dialogues.models import Attempt, Dialogue
from dialogues.progress import another_bot
from organizing.dialogues.failed import FailureFilters, failed_requests
from organizing.wall.needs_reading import NeedsOf
from participants.models import Bot, Team
from team_desk.own_bots import entries_of, own_bots
from testing_console.live.admission import SocketAdmission, no_longer_held
from testing_console.live.consumers import _welcome
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def scenario(campaign):
    """One to practise on, beside the one that testers talk about."""
    made = campaign.scenarios.create(key="try-out", position=9, title_en="Try out", is_practice=True)
    made.subtasks.create(position=1, kind="flight", turn_cap=5)
    return made


@pytest.fixture
def practised(campaign, scenario, participant):
    return open_practice(entry=campaign.entries.get(), scenario=scenario, person=participant, at=timezone.now())


@pytest.fixture
def another_team(campaign):
    """Somebody who takes part for another team."""
    person = Person.objects.create_user("rival")
    campaign.roles.create(person=person, role=Role.PARTICIPANT)
    TeamMember.objects.create(campaign=campaign, person=person, team=Team.objects.create(name="Rivals"))
    return person


def test_it_is_talked_in_like_any_dialogue_and_given_again_while_nothing_was_said(practised, participant):
    again = open_practice(
        entry=practised.assignment.entry, scenario=practised.assignment.scenario, person=participant, at=timezone.now()
    )
    assert again == practised
    talk = Talk(practised, Admitted(participant))
    assert talk.answer(talk.send().asked)
    assert Dialogue.everything.get().turns_used == 1


def test_a_draft_is_practised_with(practised, participant):
    Entry.objects.update(draft_since=timezone.now())
    talk = Talk(practised, Admitted(participant))
    talk.fail(talk.send().asked)
    assert talk.answer(talk.retry(1))


def test_no_list_count_or_figure_knows_of_it(practised, campaign, participant):
    assert (Dialogue.objects.count(), Dialogue.everything.count()) == (0, 1)
    assert (Assignment.objects.count(), campaign.assignments.count(), Assignment.everything.count()) == (0, 0, 1)
    assert not campaign.has_begun()
    # What is talked about already is not removed under it.
    assert practised.assignment.scenario.has_begun()
    assert practised.assignment.entry.has_begun()


def test_nobody_is_drawn_for_it_and_testers_are_not_offered_it(campaign, scenario, tester, client):
    Campaign.objects.update(free_choice=False)
    draw_assignments(campaign=Campaign.objects.get())
    assert {one.scenario.key for one in Assignment.objects.all()} == {"flight-then-hotel"}
    Campaign.objects.update(free_choice=True)
    client.force_login(tester)
    assert client.get("/api/v1/campaigns/small/choices/").json()["scenarios"] == ["flight-then-hotel"]
    asked = {"campaign": "small", "bot": Entry.objects.get().alias, "scenario": "try-out"}
    assert client.post("/api/v1/dialogues/", asked, content_type="application/json").status_code == 400


def test_another_teams_bot_and_a_hidden_scenario_are_never_practised(campaign, scenario, participant, another_team):
    entry, hidden = campaign.entries.get(), campaign.scenarios.get(key="flight-then-hotel")
    for who, about in ((another_team, scenario), (participant, hidden)):
        with pytest.raises(NotOffered):
            open_practice(entry=entry, scenario=about, person=who, at=timezone.now())


def test_its_socket_is_for_the_person_while_they_are_of_the_team(practised, participant, another_team):
    assert isinstance(_welcome(practised.pk, SocketAdmission(another_team.pk, token_digest="x"), 0), int)
    token, _key = ApiToken.objects.create(participant)
    there = SocketAdmission(participant.pk, token_digest=token.digest)
    assert not isinstance(_welcome(practised.pk, there, 0), int)
    assert there.proof(practised.assignment_id).answer()
    assert no_longer_held([(practised.pk, there)]) == set()
    TeamMember.objects.filter(person=participant).delete()
    assert not there.proof(practised.assignment_id).answer()
    assert isinstance(_welcome(practised.pk, there, 0), int)


def test_the_page_of_the_bot_leads_to_the_console_and_others_find_nothing(
    campaign, scenario, participant, another_team, client
):
    entry = campaign.entries.get()
    client.force_login(participant)
    assert "Try out" in client.get(reverse("own-bot", args=["small", entry.pk])).content.decode()
    page = client.post(reverse("begin-practice", args=["small", entry.pk]), {"scenario": "try-out"})
    console = client.get(page.url)
    assert console.status_code == 200
    assert console.context["settings"]["asksForScores"] is False
    assert console.context["settings"]["list"] == reverse("own-bot", args=["small", entry.pk])
    assert (
        client.post(reverse("begin-practice", args=["small", entry.pk]), {"scenario": "flight-then-hotel"}).status_code
        == 404
    )
    client.force_login(another_team)
    assert client.get(page.url).status_code == 404
    assert client.post(reverse("begin-practice", args=["small", entry.pk]), {"scenario": "try-out"}).status_code == 404


def test_a_program_of_the_team_practises_too(campaign, scenario, participant, another_team, client):
    address = f"/api/v1/campaigns/small/team/bots/{campaign.entries.get().pk}/practice/"
    client.force_login(participant)
    assert client.get(address).json() == ["try-out"]
    opened = client.post(address, {"scenario": "try-out"}, content_type="application/json")
    assert (opened.status_code, opened.json()["id"]) == (201, str(Dialogue.everything.get().pk))
    hidden = client.post(address, {"scenario": "flight-then-hotel"}, content_type="application/json")
    assert hidden.status_code == 400
    client.force_login(another_team)
    assert client.get(address).status_code == 404


def test_the_campaign_file_says_it(scenario):
    assert scenario_document(scenario)["practice"] is True


def test_its_failures_are_not_among_the_organizers(practised, campaign, participant, organizer):
    talk = Talk(practised, Admitted(participant))
    talk.fail(talk.send().asked)
    assert Attempt.objects.filter(outcome=Attempt.Outcome.FAILURE).exists()
    assert not failed_requests(campaign, FailureFilters(), organizer).exists()


def test_its_system_counts_nothing_of_it_for_organizers_and_team(practised, campaign, organizer, client):
    client.force_login(organizer)
    (entry,) = client.get("/campaigns/small/organize/").context["entries"]
    assert (entry.n_assigned, entry.n_done, entry.n_open, entry.n_void) == (0, 0, 0, 0)
    (own,) = own_bots(entries_of(Team.objects.get(name="Team Alpha"), campaign), timezone.now())
    assert own.entry.n_assigned == 0


@pytest.mark.parametrize("page", ["dialogues", "failures", "assignments"])
def test_its_person_is_no_tester_to_choose(practised, organizer, client, page):
    client.force_login(organizer)
    assert list(client.get(f"/campaigns/small/{page}/").context["choices"]["testers"]) == []


def test_a_system_that_was_practised_with_is_offered_like_any_other(practised, campaign, tester):
    Campaign.objects.update(free_choice=True)
    campaign.entries.update(alias="A1")
    for alias in ("B2", "C3"):
        bot = Bot.objects.create(team=Team.objects.get(name="Team Alpha"), name=alias)
        campaign.entries.create(bot=bot, key=alias, alias=alias, protocol="huace/1", url="http://127.0.0.1:9/")
    about = Dialogue(assignment=Assignment(entry=campaign.entries.get(alias="C3")))
    assert another_bot(Campaign.objects.get(), tester, about, timezone.now()).alias == "A1"


def test_what_the_plan_asks_for_is_undrawn_however_much_was_practised(practised, campaign):
    Campaign.objects.update(free_choice=False)
    (need,) = NeedsOf(campaign.pk).shown({"en"}, timezone.now(), {"bots": {}, "dialogues": {}})["en"]
    assert need["key"] == "undrawn"


def test_its_card_and_items_are_for_the_person_while_they_are_of_the_team(
    practised, participant, another_team, client, tester
):
    practised.assignment.scenario.items = ["a room"]
    practised.assignment.scenario.save()
    card, items = (f"/api/v1/dialogues/{practised.pk}/{name}/" for name in ("card", "items"))
    for stranger in (another_team, tester):
        client.force_login(stranger)
        assert {client.get(address).status_code for address in (card, items)} == {404}
    client.force_login(participant)
    assert client.get(card).json()["scenario"] == "try-out"
    ticked = client.patch(items, {"ticked": [0]}, content_type="application/json")
    assert (ticked.status_code, ticked.json()["ticked"]) == (200, [0])
    TeamMember.objects.filter(person=participant).delete()
    assert {client.get(address).status_code for address in (card, items)} == {404}


def is_hidden(page, mark):
    (tag,) = re.findall(rf"<button\b[^>]*\s{mark}[^>]*>", page)
    return "hidden" in tag.strip("<>").split()


def test_its_console_offers_neither_flags_nor_reports(dialogue, scenario, participant, tester, client):
    entry, at = dialogue.assignment.entry, timezone.now()
    practised = open_practice(entry=entry, scenario=scenario, person=participant, at=at)
    offered = {}
    for who, address in (
        (participant, f"/campaigns/small/team/practice/{practised.pk}/"),
        (tester, f"/dialogues/{dialogue.pk}/"),
    ):
        client.force_login(who)
        page = client.get(address)
        text = page.content.decode()
        offered[who.username] = {
            "takes reports": page.context["settings"]["takesReports"],
            "names the key": "<kbd>Alt</kbd><kbd>P</kbd>" in text,
            "reports": not is_hidden(text, 'id="report"'),
            "flags": not is_hidden(text, 'data-act="flag"'),
        }
    things = ("takes reports", "names the key", "reports", "flags")
    assert offered == {"participant": dict.fromkeys(things, False), "tester": dict.fromkeys(things, True)}
