"""An address is tried, or asked for its protocol, before it is stored: on pages and by the API, with the same limits and trail."""

import html
import json
import re
import time

import pytest
from django.utils.translation import override

from api.rate_limits import WINDOW_S
from conformance.guessing import Guess
from participants.adapters import ADAPTERS
from team_desk import trying
from team_desk.trying import AT_ONCE, TURN_LASTS_S, Asker, Found, Taken, TryPlaces, found_in
from tests.conformance.checking import allowed_of
from tests.fakes.answering import answering
from tests.fakes.bots import fake_bot
from tests.team_desk.conftest import client_of
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
SECRET = "s3cret-of-alpha"
TEAM, TEAMS = "/campaigns/small/team/", "/campaigns/small/teams/"
OWN, ANY = f"{TEAM}try/", f"{TEAMS}try/"
API_OWN, API_ANY = f"/api/v1{OWN}", f"/api/v1{ANY}"
FIND_OWN, FIND_ANY = f"/api/v1{TEAM}find/", f"/api/v1{TEAMS}find/"
OPTIONS = {"request": '{"text": "{{text}}", "id": "{{dialogue}}"}', "reply": "text"}
CONFIG = json.dumps({"version": "5.50.0", "api_prefix": "", "dependencies": [], "said": SECRET}).encode()
YES, NOT_NOW, OWN_ARE_USED = Taken


@pytest.fixture(autouse=True)
def places(monkeypatch):
    monkeypatch.setattr(trying, "_places", TryPlaces())
    return trying._places


@pytest.fixture(scope="module")
def bot():
    with fake_bot() as running:
        yield running


@pytest.fixture
def typed(bot, settings):
    """The form of a mapping."""
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", bot.port)})
    options = {f"option-{name}": value for name, value in OPTIONS.items()}
    return {"url": bot.url, "protocol": "mapping", "word": "你好", "act": "try", **options}


@pytest.fixture
def body(typed, bot):
    """The same for a program."""
    return {"url": bot.url, "protocol": "mapping", "options": OPTIONS, "word": "你好"}


@pytest.fixture
def organizers(organizer):
    return client_of(organizer)


@pytest.fixture(scope="module")
def gradio():
    def answer(method, path):
        return (200, {"Content-Type": "application/json"}, CONFIG) if path == "/config" else (404, {}, b"Not Found")

    with answering(answer) as (url, asked):
        yield url, asked


@pytest.fixture
def server(gradio, settings):
    url, asked = gradio
    settings.OUTBOUND_ALLOW = allowed_of(url)
    asked.clear()
    return url, asked


def shown(answer):
    return html.unescape(answer.content.decode())


def post(client, path, body):
    answer = client.post(path, json.dumps(body), content_type="application/json")
    return answer.status_code, answer.json()


def store(campaign, url):
    entry = campaign.entries.get()
    entry.url, entry.secret = url, SECRET
    entry.save()
    return entry


def fill(places):
    """Others take all places."""
    others = [Asker(f"person {n}", f"other {n}") for n in range(AT_ONCE)]
    assert {places.take(one, time.monotonic()) for one in others} == {YES}
    return others


def chosen(page):
    select = re.search(r'<select class="input" name="protocol".*?</select>', page, re.DOTALL)[0]
    named = re.search(r'value="([^"]*)" selected', select)
    return named[1] if named else re.search(r'<option value="([^"]*)"', select)[1]


def test_a_mapping_is_tried_and_all_that_came_of_it_is_shown(campaign, browser, typed, bot):
    with lines_of() as lines:
        answer = browser.post(OWN, typed | {"secret": SECRET, "option-headers": "X-Key: {{secret}}"})
    page = shown(answer)
    assert answer.status_code == 200
    for word in (
        "X-Key: ***",
        "curl -sS -X POST",
        '<code dir="ltr">text</code>',
        '<code dir="auto">"收到：你好"</code>',
    ):
        assert word in page
    assert SECRET not in page
    assert bot.headers[-1]["x-key"] == SECRET
    assert [(line.act, line.about) for line in lines] == [("bot.tried", bot.url.rstrip("/"))]
    assert campaign.entries.count() == 1


