"""Errors of the API as problem details (RFC 9457): the members, the media type, both languages."""

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils.translation import override

from accounts.problems import problem

pytestmark = pytest.mark.django_db


def client_of(person, *, raises=True):
    client = Client(raise_request_exception=raises)
    client.force_login(person)
    return client


def test_a_problem_says_what_it_is_to_programs_and_to_people():
    with override("en"):
        said = problem(409, "closed", "The dialogue is closed.", version=3)
    assert said == {
        "type": "urn:huace:problem:closed",
        "title": "This does not fit the state of things",
        "status": 409,
        "code": "closed",
        "detail": "The dialogue is closed.",
        "version": 3,
    }


@pytest.mark.parametrize(("language", "title"), [("en", "Not found"), ("zh-hans", "没有找到")])
def test_what_is_not_yours_is_a_problem_in_the_readers_language(tester, language, title):
    answer = client_of(tester).get("/api/v1/campaigns/none/problems/", headers={"accept-language": language})
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.json()["code"], answer.json()["title"]) == ("not_found", title)


def test_wrong_fields_keep_their_places(tester, dialogue):
    answer = client_of(tester).post(
        f"/api/v1/dialogues/{dialogue.pk}/problems/", {"turn": -1}, content_type="application/json"
    )
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == {"text", "turn"}


def test_somebody_without_a_token_hears_it_as_a_problem():
    answer = Client().get("/api/v1/assignments/")
    assert (answer.status_code, answer.json()["status"]) == (401, 401)
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/api/v1/nothing/", "/api/"])
def test_an_unknown_address_of_the_api_is_no_page(path):
    answer = Client().get(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    ("error", "status", "code"), [(ZeroDivisionError, 500, "error"), (OperationalError, 503, "unavailable")]
)
def test_what_breaks_on_our_side_is_a_problem_too(tester, monkeypatch, error, status, code):
    def breaks(*args):
        raise error

    monkeypatch.setattr("testing_console.reports_api.campaign_for", breaks)
    answer = client_of(tester, raises=False).get("/api/v1/campaigns/small/problems/")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
