"""The limit of API requests per address."""

import pytest
from django.test import Client

from accounts import middleware as rate_middleware
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


def test_an_address_over_the_limit_is_refused_before_anybody_is_looked_up(
    ann, settings, monkeypatch, django_assert_num_queries
):
    settings.API_RATE, token = 1, issue_token(person=ann)
    monkeypatch.setattr(rate_middleware, "PERSONS_PER_ADDRESS", 2)
    for _ in range(2):
        get()
    with django_assert_num_queries(0):
        refused = get(token=token)
    assert refused.status_code == 429
    assert refused.json()["detail"].startswith("Too many requests from this address")
    assert get(token=token, address="192.0.2.2").status_code == 200


def test_guesses_at_tokens_use_the_address_up_sooner(ann, settings):
    settings.API_RATE = 10
    statuses = [get(token="0" * 64).status_code for _ in range(7)]
    assert statuses == [401] * 5 + [429] * 2
    assert get(ann, address="192.0.2.2").status_code == 200


def test_pages_are_not_counted(client, db, settings):
    settings.API_RATE = 1
    assert {client.get("/about/").status_code for _ in range(30)} == {200}
    assert "RateLimit-Limit" not in client.get("/about/").headers
