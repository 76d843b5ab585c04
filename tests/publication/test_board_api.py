"""Exports over the API: files for organizers who hold a token."""

import json

import pytest
from rest_framework.test import APIClient

from accounts.models import ApiToken
from leaderboards.exports import EXPORTS
from leaderboards.table_files import FORMATS

pytestmark = pytest.mark.django_db


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