def test_a_program_gets_what_the_page_shows(campaign, browser, body, bot):
    with lines_of() as lines:
        options = OPTIONS | {"headers": "X-Key: {{secret}}"}
        status, tried = post(browser, API_OWN, body | {"secret": SECRET, "options": options})
    assert (status, tried["reply"], tried["failure"]) == (200, {"texts": ["收到：你好"], "end": False}, None)
    assert tried["found"] == [{"name": "reply", "path": "text", "value": '"收到：你好"', "n": 1}]
    assert [(one["asked"], one["status"]) for one in tried["answers"]] == [(f"POST {bot.url}", 200)]
    assert "X-Key: ***" in tried["curl"]
    assert SECRET not in json.dumps(tried)
    assert bot.headers[-1]["x-key"] == SECRET
    assert [(line.act, line.about) for line in lines] == [("bot.tried", bot.url.rstrip("/"))]
    assert campaign.entries.count() == 1


def test_what_a_path_does_not_find_stands_beside_it(campaign, browser, typed, body):
    page = shown(browser.post(OWN, typed | {"option-reply": "data.text"}))
    assert "reply: found nothing in the answer" in page
    assert page.count("found nothing in the answer") == 2
    assert '{"text": "收到：你好"}' in page
    status, tried = post(browser, API_OWN, body | {"options": OPTIONS | {"reply": "data.text"}})
    assert (status, tried["reply"]) == (200, None)
    assert tried["failure"] == {
        "kind": "bad_shape", "place": "reply", "detail": "found nothing in the answer", "status": 200, "answer": tried["answers"][0]["body"],
    }  # fmt: skip


def test_what_cannot_be_read_is_named_by_its_field_and_nothing_is_sent(campaign, browser, typed, body, bot):
    n_asked = len(bot.requests)
    answer = browser.post(OWN, typed | {"option-request": '{"q": ', "option-reply": "a["})
    page = shown(answer)
    assert answer.status_code == 422
    assert "is not JSON (line 1, column 6): Expecting value" in page
    assert "is not JMESPath" in page
    assert "private network" in shown(browser.post(OWN, typed | {"url": "http://10.0.0.8/"}))
    for wrong in ({"url": "http://10.0.0.8/"}, {"word": 7}, {"wrod": "x"}):
        assert post(browser, API_OWN, body | wrong)[1]["fields"].keys() == wrong.keys()
    assert post(browser, API_OWN, body | {"bot": "1"})[0] == 422
    assert len(bot.requests) == n_asked


def test_any_protocol_can_be_tried_and_a_failure_is_shown(campaign, browser, typed):
    assert "收到：你好" in shown(browser.post(OWN, typed | {"protocol": "huace/1"}))
    page = shown(browser.post(OWN, typed | {"protocol": "huace/1", "word": "!404"}))
    assert "http_4xx" in page
    assert "gone" in page


def test_the_stored_secret_goes_to_its_own_server_alone_and_is_never_shown(
    campaign, browser, organizers, typed, body, bot
):
    entry = store(campaign, bot.url)
    elsewhere = {"url": "https://other.example.com/"}
    page = shown(browser.post(OWN, typed | {"entry": entry.pk}))
    assert (bot.headers[-1]["authorization"], SECRET in page) == (f"Bearer {SECRET}", False)
    n_asked = len(bot.requests)
    answer = browser.post(OWN, typed | {"entry": entry.pk} | elsewhere)
    assert (answer.status_code, len(bot.requests)) == (422, n_asked)
    assert "was given for another server" in shown(answer)
    for client, path in ((browser, API_OWN), (organizers, API_ANY)):
        status, tried = post(client, path, body | {"bot": entry.pk})
        assert (status, bot.headers.pop()["authorization"]) == (200, f"Bearer {SECRET}")
        assert SECRET not in json.dumps(tried)
        assert post(client, path, body | {"bot": entry.pk} | elsewhere)[0] == 422


