"""The page of logins: one's own only, and ending them."""

from django.test import Client

from accounts.actions import issue_token
from accounts.models import ApiToken, LogIn
from audit.models import TrailLine

PAGE = "/account/sessions/"


def text(client):
    return client.get(PAGE).content.decode()


def test_the_page_names_device_address_and_which_is_this_one(browser):
    page = text(browser(address="192.0.2.44"))
    assert "Firefox on Linux" in page
    assert "192.0.2.44" in page
    assert page.count("this one") == 1


def test_another_login_is_ended_at_once(ann, browser):
    here, there = browser(), browser()
    log_in = ann.log_ins.get(session_id=there.session.session_key)
    assert here.post(f"{PAGE}{log_in.pk}/end/").url == PAGE
    assert there.get(PAGE).status_code == 302
    assert here.get(PAGE).status_code == 200


def test_ending_ones_own_is_a_log_out(ann, browser):
    here = browser()
    assert here.post(f"{PAGE}{ann.log_ins.get().pk}/end/").url == "/login/"
    assert not LogIn.objects.exists()
    assert here.get(PAGE).status_code == 302
    assert [line.act for line in TrailLine.objects.exclude(act="login.done")] == ["session.ended"]


def test_nobody_ends_or_sees_the_login_of_another(ann, browser, outsider):
    browser(address="192.0.2.44")
    other = browser(outsider, address="192.0.2.55")
    assert other.post(f"{PAGE}{ann.log_ins.get().pk}/end/").status_code == 404
    assert "192.0.2.44" not in text(other)
    assert ann.log_ins.count() == 1


def test_everywhere_else_and_everywhere(browser):
    here, there = browser(), browser()
    here.post(f"{PAGE}end/")
    assert (here.get(PAGE).status_code, there.get(PAGE).status_code) == (200, 302)
    third = browser()
    assert here.post(f"{PAGE}end/", {"here": ""}).url == "/login/"
    assert (here.get(PAGE).status_code, third.get(PAGE).status_code) == (302, 302)
    assert not LogIn.objects.exists()


def test_the_page_says_how_many_tokens_end_and_ends_them_where_the_box_is_ticked(ann, browser):
    here = browser()
    assert 'name="tokens"' not in here.get(PAGE).content.decode()
    for _ in range(2):
        issue_token(person=ann)
    assert "End my 2 API tokens, too" in here.get(PAGE).content.decode()
    here.post(f"{PAGE}end/")
    assert ApiToken.objects.filter(user=ann).count() == 2
    answer = here.post(f"{PAGE}end/", {"tokens": "on"}, follow=True)
    assert "API tokens ended: 2" in answer.content.decode()
    assert not ApiToken.objects.filter(user=ann).exists()


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
