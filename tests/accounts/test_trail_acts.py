"""What the trail says of accounts."""

import pytest
from django.db import connection
from django.test import Client
from django.utils import translation

from accounts.actions import create_person, issue_password, issue_token, revoke_token
from accounts.models import Person
from accounts.trail_acts import SESSIONS_ENDED
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
OLD, NEW = "a long enough one", "another long one"


@pytest.fixture
def person():
    return create_person(username="ann")


def said(lines):
    return [(line.act, line.person, line.about) for line in lines]


def test_an_act_reads_on_after_the_name():
    with translation.override("en"):
        assert SESSIONS_ENDED.said_of("ann") == "ended all other logins of ann"


def test_a_token_is_named_by_its_beginning_when_it_is_made_and_revoked(person):
    with lines_of() as lines:
        token = issue_token(person=person, by=person)
        revoke_token(person=person, token_key=token[:15], by=person)
        revoke_token(person=person, token_key=token[:15], by=person)
    assert said(lines) == [("token.issued", "ann", "ann"), ("token.revoked", "ann", "ann")]
    made, revoked = (line.details for line in lines)
    assert made == {"token_key": token[:15], "name": "", "role": "", "campaign": ""}
    assert revoked["token_key"] == token[:15]


def test_a_password_that_somebody_else_made_is_a_line_with_both(person, django_user_model):
    organizer = create_person(username="organizer")
    with lines_of() as lines:
        password = issue_password(person=person, by=organizer, campaign="small")
    assert said(lines) == [("password.issued", "organizer", "ann")]
    assert lines[0].campaign == "small"
    assert password not in str(lines[0].details)


def test_a_changed_password_is_a_line_hashed_before_the_transaction_and_keeps_the_login(monkeypatch):
    Person.objects.create_user("ann", password=OLD)
    client = Client()
    client.post("/login/", {"username": "ann", "password": OLD})
    fields = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}
    depths, hashed = [], Person.set_password
    monkeypatch.setattr(
        Person, "set_password", lambda self, raw: (depths.append(len(connection.savepoint_ids)), hashed(self, raw))
    )
    before = len(connection.savepoint_ids)
    with lines_of() as lines:
        assert client.post("/account/password/", fields).status_code == 302
    assert said(lines) == [("password.changed", "ann", "ann")]
    assert depths == [before]
    assert client.get("/account/password/").status_code == 200
    assert Person.objects.get().check_password(NEW)


def test_a_password_that_is_refused_leaves_no_line():
    Person.objects.create_user("ann", password=OLD)
    client = Client()
    client.post("/login/", {"username": "ann", "password": OLD})
    with lines_of() as lines:
        client.post("/account/password/", {"old_password": "x", "new_password1": NEW, "new_password2": NEW})
    assert lines == []