def test_a_server_that_repeats_the_secret_does_not_show_it(campaign, browser, typed):
    page = shown(browser.post(OWN, typed | {"secret": "alpha-key", "option-request": '{"text": "{{secret}}"}'}))
    assert "alpha-key" not in page
    assert "收到：***" in page


def test_a_preset_fills_the_form_and_calls_nobody(campaign, browser, typed, bot):
    n_asked = len(bot.requests)
    page = shown(browser.post(OWN, typed | {"act": "fill", "preset": "convlab", "option-end": "over"}))
    assert 'value="agent_state"' in page
    assert 'value="over"' not in page
    assert f'value="{bot.url}"' in page
    assert len(bot.requests) == n_asked


def test_what_is_tried_is_what_is_stored(campaign, browser, typed):
    browser.post(TEAM, typed | {"name": "Own bot", "option-cumulative": ""})
    entry = campaign.entries.get(bot__name="Own bot")
    assert (entry.protocol, entry.options) == ("mapping", OPTIONS)
    assert OPTIONS["request"] in shown(browser.get(f"{OWN}?entry={entry.pk}"))


def test_pages_and_programs_share_the_limit_of_a_person(campaign, browser, typed, body, bot, monkeypatch):
    monkeypatch.setattr(trying, "TRIES_LIMIT", 2)
    assert browser.post(OWN, typed).status_code == 200
    assert post(browser, API_OWN, body)[0] == 200
    n_asked = len(bot.requests)
    answer = browser.post(OWN, typed)
    assert "You have made 2 test calls within five minutes" in shown(answer)
    assert (answer.status_code, WINDOW_S) == (422, 300)
    answer = browser.post(API_OWN, json.dumps(body), content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert 0 < int(answer.headers["Retry-After"]) <= 300
    assert len(bot.requests) == n_asked


def test_a_call_that_had_no_place_is_none_of_the_persons_calls(campaign, browser, typed, body, places, monkeypatch):
    monkeypatch.setattr(trying, "TRIES_LIMIT", 1)
    others = fill(places)
    for _ in range(3):
        assert "Several systems are being tried" in shown(browser.post(OWN, typed))
    answer = browser.post(API_OWN, json.dumps(body), content_type="application/json")
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "busy", "5")
    for one in others:
        places.give_back(one)
    assert browser.post(OWN, typed).status_code == 200
    assert "You have made 1 test calls within five minutes" in shown(browser.post(OWN, typed))


def test_a_person_waits_for_one_bot_at_a_time(campaign, participant, browser, typed, places):
    team = campaign.team_members.get(person=participant).team
    own = Asker(str(participant.pk), f"team {team.pk}")
    assert places.take(own, time.monotonic()) is YES
    assert "You or your team are already trying a system" in shown(browser.post(OWN, typed))
    places.give_back(own)
    assert browser.post(OWN, typed).status_code == 200


def test_organizers_try_for_every_team_and_teams_their_own_alone(
    campaign, organizers, browser, other_entry, typed, body, bot
):
    assert "rival.example.com" in shown(organizers.get(f"{ANY}?entry={other_entry.pk}"))
    assert "收到：你好" in shown(organizers.post(ANY, typed))
    n_asked = len(bot.requests)
    assert browser.get(f"{OWN}?entry={other_entry.pk}").status_code == 404
    assert browser.post(OWN, typed | {"entry": other_entry.pk}).status_code == 404
    assert post(browser, API_OWN, body | {"bot": other_entry.pk})[0] == 404
    assert (browser.get(ANY).status_code, post(browser, API_ANY, body)[0]) == (404, 404)
    assert post(organizers, API_OWN, body)[0] == 404
    assert len(bot.requests) == n_asked
    for no_id in ("x", "9" * 10, "9" * 19, "9" * 5000):
        assert browser.get(f"{OWN}?entry={no_id}").status_code == 404
    campaign.entries.exclude(pk=other_entry.pk).update(id=10**17)
    assert "http://127.0.0.1:9/" in shown(browser.get(f"{OWN}?entry={10**17}"))


