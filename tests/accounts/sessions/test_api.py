"""The same over the API."""

from django.test import Client

from accounts.actions import issue_token

URL = "/api/v1/account/sessions/"


def test_a_program_lists_and_ends_logins(ann, browser):
    browser()
    headers = {"Authorization": f"Token {issue_token(person=ann)}"}
    (row,) = Client().get(URL, headers=headers | {"Accept-Language": "en"}).json()
    assert (row["device"], row["address"], row["this_one"]) == ("Firefox on Linux", "192.0.2.1", False)
    assert Client().delete(f"{URL}{row['id']}/", headers=headers).status_code == 204
    assert not ann.log_ins.exists()


def test_a_browser_ends_all_others_over_the_api(ann, browser):
    here, _ = browser(), browser()
    assert here.delete(URL).json() == {"n_ended": 1, "n_tokens": 0}
    assert here.get(URL).json()[0]["this_one"]


def test_nobody_ends_the_login_of_another(ann, browser, outsider):
    browser()
    assert browser(outsider).delete(f"{URL}{ann.log_ins.get().pk}/").status_code == 404
    assert ann.log_ins.count() == 1


def test_a_program_ends_all_tokens_but_its_own_unless_it_says_no(ann, browser):
    own, other = issue_token(person=ann), issue_token(person=ann)
    program = Client(headers={"Authorization": f"Token {own}"})
    assert program.delete(URL, {"tokens": False}, content_type="application/json").json()["n_tokens"] == 0
    assert Client().get(URL, headers={"Authorization": f"Token {other}"}).status_code == 200
    assert program.delete(URL).json() == {"n_ended": 0, "n_tokens": 1}
    assert Client().get(URL, headers={"Authorization": f"Token {other}"}).status_code == 401
    assert program.get(URL).status_code == 200
