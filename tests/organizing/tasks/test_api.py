"""Automatic tasks over the API: the same rules as the pages."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils import timezone

from automatic_tasks.actions import score_baselines
from tests.automatic_tasks.conftest import content_of

pytestmark = pytest.mark.django_db
PLACE = "/api/v1/campaigns/small/task-setup/"
ONE = f"{PLACE}one/own/"
TASK = {"key": "own", "type": "dialogue-quality", "name": {"zh": "质量"}, "quota_per_day": 3}


@pytest.fixture
def program(campaign, organizer):
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    return client


def gold(path="dialogue-quality/gold.json"):
    return SimpleUploadedFile("gold.json", content_of(path))


def add(client, task=TASK, **more):
    return client.post(PLACE, {"task": json.dumps(task), "gold": gold()} | more)


def sent(client, method, address, document):
    return getattr(client, method)(address, json.dumps(document), content_type="application/json")


def test_a_task_is_checked_added_and_given_back_as_it_can_be_sent_again(program, campaign):
    checked = add(program, check_only="true")
    assert checked.json() == {
        "key": "own", "changes": ["task own: added with 6 items"], "warnings": [], "items": {"development": 3, "hidden": 3},
    }  # fmt: skip
    assert not campaign.automatic_tasks.exists()
    made = add(program)
    assert (made.status_code, made.json()["origin"], made.json()["is_open"]) == (201, "page", True)
    assert made.json()["task"] == TASK | {"name": {"zh": "质量", "en": "质量"}}
    again = sent(program, "put", ONE, {"task": made.json()["task"]})
    assert (again.status_code, again.json()["changes"]) == (200, [])
    assert [one["task"]["key"] for one in program.get(PLACE).json()] == ["own"]
    assert add(program).json()["code"] == "key_is_taken"


def test_problems_are_listed_with_their_places(program):
    answer = add(program, TASK | {"colour": 1, "decimals": 99, "services": []})
    assert answer.status_code == 422
    assert [one["place"] for one in answer.json()["problems"]] == ["services", "colour", "decimals"]
    assert answer.json()["title"] == "Something of what was sent is wrong"
    bad = program.post(PLACE, {"task": json.dumps(TASK), "gold": gold("dialogue-quality/run.json")})
    assert bad.json()["problems"][0]["place"] == "gold, [0].annotations"
    assert add(program, []).json()["problems"][0]["place"] == "task"
    assert program.post(PLACE, {"task": "{"}).status_code == 422
    assert program.post(PLACE, {}).status_code == 422


def test_new_gold_goes_where_no_run_was_scored_by_the_old_one(program, campaign):
    add(program)
    other = SimpleUploadedFile("gold.json", content_of("dialogue-quality/gold.json").replace(b'"d1"', b'"d9"'))
    parts = encode_multipart(BOUNDARY, {"task": json.dumps(TASK), "gold": other})
    changed = program.put(ONE, parts, content_type=MULTIPART_CONTENT)
    assert (changed.status_code, "gold_id" in changed.json()["changes"][0]) == (200, True)
    score_baselines(task=campaign.automatic_tasks.get(), person=None, at=timezone.now())
    parts = encode_multipart(BOUNDARY, {"task": json.dumps(TASK), "gold": gold()})
    refused = program.put(ONE, parts, content_type=MULTIPART_CONTENT)
    assert [one["place"] for one in refused.json()["problems"]] == ["gold", "development_ids"]


def test_a_type_never_changes_and_a_program_names_no_local_folder(program, campaign):
    add(program)
    document = TASK | {"type": "nugget-detection"}
    assert "type" in [one["place"] for one in sent(program, "put", ONE, {"task": document}).json()["problems"]]
    local = {"key": "r", "type": "response-generation", "name": "r", "options": {"vectors": "/etc/passwd"}}
    answer = program.post(PLACE, {"task": json.dumps(local), "gold": gold("response-generation/gold.jsonl")})
    assert [one["place"] for one in answer.json()["problems"]] == ["options.vectors"]


def test_files_beyond_the_limit_are_refused(program, settings):
    settings.UPLOAD_LIMIT_BYTES = 2000
    assert add(program).status_code == 413


def test_a_task_is_opened_released_and_removed(program, campaign):
    add(program)
    assert sent(program, "patch", ONE, {"is_open": False, "released": True}).json()["is_released"] is True
    assert campaign.automatic_tasks.get().is_open is False
    for wrong in ({}, {"is_open": "yes"}, {"key": True}):
        assert sent(program, "patch", ONE, wrong).status_code == 422
    score_baselines(task=campaign.automatic_tasks.get(), person=None, at=timezone.now())
    assert program.delete(ONE).json()["needed_by"] == ["runs"]
    campaign.automatic_tasks.get().runs.all().delete()
    assert program.delete(ONE).status_code == 204
    assert program.get(ONE).status_code == 404


@pytest.mark.parametrize("name", ["open", "board_open"])
def test_what_patch_opens_and_closes_is_refused_among_the_contents(program, campaign, name):
    add(program)
    refused = sent(program, "put", ONE, {"task": TASK | {name: False}})
    assert refused.status_code == 422
    (problem,) = refused.json()["problems"]
    assert (problem["place"], "PATCH" in problem["message"]) == (name, True)
    assert add(program, TASK | {"key": "second", name: False}).status_code == 201


def test_a_team_has_its_own_quota_until_it_is_taken_back(program):
    add(program)
    address, quota = f"{ONE}quotas/", {"team": "Team Alpha", "total": 9, "reason": "lost runs"}
    assert sent(program, "post", address, quota).json() == quota | {"team_en": ""}
    assert program.get(address).json() == [quota | {"team_en": ""}]
    assert list(sent(program, "post", address, {"team": "Nobody", "reason": ""}).json()["fields"]) == ["reason"]
    assert sent(program, "delete", address, {"team": "Team Alpha"}).status_code == 422
    assert sent(program, "delete", address, {"team": "Team Alpha", "because": "over"}).status_code == 204
    assert program.get(address).json() == []


def test_tasks_and_quotas_are_listed_by_the_page(program, campaign):
    add(program)
    add(program, TASK | {"key": "second"})
    page = program.get(PLACE, {"per_page": 1, "page": 2})
    assert (page["X-Total-Count"], [one["task"]["key"] for one in page.json()]) == ("2", ["second"])
    sent(program, "post", f"{ONE}quotas/", {"team": "Team Alpha", "total": 9, "reason": "lost runs"})
    quotas = program.get(f"{ONE}quotas/", {"per_page": 1})
    assert (quotas["X-Total-Count"], len(quotas.json())) == ("1", 1)


def test_example_gold_is_that_of_the_page(program):
    example = program.get(f"{PLACE}example/dialogue-quality/", headers={"accept": "image/png"})
    assert example.content == program.get("/campaigns/small/task-setup/example/dialogue-quality/").content
    assert example.content == gold().read()
    assert program.get(f"{PLACE}example/luck/").status_code == 404
