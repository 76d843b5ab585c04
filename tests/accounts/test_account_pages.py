"""One's own password, and the tokens of one's programs."""

import re

import pytest
from django.test import Client
from knox.models import AuthToken

from accounts.actions import issue_token

pytestmark = pytest.mark.django_db
OLD, NEW = "an old and long one", "a new and longer one"


def client_of(person) -> Client:
    person.language = "en"
    person.save()
    client = Client()
    client.force_login(person)
    return client


def change(client, **named):
    fields = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW} | named
    return client.post("/account/password/", fields, follow=True)


@pytest.fixture
def with_password(tester):
    tester.set_password(OLD)
    tester.save()
    return tester


def test_the_password_changes_and_the_login_stays_here_and_ends_elsewhere(with_password):
    here, elsewhere = client_of(with_password), client_of(with_password)
    assert "Your password is changed." in change(here).content.decode()
    with_password.refresh_from_db()
    assert with_password.check_password(NEW)
    assert here.get("/account/password/").status_code == 200
    assert elsewhere.get("/account/password/").status_code == 302


@pytest.mark.parametrize(
    "wrong", [{"old_password": "x"}, {"new_password2": "x"}, {"new_password1": "1", "new_password2": "1"}]
)
def test_a_wrong_or_weak_password_changes_nothing_and_says_why(with_password, wrong):
    page = change(client_of(with_password), **wrong).content.decode()
    assert 'class="wrong"' in page
    with_password.refresh_from_db()
    assert with_password.check_password(OLD)


def test_a_token_is_shown_once_and_works(tester):
    client = client_of(tester)
    page = client.post("/account/tokens/new/").content.decode()
    token = re.search(r'id="issued">([^<]+)<', page)[1]
    assert Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"}).status_code == 200
    again = client.get("/account/tokens/").content.decode()
    assert token not in again
    assert token[:8] in again


def test_a_revoked_token_is_refused(tester):
    token = issue_token(person=tester)
    key = AuthToken.objects.get().token_key
    client_of(tester).post("/account/tokens/revoke/", {"token_key": key})
    assert Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"}).status_code == 401


def test_nobody_sees_or_revokes_the_token_of_another(tester, outsider):
    issue_token(person=tester)
    key = AuthToken.objects.get().token_key
    client = client_of(outsider)
    assert key not in client.get("/account/tokens/").content.decode()
    assert client.post("/account/tokens/revoke/", {"token_key": key}).status_code == 404
    assert AuthToken.objects.count() == 1
