"""What programs read about publication: a freeze that failed is not one under way."""

import json
from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from accounts.models import ApiToken
from leaderboards.exports import EXPORTS
from leaderboards.table_files import FORMATS
from publication.actions.freezing import NOT_READY
from publication.models import FreezeOrder

pytestmark = pytest.mark.django_db
PATH = "/api/v1/campaigns/small/publication/"
AT = datetime(2026, 5, 17, 4, tzinfo=UTC)


@pytest.fixture
def signed_in(client, organizer):
    client.force_login(organizer)
    return client


@pytest.fixture
def order(scored):
    return FreezeOrder.objects.create(campaign=scored, asked_at=AT, next_at=AT, hides_teams=True)


def said(client, language="en"):
    answer = client.get(PATH, headers={"accept-language": language}).json()
    return answer["is_ordered"], answer["freeze"]


def test_nothing_is_ordered(scored, signed_in):
    assert said(signed_in) == (False, None)


def test_a_freeze_under_way_says_since_when(order, signed_in):
    running = {
        "state": "running",
        "board": None,
        "since": "2026-05-17T04:00:00+00:00",
        "began_at": None,
        "percent_done": None,
        "hides_teams": True,
        "failure": None,
    }
    assert said(signed_in) == (True, running)
    FreezeOrder.objects.update(began_at=AT, share_done=0.375)
    assert said(signed_in) == (True, running | {"began_at": running["since"], "percent_done": 37})
    FreezeOrder.objects.update(failure=NOT_READY)
    assert (said(signed_in)[1]["began_at"], said(signed_in)[1]["percent_done"]) == (None, None)


def test_a_freeze_that_failed_is_not_under_way_and_says_why_in_the_readers_language(order, signed_in):
    FreezeOrder.objects.update(failure=NOT_READY)
    is_ordered, freeze = said(signed_in)
    assert (is_ordered, freeze["state"], freeze["failure"]) == (False, "failed", NOT_READY)
    assert "必须" in said(signed_in, "zh-hans")[1]["failure"]


@pytest.fixture
def program(organizer):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {ApiToken.objects.create(organizer)[1]}")
    return client


@pytest.mark.parametrize("format", FORMATS)
def test_every_export_is_a_file_in_every_format(campaign, dialogue, program, format):
    for what in EXPORTS:
        answer = program.get(f"/api/v1/campaigns/small/exports/{what}.{format}")
        assert (answer.status_code, answer.streaming) == (200, True)
        assert answer.headers["Content-Type"] == FORMATS[format].content_type
        assert answer.headers["Content-Disposition"] == f'attachment; filename="small-{what}.{format}"'
        assert b"".join(answer) or (what, format) != ("dialogues", format)


def test_the_lines_are_those_of_the_export(campaign, dialogue, program):
    answer = program.get("/api/v1/campaigns/small/exports/dialogues.jsonl")
    (line,) = b"".join(answer).splitlines()
    assert json.loads(line)["dialogue"] == str(dialogue.pk)


@pytest.mark.parametrize("accepts", ["text/csv", "application/json", "*/*", "image/png"])
def test_the_address_says_the_format_and_not_what_is_accepted(campaign, program, accepts):
    answer = program.get("/api/v1/campaigns/small/exports/turns.csv", HTTP_ACCEPT=accepts)
    assert b"".join(answer).startswith(b"\xef\xbb\xbfdialogue,")


@pytest.mark.parametrize("name", ["secrets.csv", "turns.exe", "turns.json"])
def test_there_is_nothing_else(campaign, program, name):
    assert program.get(f"/api/v1/campaigns/small/exports/{name}").status_code == 404


def test_a_token_of_somebody_else_opens_nothing(campaign, tester):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {ApiToken.objects.create(tester)[1]}")
    assert client.get("/api/v1/campaigns/small/exports/turns.csv").status_code == 404
    assert APIClient().get("/api/v1/campaigns/small/exports/turns.csv").status_code == 401


def test_an_organizers_program_hears_how_the_columns_are_shown_and_that_nothing_is_missing(campaign, program):
    board = program.get("/api/v1/campaigns/small/leaderboard/").json()
    assert board["is_outdated"] is False
    assert board["columns"][:3] == [
        {"key": "completion", "head": "C", "better": "higher", "decimals": 3, "agreement": None},
        {"key": "mean_turns", "head": "T", "better": "lower", "decimals": 2, "agreement": None},
        {"key": "satisfaction", "head": "Sa", "better": "higher", "decimals": 3, "agreement": None},
    ]
    assert set(board["unranked"][0]) >= {column["key"] for column in board["columns"]}


def test_the_organizers_page_links_to_every_export_in_every_format(campaign, organizer, client):
    client.force_login(organizer)
    page = client.get("/campaigns/small/organize/").content.decode()
    for what in EXPORTS:
        for format in FORMATS:
            assert f'href="/campaigns/small/export/{what}.{format}"' in page, (what, format)
