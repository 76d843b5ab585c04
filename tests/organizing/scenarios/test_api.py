"""Scenarios over the API: the same rules as the pages."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from organizing.scenarios.examples import EXAMPLES, example_of

pytestmark = pytest.mark.django_db
PLACE = "/api/v1/campaigns/small/scenarios/"


@pytest.fixture
def program(campaign, organizer):
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    return client


def sent(client, method, address, document):
    return getattr(client, method)(address, json.dumps(document), content_type="application/json")


def test_a_scenario_is_added_changed_and_removed(program, campaign):
    made = sent(program, "post", PLACE, EXAMPLES[0])
    assert (made.status_code, made.json()["subtasks"]) == (201, [{"kind": "flight", "turn_cap": 20}])
    assert sent(program, "post", PLACE, EXAMPLES[0]).status_code == 409
    changed = sent(program, "put", f"{PLACE}one/case-01/", {"subtasks": [{"kind": "train", "turn_cap": 3}]})
    assert changed.json() == {"key": "case-01", "subtasks": [{"kind": "train", "turn_cap": 3}]}
    assert program.get(f"{PLACE}one/case-01/").json() == changed.json()
    assert [one["origin"] for one in program.get(PLACE).json()] == ["file", "page"]
    assert program.delete(f"{PLACE}one/case-01/").status_code == 204
    assert program.get(f"{PLACE}one/case-01/").status_code == 404


def test_problems_are_listed_with_their_fields(program):
    answer = sent(program, "post", PLACE, {"key": "own", "subtasks": [{"kind": "flight", "turn_cap": 0}], "colour": 1})
    assert answer.status_code == 422
    assert [one["place"] for one in answer.json()["problems"]] == ["colour", "subtasks[0].turn_cap"]


def test_what_dialogues_need_stays(program, dialogue):
    assert program.delete(f"{PLACE}one/flight-then-hotel/").json()["code"] == "is_needed"


def test_a_table_is_previewed_then_imported_by_its_digest(program, campaign):
    def table():
        return SimpleUploadedFile("cases.csv", example_of("csv"))

    seen = program.post(f"{PLACE}import/", {"file": table()}).json()
    assert seen["changes"] == ["scenario case-01 added", "scenario case-02 added"]
    assert program.post(f"{PLACE}import/", {"file": table(), "previewed": "x"}).status_code == 409
    assert program.post(f"{PLACE}import/", {"file": table(), "previewed": seen["digest"]}).status_code == 200
    assert campaign.scenarios.count() == 3
    assert program.post(f"{PLACE}import/").status_code == 400


def test_the_card_is_what_a_tester_reads_of_a_dialogue_about_it(program, campaign, dialogue, tester):
    card = program.get(f"{PLACE}one/flight-then-hotel/card/").json()
    reader = Client()
    reader.force_login(tester)
    read = reader.get(f"/api/v1/dialogues/{dialogue.pk}/card/").json()
    assert card == {name: value for name, value in read.items() if name not in {"dialogue", "bot"}}
    assert program.get(f"{PLACE}one/nothing/card/").status_code == 404


@pytest.mark.parametrize("format", ["csv", "xlsx", "json", "jsonl"])
def test_an_example_of_a_table_is_the_one_of_the_page(program, format):
    example = program.get(f"{PLACE}example/{format}/")
    assert example.content == program.get(f"/campaigns/small/scenarios/example/{format}/").content
    assert example.content == example_of(format)
    assert program.get(f"{PLACE}example/exe/").status_code == 404
