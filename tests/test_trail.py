"""Every route that changes something leaves exactly one line of the trail, or is named with the reason why it leaves none.
What the API answers then is held to its description.

The routes come from the URL resolver: a new one fails here until a file of `tests/trail_tries` says how it is used, or
`SILENT` in its table why it leaves no line.
"""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from jsonschema import ValidationError

from audit.trail_acts import known_acts
from tests.api_answers import check_described
from tests.routes import CHANGING_ROUTES
from tests.trail import lines_of
from tests.trail_tries.all import TRIES
from tests.trail_tries.stage import Stage
from tests.trail_tries.table import ELSEWHERE, SILENT
from tests.world import run

__all__ = ["run"]
TESTS = Path(__file__).parent
# What stands in an address for what every stage has; a row gives the whole address where it needs more.
USUAL = {"<slug:slug>": "small", "<slug:key>": "quality", "<int:number>": "1"}


@pytest.mark.parametrize("route", CHANGING_ROUTES)
def test_every_route_that_changes_something_is_tried_here(route):
    assert route in TRIES or route in SILENT, (
        f"{route}: say in tests/trail_tries how it is used, or why it leaves no line"
    )


def test_no_row_is_left_over():
    known = set(CHANGING_ROUTES)
    assert TRIES.keys() | SILENT.keys() == known
    assert not TRIES.keys() & SILENT.keys()


def test_the_look_at_the_routes_sees_methods_of_pages_and_of_the_api():
    assert "POST campaigns/<slug:slug>/coverage/draw/" in CHANGING_ROUTES
    assert "PATCH api/v1/dialogues/<uuid:dialogue_id>/review/" in CHANGING_ROUTES
    assert not any(route.endswith(" campaigns/<slug:slug>/coverage/") for route in CHANGING_ROUTES)


def usual(path):
    for argument, value in USUAL.items():
        path = path.replace(argument, value)
    assert "<" not in path, f"{path}: give the whole address"
    return f"/{path}"


@pytest.fixture
def stage(campaign, request, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return Stage(campaign, request)


def test_every_act_that_a_room_declares_is_tried_here_or_compared_elsewhere():
    declared = {one.key for one in known_acts() if not one.key.startswith("test.")}
    tried = {one.act for ways in TRIES.values() for one in ways}
    assert declared == tried | ELSEWHERE.keys()
    assert not tried & ELSEWHERE.keys()


@pytest.mark.parametrize(("act", "file"), ELSEWHERE.items())
def test_the_file_that_is_named_for_an_act_compares_its_line(act, file):
    assert f'"{act}"' in (TESTS / file).read_text()


@pytest.mark.parametrize(
    "answer",
    [
        JsonResponse({"role": "tester"}, status=202),
        JsonResponse({"role": 3}, status=201),
        HttpResponse("x", status=201),
    ],
)
def test_an_answer_that_is_not_described_is_found(answer):
    route = "POST api/v1/campaigns/<slug:slug>/people/<int:person_id>/roles/"
    check_described(route, JsonResponse({"role": "tester"}, status=201))
    with pytest.raises((AssertionError, ValidationError)):
        check_described(route, answer)


EVERY_TRY = [one for ways in TRIES.values() for one in ways]


@pytest.mark.django_db
@pytest.mark.parametrize("one", EVERY_TRY, ids=str)
def test_used_once_it_leaves_exactly_one_line(one, stage):
    address, sent = one.prepare(stage)
    method, path = one.route.split(" ")
    stage.log_in(one.by)
    is_json = path.startswith("api/") and not any(isinstance(value, UploadedFile) for value in sent.values())
    kind = {"content_type": "application/json"} if is_json else {}
    # Who erases their own account has another name afterwards.
    by = stage.person(one.by).pk if one.by else None
    with lines_of() as lines:
        answer = getattr(stage.client, method.lower())(address or usual(path), sent, **kind)
    assert answer.status_code < 400, answer.content.decode()[:2000]
    if path.startswith("api/"):
        check_described(one.route, answer)
    assert [line.act for line in lines] == [one.act]
    assert lines[0].person_id == by or not one.by
