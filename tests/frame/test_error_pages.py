"""Pages for what went wrong: in both languages, whoever found it."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client, RequestFactory

from frame.error_pages import WRONGS, ErrorPagesMiddleware, error_page
from serving.refused import Refused

pytestmark = pytest.mark.django_db


def through(answer, *, path="/somewhere/", accept="text/html,*/*"):
    request = RequestFactory().get(path, headers={"Accept": accept})
    request.COOKIES = {}

    request.user = AnonymousUser()
    return ErrorPagesMiddleware(lambda _: answer)(request)


@pytest.mark.parametrize("status", sorted(WRONGS))
def test_every_status_has_a_page_in_both_languages(status):
    page = through(HttpResponse(status=status))
    text = page.content.decode()
    assert page.status_code == status
    assert '<section lang="zh-hans">' in text
    assert '<section lang="en">' in text
    head, body = text.split("</title>")
    assert f"· {status}" in head
    title = str(WRONGS[status].title)
    assert body.count(title) == body.count(f"<h1>{title}</h1>") == 1


def test_what_a_view_said_itself_stays():
    assert through(HttpResponse(b"said", status=404)).content == b"said"
    assert through(HttpResponse(status=204)).content == b""


def test_the_api_and_programs_get_no_page():
    assert through(HttpResponse(status=405), path="/api/v1/dialogues/").content == b""
    assert through(HttpResponse(status=405), accept="application/json").content == b""


def test_a_get_of_a_form_is_a_405_with_a_page_and_its_methods(client, tester):
    client.force_login(tester)
    answer = client.get("/campaigns/small/testing/open/")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert "405" in answer.content.decode()


def test_a_form_without_its_token_gets_a_page(tester):
    client = Client(enforce_csrf_checks=True)
    client.force_login(tester)
    answer = client.post("/preferences/", {"language": "en"})
    assert answer.status_code == 403
    assert "error-page" in answer.content.decode()


def test_behind_a_proxy_that_hides_https_the_page_says_what_to_set(settings):
    def sent(origin):
        client = Client(enforce_csrf_checks=True)
        token = client.get("/login/").context["csrf_token"]
        form = {"csrfmiddlewaretoken": str(token), "username": "x", "password": "y"}
        return client.post("/login/", form, headers={"origin": origin})

    page = sent("https://testserver")
    assert page.status_code == 403
    for named in ("https://testserver", "http://testserver", "X-Forwarded-Proto", "HUACE_SITE_URL", "HUACE_PROXIES"):
        assert page.content.decode().count(named) >= 2
    assert "X-Forwarded-Proto" not in sent("https://evil.example").content.decode()
    assert sent("http://[").status_code == 403
    settings.CSRF_TRUSTED_ORIGINS = ["https://testserver"]
    assert sent("https://testserver").status_code == 200


def test_a_database_that_does_not_answer_is_a_503_that_asks_it_nothing_more(client, caplog):
    n_asked = []

    def gone(*_):
        n_asked.append(1)
        raise OperationalError("gone")

    with connection.execute_wrapper(gone):
        answer = client.get("/")
    assert n_asked == [1]
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "503" in answer.content.decode()
    assert "The database did not answer GET /" in caplog.text


@pytest.mark.parametrize(("method", "n"), [("GET", 2), ("HEAD", 2), ("POST", 0)])
def test_only_what_was_read_can_be_loaded_again(rf, method, n):
    """The address of an act shows nothing. The buttons stand there in both languages."""
    page = error_page(rf.generic(method, "/"), 503).content.decode()
    assert page.count('href="">') == n


def test_an_unforeseen_error_is_a_500_with_a_page():
    def broken(*_):
        raise RuntimeError

    with connection.execute_wrapper(broken):
        answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 500
    assert "error-page" in answer.content.decode()


def test_the_page_of_an_error_offers_no_form_where_nobody_is_known(rf):
    assert "csrfmiddlewaretoken" not in error_page(rf.get("/"), 500).content.decode()


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        (
            "http://testserver/campaigns/small/coverage/?by=person",
            "http://testserver/campaigns/small/coverage/?by=person",
        ),
        # The form stood on the answer to another one: its address cannot be opened without a script.
        ("http://testserver/campaigns/small/testing/open/", "/campaigns/small/testing/"),
        ("https://evil.example/", "/campaigns/small/teams/"),
        ("", "/campaigns/small/teams/"),
    ],
)
def test_what_is_not_allowed_now_is_a_409_with_its_sentence_and_the_way_back(rf, came_from, back):
    request = rf.post("/campaigns/small/teams/bots/act/", headers={"Referer": came_from})
    request.user = AnonymousUser()
    page = ErrorPagesMiddleware(lambda _: HttpResponse()).process_exception(request, Refused("Testing is over."))
    assert (page.status_code, "Testing is over." in page.content.decode()) == (409, True)
    assert f'class="button primary" href="{back}" data-form-waits' in page.content.decode()
