"""One's own password."""

import pytest
from django.test import Client

from accounts.actions import issue_token
from accounts.models import ApiToken

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


def test_the_form_says_how_many_tokens_end_and_leaves_them_where_the_box_is_not_ticked(with_password):
    here = client_of(with_password)
    issue_token(person=with_password)
    assert "End my API token, too" in here.get("/account/password/").content.decode()
    change(here)
    assert ApiToken.objects.exists()
    page = change(here, old_password=NEW, new_password1=OLD, new_password2=OLD, tokens="on").content.decode()
    assert "API tokens ended: 1" in page
    assert not ApiToken.objects.exists()
