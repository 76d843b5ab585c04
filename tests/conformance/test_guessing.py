"""The protocol is told from GET and OPTIONS; nothing is posted."""

import asyncio
from threading import Event

import pytest

from conformance.guessing import address_of, clues_in, guess_protocol, may_ask_itself
from participants.adapters import ADAPTERS
from participants.adapters.contract import Adapter, Heard
from participants.adapters.native import ADAPTER
from participants.outbound import Door
from reading.findings import sentence
from tests.conformance.checking import allowed_of
from tests.fakes.answering import answering
from tests.fakes.bots import fake_bot
from tests.fakes.defective_bots import defective_bot, streaming_bot


def guessed(url, adapters=ADAPTERS, **more):
    async def guess():
        door = Door(allowed_of(url))
        try:
            return await guess_protocol(url, door, adapters, limit_s=1.0, **more)
        finally:
            await door.close()

    return asyncio.run(guess())


def of_old_flask(method, path):
    """ConvLab's `run_agent.py` as Flask 1.1 runs it: OPTIONS is Flask's own answer, and a GET of the URL would be its end."""
    headers = {"Server": "Werkzeug/1.0.1 Python/3.7.9"}
    if path != "/":
        return 404, headers, b"Not Found"
    assert method == "OPTIONS", "the agent hangs from now on"
    return 200, headers | {"Allow": "HEAD, OPTIONS, POST, GET", "Content-Type": "text/html; charset=utf-8"}, b""


def test_an_agent_that_a_get_would_end_is_asked_options_and_what_is_beside_it():
    with answering(of_old_flask) as (url, asked):
        guess = guessed(url)
    assert asked[0] == "OPTIONS /"
    assert not {"GET /", "POST /", "HEAD /"} & set(asked)
    assert "GET /version" in asked
    assert set(asked) <= set(guess.asked)
    assert "GET /" not in guess.asked


def test_a_server_that_says_what_it_speaks_is_asked_nothing_more():
    def native(method, path):
        return 204, {"Huace-Protocol": "huace/1"}, b""

    with answering(native) as (url, asked):
        guess = guessed(url)
    assert (guess.protocol, guess.asked, asked) == ("huace/1", ("OPTIONS /",), ["OPTIONS /"])


def test_all_questions_together_end_at_their_limit():
    is_over = Event()

    def hanging(method, path):
        is_over.wait(10)
        return 500, {}, b""

    with answering(hanging) as (url, asked):
        guess = guessed(url)
        is_over.set()
    assert guess.n_answers == 0
    assert "GET /" not in asked


@pytest.mark.parametrize(
    ("first", "may"),
    [
        (None, False),
        (Heard(405, {}, b"Method Not Allowed"), True),
        (Heard(405, {"allow": "POST"}, b""), False),
        (Heard(405, {"allow": "GET, POST"}, b"Method Not Allowed"), True),
        (Heard(200, {"allow": "GET,HEAD,POST"}, b"GET,HEAD,POST"), True),
        (Heard(200, {"allow": "HEAD, OPTIONS, POST, GET"}, b""), False),
        (Heard(200, {"allow": "POST, GET", "server": "gunicorn"}, b""), False),
        (Heard(200, {"allow": "POST, GET", "server": "Werkzeug/2.0.3 Python/3.8.1"}, b""), False),
        (Heard(200, {"allow": "POST, GET", "server": "Werkzeug/2.1.0 Python/3.8.1"}, b""), True),
        (Heard(200, {"allow": "post, get", "server": "Werkzeug/3.0.1 Python/3.12"}, b""), True),
        (Heard(404, {"server": "Werkzeug/1.0.1 Python/3.7"}, b"Not Found"), False),
    ],
)
def test_the_answer_to_options_says_whether_the_url_itself_bears_a_get(first, may):
    assert may_ask_itself(first) is may


def test_nothing_is_posted_to_find_out():
    with defective_bot() as bot:
        guess = guessed(bot.url)
    assert set(bot.methods) == {"GET", "OPTIONS"}
    assert guess.protocol == ""
    assert guess.n_answers >= 2


def test_the_path_names_the_protocol():
    with streaming_bot() as url:
        assert guessed(url).protocol == "openai"


def test_a_server_that_does_not_listen_is_no_clue():
    assert guessed("http://127.0.0.1:9/").n_answers == 0


def test_an_address_that_is_not_allowed_is_not_asked():
    async def guess():
        with fake_bot() as bot:
            door = Door()
            try:
                return await guess_protocol(bot.url, door, ADAPTERS), bot.headers
            finally:
                await door.close()

    guess, headers = asyncio.run(guess())
    assert (guess.clues, guess.n_answers, headers) == ({}, 0, [])


@pytest.mark.parametrize(
    "heard",
    [
        {("GET", ""): Heard(200, {}, b'{"protocol": "huace/1"}')},
        {("OPTIONS", ""): Heard(204, {"huace-protocol": "huace/1"}, b"")},
    ],
)
def test_a_native_bot_may_say_so_itself(heard):
    assert list(clues_in("http://bot.example/v1", heard, ADAPTERS)) == ["huace/1", "openai"]


@pytest.mark.parametrize("body", [b"", b"[]", b"<html>", b"[" * 100_000, b'{"protocol": 3}'])
def test_other_answers_say_nothing(body):
    assert clues_in("http://bot.example/", {("GET", ""): Heard(200, {}, body)}, ADAPTERS) == {}


def test_an_adapter_reads_the_answers_to_its_questions():
    def clue_in(heard):
        return sentence("It has a version.") if heard.get(("GET", "/version")) else None

    adapter = Adapter(send=ADAPTER.send, questions=(("GET", "/version"),), clue_in=clue_in)
    with defective_bot() as bot:
        guess = guessed(bot.url, {"rasa": adapter})
    assert guess.clues == {"rasa": sentence("It has a version.")}
    assert bot.methods["GET"] == 2


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("", "https://b.example/a/chat"),
        ("/config", "https://b.example/config"),
        ("models", "https://b.example/a/chat/models"),
    ],
)
def test_a_question_goes_to_the_bots_own_host(path, address):
    assert address_of("https://b.example/a/chat", path) == address
