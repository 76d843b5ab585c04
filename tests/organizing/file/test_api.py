"""The campaign file over the API: the same rules as its page."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.conftest import SMALL_CAMPAIGN
from tests.organizing.file.test_views import WITHOUT_TESTER

pytestmark = pytest.mark.django_db
FILE = "/api/v1/campaigns/small/file/"


@pytest.fixture
def program(campaign, organizer):
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    return client


def send(client, text, **said):
    return client.post(FILE, {"file": SimpleUploadedFile("campaign.toml", text.encode())} | said)


def test_a_file_is_previewed_then_loaded_by_its_digest(program, campaign):
    seen = send(program, WITHOUT_TESTER).json()
    assert seen["changes"] == ["campaign: reply_deadline_s changed"]
    assert (seen["pruned"], seen["pruning_problems"]) == (None, [])
    seen = send(program, WITHOUT_TESTER, prunes="true").json()
    assert seen["changes"] == ["campaign: reply_deadline_s changed"]
    assert seen["pruned"]["changes"][1:] == ["person tester: role tester taken back"]
    campaign.refresh_from_db()
    assert campaign.reply_deadline_s == 5
    loaded = send(program, WITHOUT_TESTER, previewed=seen["pruned"]["digest"], prunes="true")
    assert loaded.status_code == 200
    assert not campaign.roles.filter(role="tester").exists()


def test_a_digest_of_something_else_is_a_conflict(program, campaign):
    answer = send(program, WITHOUT_TESTER, previewed="0" * 64)
    assert (answer.status_code, answer.json()["code"]) == (409, "preview_is_old")


def test_problems_are_listed_with_their_places(program):
    answer = send(program, SMALL_CAMPAIGN.replace("reply_deadline_s = 5", "reply_deadline_s = 0"))
    assert answer.status_code == 422
    assert [problem["place"] for problem in answer.json()["problems"]] == ["[campaign] reply_deadline_s"]


def test_the_file_is_given_as_toml_and_json(program):
    assert program.get(FILE).content.decode().startswith('[campaign]\nslug = "small"')
    assert program.get(f"{FILE}?as=json").json()["campaign"]["slug"] == "small"
    assert program.get(f"{FILE}?as=xml").status_code == 400
    assert program.post(FILE).status_code == 400