def test_every_option_of_a_mapping_is_named_in_words_beside_its_key(campaign, organizers):
    page = shown(organizers.get(ANY))
    for words, key in (("What is sent", "request"), ("The reply", "reply"), ("The last event", "done")):
        assert f'<span>{words} <code dir="ltr">{key}</code></span>' in page
    assert '> <code dir="ltr">' not in page


def test_every_protocol_has_a_name_and_a_line_on_the_form(campaign, browser):
    page = shown(browser.get(TEAM))
    with override("en"):
        for key, words in ADAPTERS.items():
            assert f">{words.name} ({key})</option>" in page
            assert words.line
            assert str(words.line) in page


@pytest.mark.parametrize("path", [TEAM, OWN, TEAMS, ANY])
def test_a_form_without_a_protocol_asks_the_url_shows_what_came_and_fills_in_its_protocol(
    campaign, browser, organizers, server, path
):
    url, asked = server
    by = organizers if "teams" in path else browser
    # A form on which nothing was chosen leaves the protocol to the platform.
    assert chosen(shown(by.get(path))) == "auto"
    named = {"name": "New one", "team": campaign.entries.get().bot.team.name, "parallel": "7"}
    with lines_of() as lines:
        answer = by.post(path, {"url": url, "protocol": "auto", "secret": SECRET, **named})
    page = shown(answer)
    assert (answer.status_code, chosen(page)) == (200, "gradio")
    for word in ("GET config is answered as Gradio 5.50.0 does.", 'value="New one"', 'value="7"', "GET /config"):
        assert word in page
    assert SECRET not in page
    assert {one.partition(" ")[0] for one in asked} == {"OPTIONS", "GET"}
    assert [(line.act, line.about) for line in lines] == [("bot.protocol_asked", url.rstrip("/"))]
    assert campaign.entries.count() == 1


def test_the_form_of_a_stored_system_asks_with_its_secret_for_its_own_server_alone(
    campaign, browser, organizers, server
):
    url, asked = server
    entry = store(campaign, url)
    for by, path in ((browser, f"{TEAM}bots/{entry.pk}/"), (organizers, f"{TEAMS}bots/{entry.pk}/")):
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
        page = shown(browser.post(TEAM, {"url": url, "protocol": "auto"}))
    assert chosen(page) == "auto"
    assert "Nothing in its answers speaks for one of these protocols" in page
    assert len(asked) > 5
    assert page.count("no such page") == 1
    assert len(re.findall(r'<code dir="ltr">(?:GET|OPTIONS) /', page)) == len(asked)
    page = shown(browser.post(TEAM, {"url": url, "protocol": "auto"}))
    assert "The URL gave no answer" in page
    assert "No connection was made" in page


def test_a_bot_that_takes_post_alone_is_told_so_in_one_row(campaign, browser, settings):
    with answering(lambda method, path: (501, {}, b"Unsupported method")) as (url, _asked):
        settings.OUTBOUND_ALLOW = allowed_of(url)
        page = shown(browser.post(TEAM, {"url": url, "protocol": "auto"}))
    assert "takes POST alone" in page
    assert page.count("HTTP 501") == 1


def test_what_was_recognized_is_registered_by_the_first_button_of_its_page(campaign, browser, server):
    url, _asked = server
    page = shown(browser.post(TEAM, {"url": url, "protocol": "auto", "name": "New one"}))
    first = re.search(r"<main.*?<button (.*?)>(.*?)</button>", page, re.DOTALL)
    assert (f'formaction="{TEAM}"' in first[1], "Recognized as gradio: register it" in first[2]) == (True, True)
    assert "Type the secret again" not in page
    shown_options = re.findall(r'data-protocols="([^"]*)">', page)
    assert shown_options
    assert all("gradio" in protocols.split() for protocols in shown_options)
    assert "Type the secret again" in shown(browser.post(TEAM, {"url": url, "protocol": "auto", "secret": SECRET}))


@pytest.mark.parametrize("url", ["http://10.0.0.8/", "ws://bot.example.org/", "", "http://bot.example.org:22/"])
def test_a_url_that_is_never_called_is_refused_before_anything_is_asked(campaign, browser, url):
    answer = browser.post(TEAM, {"url": url, "protocol": "auto"})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()


