"""One's own account by the API: the rules of its pages, and nothing for tokens that are narrowed."""

import json

import pytest
from django.test import Client

from accounts.actions import issue_token
from accounts.scopes import Scope
from tests.accounts.second_factor.conftest import code_of

pytestmark = pytest.mark.django_db
PASSWORD, OTHER = "a long enough one", "another long one"


@pytest.fixture
def ask(tester):
    tester.set_password(PASSWORD)
    tester.save()
    token = issue_token(person=tester)
    client = Client(headers={"Authorization": f"Token {token}"})

    def send(method, path, **body):
        return client.generic(method, f"/api/v1/account/{path}", json.dumps(body), "application/json")

    return send


def test_the_name_changes_alone_and_another_address_takes_the_password(ask, tester):
    assert ask("PATCH", "details/", display_name="张三").json()["display_name"] == "张三"
    assert ask("PATCH", "details/", email="a@example.org").status_code == 400
    assert ask("PATCH", "details/", email="a@example.org", password=OTHER).status_code == 400
    assert ask("PATCH", "details/", email="no address", password=PASSWORD).status_code == 400
    assert ask("PATCH", "details/", email="a@example.org", password=PASSWORD).status_code == 200
    assert ask("GET", "details/").json() == {"username": "tester", "display_name": "张三", "email": "a@example.org"}


def test_a_field_that_is_not_known_is_named(ask):
    answer = ask("PATCH", "details/", name="x")
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == ["name"]


def test_the_password_changes_by_the_old_one_and_only_to_a_good_one(ask, tester):
    assert ask("POST", "password/", old_password=OTHER, new_password=OTHER).status_code == 400
    assert ask("POST", "password/", old_password=PASSWORD, new_password="short").json()["fields"]["new_password"]
    assert ask("POST", "password/", old_password=PASSWORD, new_password=OTHER).json() == {
        "changed": True,
        "n_tokens": 0,
    }
    tester.refresh_from_db()
    assert tester.check_password(OTHER)


def test_guesses_at_the_password_run_out(ask):
    answers = [ask("POST", "password/", old_password="wrong", new_password=OTHER).status_code for _ in range(40)]
    assert answers[0] == 400
    assert answers[-1] == 429


def test_preferences_are_those_of_the_pages(ask, tester):
    assert ask("PATCH", "preferences/", theme="dark").json()["theme"] == "dark"
    assert ask("PATCH", "preferences/", theme="pink").status_code == 422
    tester.refresh_from_db()
    assert tester.theme == "dark"


def test_a_second_factor_is_set_up_renewed_and_turned_off(ask, tester):
    made = ask("POST", "second-factor/").json()
    assert made["address"].startswith("otpauth://totp/")
    device = tester.totpdevice_set.get()
    assert ask("POST", "second-factor/confirm/", code="000000").status_code == 400
    device.refresh_from_db()
    device.throttle_reset()
    codes = ask("POST", "second-factor/confirm/", code=code_of(device)).json()["codes"]
    assert ask("GET", "second-factor/").json() == {"is_on": True, "must": False, "n_codes": len(codes)}
    assert ask("POST", "second-factor/").status_code == 409
    assert ask("POST", "second-factor/codes/", password=OTHER).status_code == 400
    assert ask("POST", "second-factor/codes/", password=PASSWORD).json()["codes"] != codes
    assert ask("DELETE", "second-factor/", password=PASSWORD).status_code == 204
    assert ask("DELETE", "second-factor/", password=PASSWORD).status_code == 409


@pytest.mark.parametrize(("said", "left"), [({}, {"asking", "by hand"}), ({"tokens": True}, {"asking"})])
def test_a_second_factor_ends_tokens_of_log_in_and_the_others_if_asked(ask, tester, said, left):
    """The token that asks brought the code, so it stays."""
    tester.auth_token_set.update(name="asking", is_of_log_in=True)
    issue_token(person=tester, name="by hand")
    program = {"username": tester.username, "password": PASSWORD, "name": "script"}
    assert Client().post("/api/v1/log-in/", program, "application/json").status_code == 201
    ask("POST", "second-factor/")
    answer = ask("POST", "second-factor/confirm/", code=code_of(tester.totpdevice_set.get()), **said)
    assert answer.json()["n_tokens"] == 3 - len(left)
    assert set(tester.auth_token_set.values_list("name", flat=True)) == left


@pytest.mark.parametrize("path", ["details/", "preferences/", "second-factor/"])
def test_a_token_that_is_narrowed_sees_nothing_of_the_account(tester, path):
    token = issue_token(person=tester, scope=Scope("tester", "small"))
    assert Client().get(f"/api/v1/account/{path}", headers={"Authorization": f"Token {token}"}).status_code == 403
