"""A name means a team of its own campaign. Another campaign asks for the team, whose members decide, and learns nothing before."""

import pytest
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from automatic_tasks.actions import load_tasks
from automatic_tasks.models import StoredFile
from automatic_tasks.task_file import read_task_file
from campaigns.actions import load_campaign
from campaigns.actions.entering import entry_of_imported
from campaigns.actions.teams import team_called
from campaigns.interests import may_judge
from campaigns.models import Campaign
from participants.models import Bot, Team
from registration.actions import (
    NotPossible,
    answer_team_request,
    approve_application,
    ask_team,
    withdraw_team_request,
)
from registration.actions.inviting import invite
from registration.invitation_lines import Invitee
from registration.models import TeamRequest
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.registration.conftest import apply
from tests.scoring.conftest import in_english
from tests.world import RUNS, client_of

__all__ = ["in_english"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

OTHER = SMALL_CAMPAIGN.replace('"small"', '"other"').replace('username = "', 'username = "other-')
WITHOUT_TEAMS = OTHER.replace('[[bots]]\nkey = "a"\nteam = "Team Alpha"\nurl = "http://127.0.0.1:9/"\n', "").replace(
    'team = "Team Alpha"\n', ""
)
TASKS = (
    'campaign = "other"\n[[tasks]]\nkey = "t"\ntype = "intent-classification"\nname = "x"\ngold = "gold.jsonl"\n'
    'services = [{team = "Team Alpha", url = "http://127.0.0.1:8104/x"}]\n'
)


@pytest.fixture
def other(campaign):
    """Another campaign, which knows no team yet."""
    made, _ = load_campaign(spec=spec_of(WITHOUT_TEAMS))
    return made


def alpha(campaign):
    return campaign.known_teams.get(name="Team Alpha").team


def ask(campaign, name="Team Alpha"):
    return ask_team(campaign=campaign, name=name, by=None, at=timezone.now())


def answer(request, team, person, *, accepts=True):
    answer_team_request(request=request, team=team, person=person, accepts=accepts, at=timezone.now())


def by_file(campaign):
    load_campaign(spec=spec_of(OTHER))
    return campaign.entries.get(key="a").bot.team


def by_member_of_the_file(campaign):
    load_campaign(
        spec=spec_of(WITHOUT_TEAMS.replace('username = "other-participant"', 'username = "p"\nteam = "Team Alpha"'))
    )
    return campaign.team_members.get(person__username="p").team


def by_invitation(campaign):
    line = Invitee(1, "li", "", ("participant",), "Team Alpha")
    (invited,) = invite(campaign=campaign, invitees=[line], by=None, at=timezone.now())
    return invited.invitation.team


def by_application(campaign):
    Campaign.objects.filter(pk=campaign.pk).update(takes_applications=True)
    applied = apply(campaign, Person.objects.create_user("applicant"), name_zh="Team Alpha")
    return approve_application(application=applied, by=None, at=timezone.now(), joins=True)


def by_records(campaign):
    return entry_of_imported(campaign, team_name="Team Alpha", bot_name="").bot.team


WAYS = [by_file, by_member_of_the_file, by_invitation, by_application, by_records]


@pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])
def test_a_typed_name_is_never_another_campaigns_team(campaign, other, way):
    team = way(other)
    assert (team.name, team == alpha(campaign)) == ("Team Alpha", False)
    assert not Bot.objects.filter(team=team, entries__campaign=campaign).exists()
    assert other.known_teams.get().is_owner


@pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])
def test_once_its_members_accept_the_name_means_their_team(campaign, other, participant, way):
    answer(ask(other), alpha(campaign), participant)
    assert way(other) == alpha(campaign)
    assert Team.objects.filter(name="Team Alpha").count() == 1


def test_a_service_of_a_task_file_is_of_the_campaigns_own_team(campaign, other):
    gold = (RUNS.parent / "intent-classification" / "gold.jsonl").read_bytes()
    load_tasks(file=read_task_file("tasks.toml", TASKS.encode()), content_of=lambda _path: gold)
    assert other.automatic_tasks.get().services.get().team != alpha(campaign)


def test_loading_the_file_again_makes_no_second_team(campaign, other):
    load_campaign(spec=spec_of(OTHER))
    assert load_campaign(spec=spec_of(OTHER))[1] == []
    assert Team.objects.filter(name="Team Alpha").count() == 2


def told(campaign):
    """All that the organizers of the campaign can read of its requests."""
    client = client_of(Person.objects.get(username="other-organizer"))
    lines = list(
        TrailLine.objects.of_campaign(campaign.slug).filter(act__startswith="team.").values_list("act", "person")
    )
    asked = [
        one | {"id": 0, "asked_at": "", "name": ""}
        for one in client.get("/api/v1/campaigns/other/teams/requests/").json()
    ]
    return asked, lines


