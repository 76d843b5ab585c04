"""Records come in over the API, by the rules of the command."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaigns.models import Campaign
from leaderboards.models import ImportedRecord
from organizing import file_imports as reading
from tests.organizing.imports.test_reading import records
from tests.team_desk.conftest import client_of

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/campaigns/small/records/import/"


@pytest.fixture
def program(campaign, organizer):
    return client_of(organizer)


def send(client, content):
    return client.post(ADDRESS, {"file": SimpleUploadedFile("records.jsonl", content)})


def test_they_are_counted_new_once_and_the_same_file_again_changes_nothing(program, campaign):
    answer = send(program, records(1, 2))
    assert (answer.status_code, answer.json()) == (201, {"new": 2, "known": 0})
    before = list(Campaign.objects.values())
    assert send(program, records(1, 2)).json() == {"new": 0, "known": 2}
    assert list(Campaign.objects.values()) == before
    assert ImportedRecord.objects.count() == 2


def test_every_problem_has_its_place_and_nothing_is_stored(program):
    answer = send(program, records(1) + b'\n{"team": "T"}\nno json')
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_file")
    assert {problem["place"].partition(",")[0] for problem in answer.json()["problems"]} == {"line 2", "line 3"}
    assert not ImportedRecord.objects.exists()


def test_a_file_is_needed_and_not_too_long(program, monkeypatch):
    assert program.post(ADDRESS).json()["code"] == "no_file"
    monkeypatch.setattr(reading, "MOST_RECORDS", 1)
    answer = send(program, records(1, 2))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_many")


def test_a_field_that_there_is_not_is_named_and_nothing_is_stored(program):
    said = {"file": SimpleUploadedFile("records.jsonl", records(1)), "team": "T", "overwrite": "1"}
    answer = program.post(ADDRESS, said)
    assert (answer.status_code, set(answer.json()["fields"])) == (422, {"team", "overwrite"})
    assert not ImportedRecord.objects.exists()


def test_only_organizers_import(campaign, tester):
    assert send(client_of(tester), records(1)).status_code == 404
