"""The API tokens of one's programs."""

import re

import pytest
from django.test import Client

from accounts.actions import issue_token
from accounts.models import ApiToken

pytestmark = pytest.mark.django_db
NEW = {"name": "tournament", "scope": "small/tester", "days": "7"}


def client_of(person) -> Client:
    person.language = "en"
    person.save()
    client = Client()
    client.force_login(person)
    return client


def test_a_token_is_shown_once_and_works(tester):
    client = client_of(tester)
    page = client.post("/account/tokens/new/", NEW).content.decode()
    token = re.search(r'id="issued">([^<]+)<', page)[1]
    again = client.get("/account/tokens/").content.decode()
    assert token not in again
    assert token[:8] in again
    assert "never" in again
    assert "Small: tester" in again
    assert Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"}).status_code == 200
    assert "never" not in client.get("/account/tokens/").content.decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"scope": "small/organizer"},
        {"scope": "other/"},
        {"days": "3660"},
        {"days": ""},
    ],
)
def test_a_wrong_wish_makes_none_and_says_why_and_what_was_typed_stays(tester, wrong):
    page = client_of(tester).post("/account/tokens/new/", NEW | wrong).content.decode()
    assert 'class="wrong"' in page
    assert not ApiToken.objects.exists()
    assert wrong.get("name", "tournament") in page


def test_a_revoked_token_is_refused(tester):
    token = issue_token(person=tester)
    key = ApiToken.objects.get().token_key
    client_of(tester).post("/account/tokens/revoke/", {"token_key": key})
    assert Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"}).status_code == 401


def test_nobody_sees_or_revokes_the_token_of_another(tester, outsider):
    issue_token(person=tester)
    key = ApiToken.objects.get().token_key
    client = client_of(outsider)
    assert key not in client.get("/account/tokens/").content.decode()
    assert client.post("/account/tokens/revoke/", {"token_key": key}).status_code == 404
    assert ApiToken.objects.count() == 1
