"""What Ctrl+K leads to, for whom."""

import pytest
from django.utils import timezone, translation

from campaigns.models import Role, TeamMember
from frame.finding import found_for
from participants.models import Bot, Team

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def named(person, word, here="small"):
    return [(str(hit.kind), hit.name) for hit in found_for(person, word, here)]


def addresses(person, word, here="small"):
    return [hit.url for hit in found_for(person, word, here)]


def test_an_organizer_finds_pages_people_systems_and_dialogues(campaign, dialogue, organizer):
    entry = dialogue.assignment.entry
    assert ("Page", "Teams") in named(organizer, "teams")
    assert ("Page", "Invite people") in named(organizer, "invite")
    assert f"/campaigns/small/people/{dialogue.tester_id}/" in addresses(organizer, dialogue.tester.username)
    assert f"/campaigns/small/teams/bots/{entry.pk}/" in addresses(organizer, entry.bot.team.name)
    assert f"/campaigns/small/dialogues/{dialogue.pk}/" in addresses(organizer, str(dialogue.pk))


def test_a_tester_finds_their_own_dialogues_and_learns_of_no_team(campaign, dialogue, tester):
    entry = dialogue.assignment.entry
    assert addresses(tester, str(dialogue.pk)) == [f"/dialogues/{dialogue.pk}/"]
    assert addresses(tester, entry.alias) == [f"/dialogues/{dialogue.pk}/"]
    for word in (entry.bot.team.name, "Teams", "organizer"):
        assert addresses(tester, word) == [], word


def test_a_team_finds_its_own_systems_by_their_names_alone(campaign, dialogue, participant):
    entry = dialogue.assignment.entry
    rival = Bot.objects.create(team=Team.objects.create(name="Rivals"), name="rival-bot")
    campaign.entries.create(bot=rival, key="r", alias="R9", registered_at=timezone.now())
    assert addresses(participant, entry.bot.team.name) == [f"/campaigns/small/team/bots/{entry.pk}/"]
    for word in (entry.alias, "rival-bot", "R9", "Rivals", str(dialogue.pk)):
        assert addresses(participant, word) == []


def test_an_organizer_who_takes_part_finds_no_dialogue_that_is_closed_to_them(campaign, dialogue, organizer):
    assert addresses(organizer, str(dialogue.pk))
    team = dialogue.assignment.entry.bot.team
    TeamMember.objects.create(campaign=campaign, team=team, person=organizer)
    assert addresses(organizer, str(dialogue.pk)) == []


def test_an_outsider_finds_pages_of_their_own_account_alone(campaign, dialogue, outsider):
    assert ("Campaign", campaign.name) not in named(outsider, "")
    assert named(outsider, "password") == [("Page", "Password")]
    assert named(outsider, "teams") == []
    assert campaign.roles.filter(person=outsider, role=Role.ORGANIZER).count() == 0


def test_the_page_lists_what_was_found_and_says_where_nothing_was(client, organizer, campaign):
    client.force_login(organizer)
    page = client.get("/find/", {"q": "teams", "in": "small"}, headers={"accept-language": "en"}).content.decode()
    assert 'href="/campaigns/small/teams/"' in page
    assert (
        "Nothing that you may open"
        in client.get("/find/", {"q": "zzz"}, headers={"accept-language": "en"}).content.decode()
    )
    assert client.get("/find/", {"q": "x" * 5000}).status_code == 200
