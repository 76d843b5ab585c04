"""An address is tried before it is stored: one call, shown with all that came of it, and beside the fields what is wrong."""

import html
import json
import time

import pytest

from api.rate_limits import WINDOW_S
from team_desk import trying
from team_desk.trying import AT_ONCE, Asker, Taken, TryPlaces
from tests.fakes.bots import fake_bot
from tests.team_desk.conftest import client_of
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
OWN, ANY = "/campaigns/small/team/try/", "/campaigns/small/teams/try/"
MAPPING = {
    "protocol": "mapping",
    "word": "你好",
    "option-request": '{"text": "{{text}}", "id": "{{dialogue}}"}',
    "option-reply": "text",
    "act": "try",
}


@pytest.fixture(autouse=True)
def nobody_else_tries(monkeypatch):
    monkeypatch.setattr(trying, "_places", TryPlaces())


@pytest.fixture(scope="module")
def bot():
    with fake_bot() as running:
        yield running


@pytest.fixture
def typed(bot, settings):
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", bot.port)})
    return MAPPING | {"url": bot.url}


@pytest.fixture
def organizers(organizer):
    return client_of(organizer)


def shown(answer):
    return html.unescape(answer.content.decode())


def fill_places():
    """Others have all places."""
    others = [Asker(f"person {n}", f"other {n}") for n in range(AT_ONCE)]
    assert {trying._places.take(one, time.monotonic()) for one in others} == {Taken.YES}
    return others


def test_a_mapping_is_tried_and_all_that_came_of_it_is_shown(campaign, browser, typed, bot):
    with lines_of() as lines:
        answer = browser.post(OWN, typed | {"secret": "s3cret-of-alpha", "option-headers": "X-Key: {{secret}}"})
    page = shown(answer)
    assert answer.status_code == 200
    assert "收到：你好" in page
    assert "X-Key: ***" in page
    assert "curl -sS -X POST" in page
    assert "s3cret" not in page
    assert bot.headers[-1]["x-key"] == "s3cret-of-alpha"
    assert '<code dir="ltr">text</code>' in page
    assert '<code dir="auto">"收到：你好"</code>' in page
    assert [(line.act, line.about) for line in lines] == [("bot.tried", bot.url.rstrip("/"))]
    assert campaign.entries.count() == 1


def test_what_a_path_does_not_find_stands_beside_it(campaign, browser, typed):
    page = shown(browser.post(OWN, typed | {"option-reply": "data.text"}))
    assert "reply: found nothing in the answer" in page
    assert page.count("found nothing in the answer") == 2
    assert '{"text": "收到：你好"}' in page


def test_what_cannot_be_read_is_named_by_its_field_and_nothing_is_sent(campaign, browser, typed, bot):
    n_asked = len(bot.requests)
    answer = browser.post(OWN, typed | {"option-request": '{"q": ', "option-reply": "a["})
    page = shown(answer)
    assert answer.status_code == 422
    assert "is not JSON (line 1, column 6): Expecting value" in page
    assert "is not JMESPath" in page
    answer = browser.post(OWN, typed | {"url": "http://10.0.0.8/"})
    assert "private network" in shown(answer)
    assert len(bot.requests) == n_asked


def test_any_protocol_can_be_tried_and_a_failure_is_shown(campaign, browser, typed):
    page = shown(browser.post(OWN, typed | {"protocol": "huace/1"}))
    assert "收到：你好" in page
    page = shown(browser.post(OWN, typed | {"protocol": "huace/1", "word": "!404"}))
    assert "http_4xx" in page
    assert "gone" in page


def test_the_stored_secret_goes_to_its_own_server_alone_and_is_never_shown(campaign, browser, typed, bot):
    entry = campaign.entries.get()
    entry.url, entry.secret = bot.url, "stored-secret"
    entry.save()
    stored = typed | {"entry": entry.pk}
    page = shown(browser.post(OWN, stored))
    assert bot.headers[-1]["authorization"] == "Bearer stored-secret"
    assert "stored-secret" not in page
    n_asked = len(bot.requests)
    answer = browser.post(OWN, stored | {"url": "https://other.example.com/"})
    assert answer.status_code == 422
    assert "was given for another server" in shown(answer)
    assert len(bot.requests) == n_asked


