"""Preferences are sent by every page, with an account or without."""

import re

import pytest
from django.test import Client

from accounts.models import Person


@pytest.fixture
def ann(db):
    return Person.objects.create_user("ann")


@pytest.fixture
def browser(ann):
    client = Client()
    client.force_login(ann)
    return client


def test_a_visitor_reads_on_in_what_they_chose(client, db):
    client.post("/preferences/", {"theme": "dark"})
    client.post("/preferences/", {"language": "en"})
    page = client.get("/login/").content.decode()
    assert re.search('lang="en"\\s+data-theme="dark"', page)
    assert not Person.objects.exists()


@pytest.mark.parametrize("logged_in", [True, False])
def test_an_empty_language_is_the_browsers_again(browser, logged_in):
    client = browser if logged_in else Client()
    for language, spoken in [("en", "en"), ("", "zh-hans")]:
        client.post("/preferences/", {"language": language})
        assert client.get("/", headers={"accept-language": "zh-hans"})["Content-Language"] == spoken


def test_a_theme_made_up_in_a_cookie_stands_in_nobodys_way(browser, ann):
    browser.cookies["huace_theme"] = "pink"
    assert browser.post("/preferences/", {"language": "en"}).status_code == 302
    ann.refresh_from_db()
    assert (ann.language, ann.theme) == ("en", "auto")


def test_the_theme_of_who_used_the_browser_before_is_not_taken_over(browser, ann):
    browser.cookies["huace_theme"] = "dark"
    browser.post("/preferences/", {"language": "en"})
    ann.refresh_from_db()
    assert ann.theme == "auto"


def test_an_unknown_choice_changes_nothing(browser, ann):
    answer = browser.post("/preferences/", {"theme": "pink", "language": "en"})
    assert answer.status_code == 400
    assert not {"django_language", "huace_theme"} & set(answer.cookies)
    ann.refresh_from_db()
    assert (ann.language, ann.theme) == ("", "auto")


def test_an_open_page_learns_who_is_logged_in_and_a_token_that_is_taken(browser, client, db):
    assert client.get("/session/").json()["person"] == ""
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    session = strict.get("/session/").json()
    assert session["person"] == "ann"
    refused = strict.post("/preferences/", {"language": "en", "next": "/"})
    assert refused.status_code == 403
    taken = strict.post("/preferences/", {"language": "en", "next": "/"}, headers={"X-CSRFToken": session["token"]})
    assert taken.status_code == 302
