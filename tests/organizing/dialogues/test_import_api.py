"""Finished dialogues come in over the API, by the rules of the command."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from dialogues.models import Dialogue
from organizing import file_imports as reading
from tests.scoring.conftest import EXAMPLES
from tests.team_desk.conftest import client_of

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/campaigns/small/dialogues/import/"
NTCIR = (EXAMPLES / "dialogue-quality" / "gold.json").read_bytes()
SAID = [{"speaker": "tester", "text": "你好"}, {"speaker": "bot", "text": "您好"}]


@pytest.fixture
def program(organizer):
    return client_of(organizer)


def send(client, content, **said):
    return client.post(ADDRESS, {"file": SimpleUploadedFile("dialogues", content)} | said)


def lines(*dialogues):
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in dialogues).encode()


def test_they_are_closed_stand_under_who_sent_them_and_come_once(campaign, program, organizer):
    content = lines({"id": "d1", "turns": SAID}, {"id": "d2", "turns": SAID, "bot": "a", "team": "Team Alpha"})
    answer = send(program, content, bot="Helper", team="Team Beta")
    assert (answer.status_code, answer.json()) == (201, {"new": 2, "known": 0})
    first = Dialogue.objects.reviewable().get(external_id="d1")
    assert (first.tester, first.origin, first.assignment.entry.bot.name) == (organizer, "imported", "Helper")
    assert Dialogue.objects.get(external_id="d2").assignment.entry == campaign.entries.get(key="a")
    assert send(program, content, bot="Helper", team="Team Beta").json() == {"new": 0, "known": 2}


def test_the_formats_are_those_of_the_command(campaign, program):
    answer = send(program, NTCIR, format="ntcir", bot="helpdesk", team="Demo Helpdesk")
    assert (answer.status_code, answer.json()["new"]) == (201, Dialogue.objects.count())
    assert answer.json()["new"] == len(json.loads(NTCIR))
    wrong = send(program, NTCIR, format="xml")
    assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["format"])


def test_every_problem_has_its_place_and_nothing_is_stored(campaign, program):
    answer = send(program, lines({"id": "d1", "turns": SAID}, {"id": "d2", "turns": SAID, "scenario": "none"}))
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_file")
    assert {problem["place"][:6] for problem in answer.json()["problems"]} == {"line 1", "line 2"}
    assert not Dialogue.objects.exists()


def test_without_a_file_nothing_happens(campaign, program):
    answer = program.post(ADDRESS, {"bot": "Helper"})
    assert (answer.status_code, answer.json()["code"]) == (400, "no_file")


def test_a_field_that_is_not_known_is_named_and_nothing_is_stored(campaign, program):
    answer = send(program, lines({"id": "d1", "turns": SAID}), Bot="Helper", fromat="ntcir", team="Team Beta")
    assert (answer.status_code, set(answer.json()["fields"])) == (422, {"Bot", "fromat"})
    assert not Dialogue.objects.exists()


def test_no_request_holds_the_writer_for_more_than_some_dialogues(campaign, program, monkeypatch):
    monkeypatch.setattr(reading, "MOST_DIALOGUES", 2)
    two = [{"id": f"d{n}", "turns": SAID, "bot": "a"} for n in (1, 2)]
    answer = send(program, lines(*two, {"id": "d3", "turns": SAID, "bot": "a"}))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_many")
    assert not Dialogue.objects.exists()
    assert send(program, lines(*two)).json() == {"new": 2, "known": 0}
