"""A form that names no protocol asks the URL by OPTIONS and GET, says what came, and fills in what it speaks for; nothing is stored."""

import html
import json
import re

import pytest
from django.utils.translation import override

from accounts.models import ApiToken
from conformance.guessing import Guess
from participants.adapters import ADAPTERS
from team_desk import trying
from team_desk.trying import Found, found_in
from tests.conformance.checking import allowed_of
from tests.fakes.answering import answering
from tests.team_desk.conftest import client_of
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
SECRET = "s3cret-of-alpha"
CONFIG = json.dumps({"version": "5.50.0", "api_prefix": "", "dependencies": [], "said": SECRET}).encode()
FORMS = (
    "/campaigns/small/team/",
    "/campaigns/small/team/try/",
    "/campaigns/small/teams/",
    "/campaigns/small/teams/try/",
)
OWN, ANY = "/api/v1/campaigns/small/team/find/", "/api/v1/campaigns/small/teams/find/"


def gradio(method, path):
    if path == "/config":
        return 200, {"Content-Type": "application/json"}, CONFIG
    return 404, {}, b"Not Found"


@pytest.fixture(scope="module")
def running():
    with answering(gradio) as (url, asked):
        yield url, asked


@pytest.fixture
def server(running, settings):
    url, asked = running
    settings.OUTBOUND_ALLOW = allowed_of(url)
    asked.clear()
    return url, asked


@pytest.fixture
def post(client):
    def posted(person, path, body):
        token = ApiToken.objects.create(user=person)[1]
        headers = {"authorization": f"Token {token}", "accept-language": "en"}
        answer = client.post(path, json.dumps(body), content_type="application/json", headers=headers)
        return answer.status_code, answer.json(), answer.headers

    return posted


def chosen(page):
    select = re.search(r'<select class="input" name="protocol".*?</select>', page, re.DOTALL)[0]
    named = re.search(r'value="([^"]*)" selected', select)
    return named[1] if named else re.search(r'<option value="([^"]*)"', select)[1]


def shown(answer):
    return html.unescape(answer.content.decode())


@pytest.mark.parametrize("path", FORMS)
def test_every_form_asks_the_url_shows_what_came_and_fills_in_its_protocol(campaign, browser, organizer, server, path):
    url, asked = server
    by = client_of(organizer) if "teams" in path else browser
    # Who types nothing leaves it to the platform.
    assert chosen(shown(by.get(path))) == "auto"
    said = {
        "url": url,
        "protocol": "auto",
        "secret": SECRET,
        "name": "New one",
        "team": campaign.entries.get().bot.team.name,
        "parallel": "7",
    }
    with lines_of() as lines:
        answer = by.post(path, said)
    page = shown(answer)
    assert (answer.status_code, chosen(page)) == (200, "gradio")
    assert "GET config is answered as Gradio 5.50.0 does." in page
    assert 'value="New one"' in page
    assert 'value="7"' in page
    assert "GET /config" in page
    assert SECRET not in page
    assert {one.partition(" ")[0] for one in asked} == {"OPTIONS", "GET"}
    assert [(line.act, line.about) for line in lines] == [("bot.protocol_asked", url.rstrip("/"))]
    assert campaign.entries.count() == 1


def test_the_form_of_a_stored_system_asks_with_its_secret_for_its_own_server_alone(
    campaign, browser, organizer, server
):
    url, asked = server
    entry = campaign.entries.get()
    entry.url, entry.secret = url, SECRET
    entry.save()
    for by, path in (
        (browser, f"/campaigns/small/team/bots/{entry.pk}/"),
        (client_of(organizer), f"/campaigns/small/teams/bots/{entry.pk}/"),
    ):
        assert chosen(shown(by.get(path))) == entry.protocol
        page = shown(by.post(path, {"url": url, "protocol": "auto"}))
        assert (chosen(page), SECRET in page) == ("gradio", False)
        n_asked = len(asked)
        answer = by.post(path, {"url": "https://other.example.com/", "protocol": "auto"})
        assert (answer.status_code, len(asked)) == (422, n_asked)
        assert "was given for another server" in shown(answer)
    entry.refresh_from_db()
    assert (entry.protocol, entry.url) == ("huace/1", url)


def test_where_nothing_fits_the_page_says_what_each_question_came_to(campaign, browser, settings):
    with answering(lambda method, path: (404, {}, b"no such page")) as (url, asked):
        settings.OUTBOUND_ALLOW = allowed_of(url)
        page = shown(browser.post(FORMS[0], {"url": url, "protocol": "auto"}))
    assert chosen(page) == "auto"
    assert "Nothing in its answers speaks for one of these protocols" in page
    assert page.count("no such page") == len(asked) > 5
    page = shown(browser.post(FORMS[0], {"url": url, "protocol": "auto"}))
    assert "The URL gave no answer" in page
    assert "No connection was made" in page


@pytest.mark.parametrize("url", ["http://10.0.0.8/", "ws://bot.example.org/", "", "http://bot.example.org:22/"])
def test_a_url_that_is_never_called_is_refused_before_anything_is_asked(campaign, browser, url):
    answer = browser.post(FORMS[0], {"url": url, "protocol": "auto"})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()


def test_programs_learn_the_same_within_the_same_limits(
    campaign, participant, organizer, other_entry, server, post, monkeypatch
):
    url, asked = server
    for person, path in ((participant, OWN), (organizer, ANY)):
        status, found, _ = post(person, path, {"url": url, "secret": SECRET})
        assert (status, found["protocol"]) == (200, "gradio")
        assert found["clues"] == [{"protocol": "gradio", "because": "GET config is answered as Gradio 5.50.0 does."}]
        told = {one["asked"]: (one["status"], one["kind"]) for one in found["tries"]}
        assert (told["GET /config"], told["OPTIONS /"]) == ((200, ""), (404, ""))
        assert SECRET not in json.dumps(found)
    n_asked = len(asked)
    assert post(participant, OWN, {"url": "http://10.0.0.8/"})[1]["fields"].keys() == {"url"}
    assert post(participant, OWN, {"url": url, "protocol": "rasa"})[1]["fields"].keys() == {"protocol"}
    assert post(participant, OWN, {"url": url, "bot": other_entry.pk})[0] == 404
    assert post(participant, ANY, {"url": url})[0] == 404
    monkeypatch.setattr(trying, "TRIES_LIMIT", 1)
    status, problem, headers = post(participant, OWN, {"url": url})
    assert (status, problem["code"], "Retry-After" in headers) == (429, "throttled", True)
    assert len(asked) == n_asked


def test_a_protocol_of_services_is_told_and_not_proposed():
    found = found_in(Guess({"smp2018_task1": "Its path ends with /smp2018_ecdt."}, 1), "")
    assert (found.protocol, found.best, [one.words for one in found.others]) == ("", None, [None])
    assert Found().protocol == ""


def test_every_protocol_has_a_name_and_a_line_on_the_form(campaign, browser):
    page = shown(browser.get(FORMS[0]))
    with override("en"):
        check_words(page)


def check_words(page):
    for key, words in ADAPTERS.items():
        assert words.name
        assert words.line
        assert f">{words.name} ({key})</option>" in page
        assert str(words.line) in page