def test_asking_tells_nothing_of_other_campaigns_teams(campaign, other, participant):
    client = client_of(Person.objects.get(username="other-organizer"))
    pages = []
    for name in ("Team Alpha", "Team Nowhere"):
        client.post("/campaigns/other/teams/requests/", {"name": name})
        pages.append(client.get("/campaigns/other/teams/").content.decode().count("/withdraw/"))
    assert pages == [1, 2]
    there, nowhere = TeamRequest.objects.get(name="Team Alpha"), TeamRequest.objects.get(name="Team Nowhere")
    before = told(other)
    answer(there, alpha(campaign), participant, accepts=False)
    assert told(other) == before
    assert there.state == nowhere.state == "waiting"


def test_members_see_who_asks_and_answer_on_page_and_api(campaign, other, participant, tester):
    asked = ask(other)
    client = client_of(participant)
    assert "小评测" in client.get("/campaigns/small/team/").content.decode()
    (seen,) = client.get("/api/v1/campaigns/small/team/requests/").json()
    assert (seen["id"], seen["campaign"]) == (asked.pk, "other")
    assert client_of(tester).get("/api/v1/campaigns/small/team/requests/").status_code == 404
    address = f"/api/v1/campaigns/small/team/requests/{asked.pk}/"
    assert client.post(address, {"accepts": True}, "application/json").status_code == 204
    assert client.post(address, {"accepts": True}, "application/json").status_code == 404
    (row,), _ = told(other)
    assert (row["state"], row["answered_by"]) == ("accepted", "participant")
    assert other.known_teams.get().team == alpha(campaign)


def test_nobody_answers_for_a_team_of_others(campaign, other, tester):
    asked = ask(other)
    with pytest.raises(NotPossible) as refused:
        answer(asked, alpha(campaign), tester)
    assert refused.value.code == "no_team"
    other.known_teams.create(team=Team.objects.create(name="Rival"), name="Rival")
    other.team_members.create(team=other.known_teams.get().team, person=tester)
    with pytest.raises(NotPossible) as refused:
        answer(asked, other.known_teams.get().team, tester)
    assert refused.value.code == "answered"
    assert "application" not in str(refused.value)


def test_a_new_team_of_the_name_ends_the_request(campaign, other, participant):
    asked = ask(other)
    own = team_called(other, "Team Alpha")
    asked.refresh_from_db()
    assert asked.state == "overtaken"
    with pytest.raises(NotPossible):
        answer(asked, alpha(campaign), participant)
    with pytest.raises(NotPossible) as refused:
        ask(other)
    assert refused.value.code == "known_here"
    assert own != alpha(campaign)


def test_a_request_is_withdrawn_also_accepted_until_the_team_takes_part(campaign, other, participant):
    asked = ask(other)
    with pytest.raises(NotPossible) as refused:
        ask(other)
    assert refused.value.code == "asked_already"
    answer(asked, alpha(campaign), participant)
    withdraw_team_request(request=asked, by=None, at=timezone.now())
    assert not other.known_teams.exists()
    again = ask(other)
    answer(again, alpha(campaign), participant)
    load_campaign(spec=spec_of(OTHER))
    with pytest.raises(NotPossible) as refused:
        withdraw_team_request(request=again, by=None, at=timezone.now())
    assert refused.value.code == "takes_part"


def test_no_stranger_gets_into_a_team_that_accepted_by_its_name_alone(campaign, other, participant):
    answer(ask(other), alpha(campaign), participant)
    Campaign.objects.filter(pk=other.pk).update(takes_applications=True)
    applied = apply(other, Person.objects.create_user("stranger"), name_zh="Team Alpha")
    with pytest.raises(NotPossible) as refused:
        approve_application(application=applied, by=None, at=timezone.now())
    assert refused.value.code == "team_exists"
    assert not other.team_members.exists()


@pytest.mark.parametrize("has", ["invitation", "service", "run", "quota"])
def test_an_accepted_team_with_anything_here_keeps_its_name(campaign, other, participant, has):
    asked, team, at = ask(other), alpha(campaign), timezone.now()
    answer(asked, team, participant)
    gold = StoredFile.objects.create(sha256="0" * 64, content=b"{}")
    task = other.automatic_tasks.create(
        key="t", type="smp2018-task1", name_zh="T", name_en="T", position=1, quota_total=9, quota_per_day=9, gold=gold
    )
    if has == "invitation":
        by_invitation(other)
    elif has == "service":
        task.services.create(team=team, url="http://127.0.0.1:9/")
    elif has == "run":
        task.runs.create(team=team, number=1, submitted_at=at)
    else:
        task.team_quotas.create(team=team, per_day=1, reason="why")
    with pytest.raises(NotPossible) as refused:
        withdraw_team_request(request=asked, by=None, at=at)
    assert refused.value.code == "takes_part"


def test_members_of_a_shared_team_test_its_systems_in_neither_campaign(campaign, other, participant):
    answer(ask(other), alpha(campaign), participant)
    load_campaign(spec=spec_of(OTHER))
    assert not may_judge(participant, other.entries.get().pk)
    assert may_judge(Person.objects.get(username="other-tester"), campaign.entries.get().pk)
