"""What the page of tries shows, a program gets: the same call, limits and trail."""

import json

import pytest

from accounts.models import ApiToken
from team_desk import trying
from team_desk.trying import TryPlaces
from tests.fakes.bots import fake_bot
from tests.team_desk.test_try_views import fill_places
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
OWN, ANY = "/api/v1/campaigns/small/team/try/", "/api/v1/campaigns/small/teams/try/"
OPTIONS = {"request": '{"text": "{{text}}"}', "reply": "text"}


@pytest.fixture(autouse=True)
def nobody_else_tries(monkeypatch):
    monkeypatch.setattr(trying, "_places", TryPlaces())


@pytest.fixture(scope="module")
def bot():
    with fake_bot() as running:
        yield running


@pytest.fixture
def said(bot, settings):
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", bot.port)})
    return {"url": bot.url, "protocol": "mapping", "options": OPTIONS, "word": "你好"}


@pytest.fixture
def post(client):
    tokens = {}

    def posted(person, path, body):
        if person.pk not in tokens:
            tokens[person.pk] = ApiToken.objects.create(user=person)[1]
        headers = {"authorization": f"Token {tokens[person.pk]}", "accept-language": "en"}
        answer = client.post(path, json.dumps(body), content_type="application/json", headers=headers)
        return answer.status_code, answer.json()

    return posted


def test_a_mapping_is_tried_and_all_that_came_of_it_is_told(campaign, participant, post, said, bot):
    options = OPTIONS | {"headers": "X-Key: {{secret}}"}
    with lines_of() as lines:
        status, tried = post(participant, OWN, said | {"secret": "s3cret-of-alpha", "options": options})
    assert (status, tried["reply"], tried["failure"]) == (200, {"texts": ["收到：你好"], "end": False}, None)
    assert tried["found"] == [{"name": "reply", "path": "text", "value": '"收到：你好"', "n": 1}]
    assert [(one["asked"], one["status"]) for one in tried["answers"]] == [(f"POST {bot.url}", 200)]
    assert "X-Key: ***" in tried["curl"]
    assert "s3cret" not in json.dumps(tried)
    assert bot.headers[-1]["x-key"] == "s3cret-of-alpha"
    assert [(line.act, line.about) for line in lines] == [("bot.tried", bot.url.rstrip("/"))]
    assert campaign.entries.count() == 1


def test_a_failure_is_an_answer_too_and_says_which_field_it_is_about(campaign, participant, post, said):
    status, tried = post(participant, OWN, said | {"options": OPTIONS | {"reply": "data.text"}})
    assert (status, tried["reply"]) == (200, None)
    assert tried["failure"] == {
        "kind": "bad_shape", "place": "reply", "detail": "found nothing in the answer", "status": 200, "answer": tried["answers"][0]["body"],
    }  # fmt: skip


def test_fields_are_named_as_on_the_page_and_nothing_is_sent(campaign, participant, post, said, bot):
    n_asked = len(bot.requests)
    assert post(participant, OWN, said | {"url": "http://10.0.0.8/"})[1]["fields"].keys() == {"url"}
    assert post(participant, OWN, said | {"word": 7})[1]["fields"].keys() == {"word"}
    assert post(participant, OWN, said | {"wrod": "x"})[1]["fields"].keys() == {"wrod"}
    assert post(participant, OWN, said | {"bot": "1"})[0] == 422
    assert len(bot.requests) == n_asked


def test_the_stored_secret_is_used_for_its_own_server_alone(campaign, participant, organizer, post, said, bot):
    entry = campaign.entries.get()
    entry.url, entry.secret = bot.url, "stored-secret"
    entry.save()
    for person, path in ((participant, OWN), (organizer, ANY)):
        status, tried = post(person, path, said | {"bot": entry.pk})
        assert (status, bot.headers[-1]["authorization"]) == (200, "Bearer stored-secret")
        assert "stored-secret" not in json.dumps(tried)
        assert post(person, path, said | {"bot": entry.pk, "url": "https://other.example.com/"})[0] == 422


def test_no_team_uses_the_secret_of_another(campaign, participant, organizer, other_entry, post, said, bot):
    n_asked = len(bot.requests)
    assert post(participant, OWN, said | {"bot": other_entry.pk})[0] == 404
    assert post(participant, ANY, said)[0] == 404
    assert post(organizer, OWN, said)[0] == 404
    assert len(bot.requests) == n_asked


def asked(client, person, said):
    headers = {"authorization": f"Token {ApiToken.objects.create(user=person)[1]}"}
    return client.post(OWN, json.dumps(said), content_type="application/json", headers=headers)


def test_a_program_learns_how_long_to_wait(campaign, participant, client, said, bot, monkeypatch):
    others = fill_places()
    try:
        answer = asked(client, participant, said)
    finally:
        for one in others:
            trying._places.give_back(one)
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "busy", "5")
    monkeypatch.setattr(trying, "TRIES_LIMIT", 1)
    # The call that had no place used nothing up.
    assert asked(client, participant, said).status_code == 200
    answer = asked(client, participant, said)
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert 0 < int(answer.headers["Retry-After"]) <= 300


def test_pages_and_programs_share_the_limit(campaign, participant, browser, post, said, bot, monkeypatch):
    monkeypatch.setattr(trying, "TRIES_LIMIT", 1)
    typed = {"url": bot.url, "protocol": "huace/1", "word": "你好", "act": "try"}
    assert browser.post("/campaigns/small/team/try/", typed).status_code == 200
    n_asked = len(bot.requests)
    status, problem = post(participant, OWN, said)
    assert (status, problem["code"], len(bot.requests)) == (429, "throttled", n_asked)
