"""The limit of API requests per person."""

import pytest
from django.test import Client

from accounts.actions import issue_token
from accounts.models import Person

URL = "/api/v1/assignments/"


@pytest.fixture
def ann(db):
    return Person.objects.create_user("ann")


def get(person=None, address="192.0.2.1", token=""):
    token = token or (issue_token(person=person) if person else "")
    headers = {"Accept-Language": "en"} | ({"Authorization": f"Token {token}"} if token else {})
    return Client().get(URL, headers=headers, REMOTE_ADDR=address)


def test_a_person_over_the_limit_waits_and_others_do_not(ann, settings):
    settings.API_RATE = 3
    other = Person.objects.create_user("bob")
    answers = [get(ann) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert {answer.headers["RateLimit-Limit"] for answer in answers} == {"3"}
    assert 0 < int(answers[3].headers["Retry-After"]) <= 300
    assert answers[3].headers["Retry-After"] == answers[3].headers["RateLimit-Reset"]
    assert answers[3].json()["status"] == 429
    assert get(other).status_code == 200
