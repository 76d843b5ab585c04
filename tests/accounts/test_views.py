"""Preferences are sent by every page, with an account or without."""

import re

import pytest
from django.test import Client, RequestFactory

from accounts.models import Person
from accounts.preferences import UnknownChoice, check_choices, language_of, language_of_socket


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


@pytest.mark.parametrize("language", ["", "zh-hans", "en"])
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_every_language_and_theme_can_be_chosen(language, theme):
    check_choices({"language": language, "theme": theme})


@pytest.mark.parametrize(
    "chosen",
    [{"theme": "pink"}, {"theme": ""}, {"language": "tlh"}, {"language": "EN"}, {"is_superuser": "1"}],
)
def test_what_is_no_choice_is_refused(chosen):
    with pytest.raises(UnknownChoice):
        check_choices(chosen)


@pytest.mark.parametrize(
    ("chosen", "cookie", "header", "language"),
    [
        ("en", "zh-hans", "zh-hans", "en"),
        ("", "en", "zh-hans", "en"),
        ("", "", "en-GB,en;q=0.8", "en"),
        ("", "", "zh-CN", "zh-hans"),
        ("", "tlh", "fr", "zh-hans"),
        ("", "", "", "zh-hans"),
    ],
)
def test_what_a_person_chose_comes_before_what_the_browser_asks_for(chosen, cookie, header, language):
    request = RequestFactory().get("/", headers={"accept-language": header})
    scope = {"headers": [(b"accept-language", header.encode())]}
    if cookie:
        request.COOKIES["django_language"] = cookie
        scope["cookies"] = {"django_language": cookie}
    assert language_of(request, chosen) == language_of_socket(scope, chosen) == language


def test_a_program_that_says_no_language_is_answered_in_english(client):
    nowhere = "/api/v1/nothing/"
    said = {
        header: client.get(nowhere, headers=headers).json()
        for header, headers in (("", {}), ("zh", {"accept-language": "zh"}))
    }
    assert (said[""]["title"], said["zh"]["title"]) == ("Not found", "没有找到")
    assert said[""]["detail"] == said["zh"]["detail_en"] != said["zh"]["detail"] == said[""]["detail_zh"]
    client.cookies["django_language"] = "zh-hans"
    assert client.get(nowhere).json()["title"] == "没有找到"
