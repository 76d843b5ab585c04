"""The inputs of a task are downloaded from the first moment for its runs on, by the calendar as it is then, and are never its gold."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from audit.models import TrailLine
from automatic_tasks.actions.storing import what_needs
from automatic_tasks.inputs import opens_at
from automatic_tasks.models import AutomaticTask
from registration.models import DataPackage
from tests.world import client_of as any_client_of

pytestmark = pytest.mark.django_db
API, PAGES = "/api/v1/campaigns/small/", "/campaigns/small/"


@pytest.fixture
def organizers(organizer):
    return client_of(organizer)


@pytest.fixture
def team(participant):
    return client_of(participant)


def client_of(person):
    client = any_client_of(person)
    client.cookies["django_language"] = "en"
    return client


def checked(answer, status=200):
    assert answer.status_code == status, answer.content
    return answer.json()


def upload(client, content=b"questions", task="quality"):
    return client.post(PAGES + "teams/data/", {"file": SimpleUploadedFile("inputs.jsonl", content), "task": task})


def later(task, **by):
    AutomaticTask.objects.filter(pk=task.pk).update(runs_from=timezone.now() + timedelta(**by))


def test_they_are_open_when_runs_are_and_not_before(quality, organizers, team):
    later(quality, days=2)
    upload(organizers)
    package = DataPackage.objects.get()
    file, shown = f"{PAGES}team/packages/{package.pk}/", f"{PAGES}tasks/quality/"
    assert "Runs of this task are accepted from" in team.get(file, follow=True).content.decode()
    assert checked(team.get(f"{API}team/packages/{package.pk}/"), 409)["code"] == "not_now"
    assert file not in team.get(shown).content.decode()
    assert organizers.get(file).getvalue() == b"questions"
    later(quality, days=-1)
    assert team.get(file).getvalue() == b"questions"
    assert file in team.get(shown).content.decode()
    assert "Inputs of the task" in team.get(shown).content.decode()


def test_the_api_names_them_with_their_date(quality, organizers, team):
    later(quality, days=2)
    said = {"file": SimpleUploadedFile("inputs.jsonl", b"questions"), "task": "quality"}
    made = checked(organizers.post(API + "teams/data/", said), 201)
    assert made["tasks"] == ["quality"]
    told = {one["key"]: one["inputs"] for one in checked(team.get(API + "tasks/"))}
    assert told["intents"] == []
    assert told["quality"] == [{name: made[name] for name in ("id", "file_name", "size", "sha256", "opens_at")}]
    assert told["quality"][0]["opens_at"] is not None
    assert checked(team.get(API + "team/"))["packages"][0]["tasks"] == ["quality"]


def test_the_gold_itself_is_refused_and_nothing_of_it_stays(quality, organizers):
    answer = upload(organizers, bytes(quality.gold.content))
    assert answer.status_code == 422
    assert "is the gold of the task quality" in answer.content.decode()
    assert not DataPackage.objects.exists()
    assert not TrailLine.objects.filter(act="package.uploaded").exists()


def test_a_task_of_another_name_is_refused(quality, organizers):
    assert "has no such automatic task" in upload(organizers, task="elsewhere").content.decode()
    assert not DataPackage.objects.exists()


def test_a_task_with_inputs_stays(quality, organizers):
    upload(organizers)
    assert what_needs(quality) == ("inputs",)


def test_packages_of_no_task_are_open_at_once(quality, organizers, team):
    upload(organizers, task="")
    package = DataPackage.objects.get()
    assert opens_at(package) is None
    assert team.get(f"{PAGES}team/packages/{package.pk}/").getvalue() == b"questions"


def test_inputs_of_a_task_that_is_not_opened_are_nobodys(quality, organizers, team):
    AutomaticTask.objects.update(is_open=False)
    quality.runs.all().delete()
    upload(organizers)
    file = f"{PAGES}team/packages/{DataPackage.objects.get().pk}/"
    assert "The organizers have not opened the task quality yet." in team.get(file, follow=True).content.decode()
    assert checked(team.get(f"/api/v1{file}"), 409)["code"] == "not_open"
    assert file not in team.get(f"{PAGES}tasks/quality/").content.decode()
    assert organizers.get(file).getvalue() == b"questions"
    # No date can be told, and null would say that they are open.
    assert {one["key"]: one["inputs"] for one in checked(team.get(API + "tasks/"))}["quality"] == []
    assert checked(team.get(API + "team/"))["packages"] == []
    assert checked(organizers.get(API + "teams/data/"))[0]["tasks"] == ["quality"]