def test_programs_learn_the_protocol_within_the_same_limits(
    campaign, browser, organizers, other_entry, server, monkeypatch
):
    url, asked = server
    for client, path in ((browser, FIND_OWN), (organizers, FIND_ANY)):
        status, found = post(client, path, {"url": url, "secret": SECRET})
        assert (status, found["protocol"]) == (200, "gradio")
        assert found["clues"] == [{"protocol": "gradio", "because": "GET config is answered as Gradio 5.50.0 does."}]
        answers = {one["asked"]: (one["status"], one["kind"]) for one in found["tries"]}
        assert (answers["GET /config"], answers["OPTIONS /"]) == ((200, ""), (404, ""))
        assert SECRET not in json.dumps(found)
    n_asked = len(asked)
    assert post(browser, FIND_OWN, {"url": "http://10.0.0.8/"})[1]["fields"].keys() == {"url"}
    assert post(browser, FIND_OWN, {"url": url, "protocol": "rasa"})[1]["fields"].keys() == {"protocol"}
    assert post(browser, FIND_OWN, {"url": url, "bot": other_entry.pk})[0] == 404
    assert post(browser, FIND_ANY, {"url": url})[0] == 404
    monkeypatch.setattr(trying, "TRIES_LIMIT", 1)
    assert post(browser, FIND_OWN, {"url": url})[1]["code"] == "throttled"
    assert len(asked) == n_asked


def test_a_protocol_of_services_is_named_and_not_proposed():
    found = found_in(Guess({"smp2018_task1": "Its path ends with /smp2018_ecdt."}, 1), "")
    assert (found.protocol, found.best, [one.words for one in found.others]) == ("", None, [None])
    assert Found().protocol == ""


def take(places, at_s, *names):
    """What each gets in turn; `a1` is a person of team `a`."""
    return [places.take(Asker(name, name[0]), at_s) for name in names]


def test_one_person_has_one_place_and_one_team_two():
    places = TryPlaces(at_once=4, of_a_team=2, of_a_person=1)
    assert take(places, 0, "a1", "a1", "a2", "a3") == [YES, OWN_ARE_USED, YES, OWN_ARE_USED]
    # One person holds no more in another campaign, where they belong to another team.
    assert places.take(Asker("a1", "b"), 0) is OWN_ARE_USED
    assert take(places, 0, "b1", "b2") == [YES, YES]
    places.give_back(Asker("a1", "a"))
    assert take(places, 1, "a1") == [YES]


def test_a_free_place_is_kept_for_the_team_that_was_refused_first():
    places = TryPlaces(at_once=2, of_a_team=2, of_a_person=1)
    assert take(places, 0, "a1", "a2") == [YES, YES]
    assert take(places, 1, "b1") + take(places, 2, "c1") + take(places, 3, "b1") == [NOT_NOW] * 3
    places.give_back(Asker("a1", "a"))
    # One place is free, and team b has waited for longer than team c and the team that had it.
    assert take(places, 4, "a1", "c1", "b2") == [NOT_NOW, NOT_NOW, YES]
    places.give_back(Asker("a2", "a"))
    assert take(places, 5, "b1", "a2", "c1") == [NOT_NOW, NOT_NOW, YES]
    # Team a was refused before team b was again.
    places.give_back(Asker("c1", "c"))
    assert take(places, 6, "b1", "a1") == [NOT_NOW, YES]


def test_a_team_that_does_not_come_again_keeps_nobody_waiting():
    places = TryPlaces(at_once=1, of_a_team=1, of_a_person=1)
    assert take(places, 0, "a1", "b1", "c1") == [YES, NOT_NOW, NOT_NOW]
    places.give_back(Asker("a1", "a"))
    assert take(places, TURN_LASTS_S - 1, "c1") == [NOT_NOW]
    assert take(places, TURN_LASTS_S, "c1") == [YES]


def test_places_that_come_back_leave_nothing_behind(places):
    for _ in range(1000):
        assert take(places, 0, "a1") == [YES]
        places.give_back(Asker("a1", "a"))
    assert not places._of_persons
    assert not places._of_teams
