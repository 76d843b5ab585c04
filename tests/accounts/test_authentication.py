"""Who sends a token, and how much it allows."""

from datetime import timedelta

import pytest
from django.test import Client
from rest_framework.exceptions import AuthenticationFailed

from accounts.actions import issue_token, note_token_use
from accounts.authentication import TokenAuthentication
from accounts.link_tokens import digest_of, new_token
from accounts.models import ApiToken, Person
from accounts.scopes import WHOLE, Scope


def authenticated(token):
    return TokenAuthentication().authenticate_credentials(token.encode())


@pytest.fixture
def ann(db):
    return Person.objects.create_user("ann")


def test_the_person_of_a_token_comes_with_its_scope(ann):
    assert authenticated(issue_token(person=ann))[0].scope == WHOLE
    assert authenticated(issue_token(person=ann, scope=Scope("tester", "small")))[0].scope == Scope("tester", "small")


def test_an_expired_token_and_the_token_of_who_is_gone_let_nobody_in(ann):
    with pytest.raises(AuthenticationFailed):
        authenticated(issue_token(person=ann, lasts=timedelta(seconds=-1)))
    token = issue_token(person=ann)
    Person.objects.update(is_active=False)
    with pytest.raises(AuthenticationFailed):
        authenticated(token)


def test_the_last_use_is_written_once_per_hour(ann):
    authenticated(issue_token(person=ann))
    token = ApiToken.objects.get()
    first = token.used_at
    note_token_use(token=token, at=first + timedelta(minutes=59))
    assert ApiToken.objects.get().used_at == first
    note_token_use(token=token, at=first + timedelta(hours=1))
    assert ApiToken.objects.get().used_at == first + timedelta(hours=1)


@pytest.mark.django_db
def test_a_token_that_is_no_text_is_refused():
    answer = Client().get("/api/v1/assignments/", headers={"Authorization": "Token \xff"})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        (WHOLE, {("tester", "a"), ("tester", "b"), ("organizer", "a")}),
        (Scope(role="tester"), {("tester", "a"), ("tester", "b")}),
        (Scope(campaign="a"), {("tester", "a"), ("organizer", "a")}),
        (Scope("tester", "a"), {("tester", "a")}),
    ],
)
def test_a_scope_narrows_to_its_role_and_its_campaign(scope, covered):
    places = [("tester", "a"), ("tester", "b"), ("organizer", "a")]
    assert {place for place in places if scope.covers(*place)} == covered


def test_a_token_has_256_bits_and_is_never_the_same():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token) for token in tokens} == {43}


def test_the_digest_of_a_token_is_its_sha_256():
    assert digest_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
