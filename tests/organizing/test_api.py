"""The table of metrics over the API: the same rules as the page of correlations."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaigns.models import Campaign
from organizing.models import MetricFile
from tests.organizing.test_meta_evaluation import NOW, TABLE

pytestmark = pytest.mark.django_db
PLACE = "/api/v1/campaigns/small/correlations/file/"


@pytest.fixture
def program(campaign, organizer):
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    return client


def send(client, content=TABLE):
    return client.post(PLACE, {"file": SimpleUploadedFile("m.csv", content)})


def test_a_table_of_metrics_is_stored_said_and_removed(program):
    assert program.get(PLACE).json() == {"name": None, "uploaded_at": None, "rows": None}
    stored = send(program)
    assert (stored.status_code, stored.json()["name"], stored.json()["rows"]) == (201, "m.csv", 6)
    assert program.get(PLACE).json() == stored.json()
    assert program.delete(PLACE).status_code == 204
    assert not MetricFile.objects.exists()


def test_a_table_with_problems_changes_nothing_and_lists_them(program):
    send(program)
    bad = send(program, b"system,F1\nA,good\nB,x\n")
    assert (bad.status_code, len(bad.json()["problems"])) == (422, 2)
    assert MetricFile.objects.get().name == "m.csv"
    assert program.post(PLACE, {}).json()["code"] == "no_file"


def test_what_is_over_takes_no_table(program):
    Campaign.objects.update(ends_at=NOW)
    assert send(program).status_code == 422
