"""Cookies that no database holds are dropped before anything is looked up by them."""

import asyncio

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from accounts import middleware as rate_middleware
from accounts.actions import issue_token
from accounts.middleware import StorableCookiesMiddleware, StorableCookiesOfSockets, storable_cookies
from accounts.models import Person


def test_only_cookies_that_a_database_can_hold_are_left():
    cookies = {"theme": "dark", "sessionid": "\x00aaaa", "odd\x00": "x", "half": "\ud800"}
    assert storable_cookies(cookies) == {"theme": "dark"}


def test_a_page_never_sees_a_cookie_that_cannot_be_stored():
    seen = []

    def page(request):
        seen.append(dict(request.COOKIES))
        return HttpResponse()

    header = 'huace_theme=dark; sessionid="\\000aaaa"'
    StorableCookiesMiddleware(page)(RequestFactory().get("/", headers={"Cookie": header}))
    assert seen == [{"huace_theme": "dark"}]


def test_neither_does_a_socket():
    seen = []

    async def socket(scope, receive, send):
        seen.append(scope)

    given = {"type": "websocket", "cookies": {"huace_theme": "dark", "sessionid": "\x00aaaa"}}
    asyncio.run(StorableCookiesOfSockets(socket)(given, None, None))
    assert seen == [{"type": "websocket", "cookies": {"huace_theme": "dark"}}]


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
