"""What a person sees and does is that of the teams they belong to now."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404
from django.test import Client
from django.utils import timezone

from automatic_tasks.access import run_for, run_of_own_team
from automatic_tasks.actions import register_service, score_baselines, submit_file_run
from automatic_tasks.models import Run
from campaigns.access import team_of
from campaigns.models import Role, TeamMember

pytestmark = [pytest.mark.django_db]
BASE = "/campaigns/small/tasks/"
API = "/api/v1/campaigns/small/tasks/"


@pytest.fixture
def run(quality, team, participant, good_run) -> Run:
    """A run that the participant handed in for the team that they belong to then."""
    return submit_file_run(
        task=quality, team=team, person=participant, content=good_run, file_name="r.json", at=timezone.now()
    )


@pytest.fixture
def moved(run, campaign, participant, other_team):
    """The participant, a member of another team since."""
    TeamMember.objects.filter(person=participant).delete()
    TeamMember.objects.create(campaign=campaign, person=participant, team=other_team)
    return participant


@pytest.fixture
def client(participant) -> Client:
    client = Client()
    client.force_login(participant)
    return client


def upload(content):
    return SimpleUploadedFile("run.json", content, content_type="application/json")


def test_who_moved_to_another_team_sees_no_run_of_the_old_one(run, campaign, moved, other_team, client):
    assert team_of(moved, campaign) == other_team
    for path in ("", "progress/", "file/"):
        assert client.get(f"/campaigns/small/runs/{run.pk}/{path}").status_code == 404
    assert client.get(f"/api/v1/campaigns/small/runs/{run.pk}/").status_code == 404
    assert client.get(f"{API}quality/runs/").json() == []
    for page in (BASE, f"{BASE}quality/"):
        body = client.get(page).content.decode()
        assert "Team Alpha" not in body
        assert str(run.pk) not in body


def test_who_moved_to_another_team_chooses_nothing_for_the_old_one(run, moved, client):
    assert client.post(f"/campaigns/small/runs/{run.pk}/choose/").status_code == 404
    run.refresh_from_db()
    assert not run.is_chosen


def test_a_form_for_the_old_team_hands_nothing_in_for_any_team(run, moved, tasks, client, good_run):
    form = {"team": run.team_id, "file": upload(good_run)}
    assert client.post(f"{BASE}quality/submit/", form).status_code == 404
    assert client.post(f"{API}quality/runs/", {"team": "Team Alpha", "file": upload(good_run)}).status_code == 400
    service = {"team": run.team_id, "url": "http://203.0.113.9/", "then": "run"}
    assert client.post(f"{BASE}intents/service/", service).status_code == 404
    assert list(Run.objects.all()) == [run]
    assert not tasks["intents"].services.exists()


def test_a_service_of_the_old_team_is_neither_shown_nor_started(run, moved, tasks, client, team):
    register_service(task=tasks["intents"], team=team, url="http://service.example.com/old-team")
    assert "old-team" not in client.get(f"{BASE}intents/").content.decode()
    for body in ({}, {"team": "Team Alpha"}):
        sent = client.post(f"{API}intents/runs/", json.dumps(body), content_type="application/json")
        assert sent.status_code == 400
    assert list(Run.objects.all()) == [run]


def test_who_belongs_to_no_team_any_more_sees_and_hands_in_nothing(run, participant, client, good_run):
    TeamMember.objects.filter(person=participant).delete()
    assert client.get(f"/campaigns/small/runs/{run.pk}/").status_code == 404
    assert client.get(f"{API}quality/runs/").json() == []
    assert client.post(f"{BASE}quality/submit/", {"file": upload(good_run)}).status_code == 400
    assert list(Run.objects.all()) == [run]
    assert [task["left"] for task in client.get(API).json()] == [None, None, None]


def test_baselines_are_not_the_runs_of_those_without_a_team(quality, participant, client):
    TeamMember.objects.filter(person=participant).delete()
    baseline, *_ = score_baselines(task=quality, person=None, at=timezone.now())
    assert client.get(f"{API}quality/runs/").json() == []
    assert client.get(f"/campaigns/small/runs/{baseline.pk}/").status_code == 404
    assert re.search(r'class="number hide-on-phone">\s*0\s*<', client.get(BASE).content.decode())


def test_the_page_sends_the_team_that_it_was_made_for(tasks, team, participant, client):
    for key in ("quality", "intents"):
        assert f'name="team" value="{team.pk}"' in client.get(f"{BASE}{key}/").content.decode()


def test_an_organizer_sees_every_run_and_chooses_for_their_own_team_only(run, organizer, other_team, campaign):
    campaign.roles.create(person=organizer, role=Role.PARTICIPANT)
    TeamMember.objects.create(campaign=campaign, person=organizer, team=other_team)
    assert run_for(organizer, campaign, run.pk) == run
    with pytest.raises(Http404):
        run_of_own_team(organizer, campaign, run.pk)
    client = Client()
    client.force_login(organizer)
    assert client.post(f"/campaigns/small/runs/{run.pk}/choose/").status_code == 404


def test_a_new_member_sees_and_chooses_what_others_handed_in(run, outsider, team, campaign):
    campaign.roles.create(person=outsider, role=Role.PARTICIPANT)
    TeamMember.objects.create(campaign=campaign, person=outsider, team=team)
    assert run_of_own_team(outsider, campaign, run.pk) == run