def test_a_server_that_repeats_the_secret_does_not_show_it(campaign, browser, typed):
    secret = {"secret": "alpha-key", "option-request": '{"text": "{{secret}}"}'}
    page = shown(browser.post(OWN, typed | secret))
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
    browser.post("/campaigns/small/team/", typed | {"name": "Own bot", "option-cumulative": ""})
    entry = campaign.entries.get(bot__name="Own bot")
    assert (entry.protocol, entry.options) == (
        "mapping", {"request": MAPPING["option-request"], "reply": "text"},
    )  # fmt: skip
    page = shown(browser.get(f"{OWN}?entry={entry.pk}"))
    assert MAPPING["option-request"] in page


def test_a_person_makes_so_many_calls_in_five_minutes(campaign, browser, typed, bot, monkeypatch):
    monkeypatch.setattr(trying, "TRIES_LIMIT", 2)
    for _ in range(2):
        assert browser.post(OWN, typed).status_code == 200
    n_asked = len(bot.requests)
    answer = browser.post(OWN, typed)
    assert "You have made 2 test calls within five minutes" in shown(answer)
    assert (answer.status_code, len(bot.requests), WINDOW_S) == (422, n_asked, 300)


def test_few_wait_for_bots_at_the_same_time(campaign, browser, typed):
    others = fill_places()
    try:
        assert "Several systems are being tried" in shown(browser.post(OWN, typed))
    finally:
        for one in others:
            trying._places.give_back(one)


def test_a_call_that_had_no_place_is_none_of_the_persons_calls(campaign, browser, typed, bot, monkeypatch):
    monkeypatch.setattr(trying, "TRIES_LIMIT", 1)
    others = fill_places()
    for _ in range(3):
        assert "Several systems are being tried" in shown(browser.post(OWN, typed))
    for one in others:
        trying._places.give_back(one)
    assert browser.post(OWN, typed).status_code == 200
    assert "You have made 1 test calls within five minutes" in shown(browser.post(OWN, typed))


def test_a_person_waits_for_one_bot_at_a_time(campaign, participant, browser, typed, bot):
    team = campaign.team_members.get(person=participant).team
    own = Asker(str(participant.pk), f"team {team.pk}")
    assert trying._places.take(own, time.monotonic()) is Taken.YES
    try:
        assert "You or your team are already trying a system" in shown(browser.post(OWN, typed))
    finally:
        trying._places.give_back(own)
    assert browser.post(OWN, typed).status_code == 200


def test_organizers_try_for_every_team_and_teams_their_own_alone(
    campaign, organizers, browser, other_entry, typed, bot
):
    page = shown(organizers.get(f"{ANY}?entry={other_entry.pk}"))
    assert "rival.example.com" in page
    assert "收到：你好" in shown(organizers.post(ANY, typed))
    assert browser.get(f"{OWN}?entry={other_entry.pk}").status_code == 404
    assert browser.post(OWN, typed | {"entry": other_entry.pk}).status_code == 404
    for no_id in ("x", "9" * 10, "9" * 19, "9" * 5000):
        assert browser.get(f"{OWN}?entry={no_id}").status_code == 404
    campaign.entries.exclude(pk=other_entry.pk).update(id=10**17)
    assert "http://127.0.0.1:9/" in shown(browser.get(f"{OWN}?entry={10**17}"))
    assert browser.get(ANY).status_code == 404
    assert json.loads(json.dumps(bot.requests[-1]))["text"] == "你好"


def test_every_option_of_a_mapping_is_named_in_words_beside_its_key(campaign, organizers):
    page = shown(organizers.get(ANY))
    for words, key in (("What is sent", "request"), ("The reply", "reply"), ("The last event", "done")):
        assert f'<span>{words} <code dir="ltr">{key}</code></span>' in page
    assert '> <code dir="ltr">' not in page
