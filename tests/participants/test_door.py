"""The outbound door, against bots on real sockets."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from participants.adapters import ADAPTERS
from participants.adapters.asking import ask
from participants.failures import BotFailure
from participants.outbound import Door
from participants.outbound.door import IDLE_LIMIT_S
from tests.fakes.raw_bots import CLOSE, RESET, http, raw_bot
from tests.participants.talking import call_of, door_to, failure_of


@pytest.mark.parametrize(("text", "kind"), [("!hang", "timeout_first_byte"), ("!drip", "timeout_total")])
async def test_one_deadline_stands_around_the_whole_exchange(bot, text, kind):
    failure = await failure_of(bot, text, deadline_s=0.7)
    assert failure.kind == kind


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/", "http://localhost:8080/", "http://127.1:8080/", "http://2130706433:8080/",
        "http://0x7f.1:8080/", "http://[::1]:8080/", "http://[::ffff:127.0.0.1]:8080/", "http://0.0.0.0:8080/",
        "http://10.1.2.3/", "http://192.168.1.1/", "http://172.16.0.1/", "http://169.254.169.254/latest/",
        "http://100.64.0.1/", "http://[fe80::1]/", "http://[fd00::1]/", "http://[64:ff9b::7f00:1]/",
        "http://[::7f00:1]/", "http://224.0.0.1/", "http://255.255.255.255/", "http://198.18.0.1/",
        "http://8.8.8.8:22/", "http://8.8.8.8:6379/", "http://8.8.8.8:25/", "http://user:pass@example.org/",
        "ftp://example.org/", "file:///etc/passwd", "http:///x", "http://[bad/", "gopher://127.0.0.1:70/",
    ],
)  # fmt: skip
async def test_no_address_that_is_not_public_is_connected_to(bot, url):
    failure = await failure_of(bot, "x", url=url, deadline_s=2)
    assert failure.kind == "blocked_address"


async def test_a_connection_is_kept_and_one_found_closed_is_not_used(bot):
    door = Door(frozenset({("127.0.0.1", bot.port)}))
    for text in ("a", "b", "!close"):
        try:
            await ask(call_of(bot, text), door, lambda part: None, ADAPTERS)
        except BotFailure:
            await asyncio.sleep(0.05)
    reply = await ask(call_of(bot, "c"), door, lambda part: None, ADAPTERS)
    assert reply.texts == ("收到：c",)
    await door.close()


async def two_turns(first, second, *, pause_s=0.0):
    """Two turns of one process with a bot: what came of the second, and the bot."""
    async with raw_bot(first, second) as bot, door_to(bot) as door:
        outcomes = []
        for text in "ab":
            await asyncio.sleep(pause_s if outcomes else 0)
            try:
                outcomes.append(await ask(call_of(bot, text), door, lambda part: None, ADAPTERS))
            except BotFailure as failure:
                outcomes.append(failure)
    return outcomes[1], bot


OK = http(b'{"text": "ok"}')


@pytest.mark.parametrize("end", [CLOSE, RESET])
async def test_what_breaks_on_a_kept_connection_before_an_answer_is_nobodys_fault_and_not_sent_again(end):
    failure, bot = await two_turns(OK, [end])
    assert (failure.kind, failure.fault, failure.reached_bot) == ("connect", "nobody", True)
    assert bot.n_connections == 1
    assert [request["text"] for request in bot.asked] == ["a", "b"]


UNASKED = http(b'{"text": "nobody asked"}')


@pytest.mark.parametrize(
    "unasked", [UNASKED, UNASKED * 1000, UNASKED[:30], b"junk\r\n\r\n"], ids=["one", "many", "begun", "junk"]
)
async def test_what_a_bot_says_unasked_is_never_the_answer_to_a_later_turn(unasked):
    reply, bot = await two_turns([OK, 0.05, unasked], OK, pause_s=0.3)
    assert reply.texts == ("ok",)
    assert bot.n_connections == 2


async def test_a_bot_that_speaks_first_is_connected_to_once():
    async def speak(reader, writer):
        greeted.append(writer)
        writer.write(b"SSH-2.0-OpenSSH\r\n")

    greeted = []
    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    door = Door(frozenset({("127.0.0.1", port)}))
    with pytest.raises(BotFailure) as failed:
        await ask(call_of(None, "a", url=f"http://127.0.0.1:{port}/"), door, lambda part: None, ADAPTERS)
    await door.close()
    server.close()
    assert failed.value.fault == "bot"
    assert len(greeted) == 1


async def test_what_breaks_on_a_new_connection_is_the_fault_of_the_bot():
    failure, bot = await two_turns([OK, CLOSE], [CLOSE], pause_s=0.3)
    assert (failure.kind, failure.fault) == ("connect", "bot")
    assert bot.n_connections == 2


@pytest.mark.parametrize("begun", [b"HTTP/1.1 200 OK\r\nContent-", OK[:-3]])
async def test_what_breaks_within_the_answer_is_the_fault_of_the_bot(begun):
    failure, bot = await two_turns(OK, [begun, CLOSE])
    assert failure.fault == "bot"
    assert bot.n_connections == 1


async def test_a_connection_is_kept_for_less_than_four_seconds():
    assert IDLE_LIMIT_S < 4
    _, bot = await two_turns(OK, OK, pause_s=IDLE_LIMIT_S + 0.3)
    assert bot.n_connections == 2


async def test_a_refused_answer_leaves_its_status_and_first_bytes():
    failure, _ = await two_turns(OK, http(b'{"txt": 1}'))
    assert (failure.kind, failure.status, failure.evidence) == ("bad_shape", 200, '{"txt": 1}')


@asynccontextmanager
async def line_to(bot, deadline_s=2.0):
    door = Door(frozenset({("127.0.0.1", bot.port)}))
    try:
        yield door.line(deadline_s)
    finally:
        await door.close()


async def test_a_question_goes_the_way_of_every_request():
    async with raw_bot(http(b'{"version": 1}')) as bot, line_to(bot) as line:
        async with line.get(bot.url + "config", {"X": "y"}) as answer:
            assert (await answer.body(), answer.response.status) == (b'{"version": 1}', 200)
        async with line.options(bot.url) as answer:
            assert await answer.body() == b'{"version": 1}'


@pytest.mark.parametrize("method", ["get", "options"])
async def test_a_probe_may_read_a_status_that_is_no_answer_to_others(method):
    async with raw_bot(http(b"no such page", status="404 Not Found")) as bot, line_to(bot) as line:
        asks = getattr(line, method)
        with pytest.raises(BotFailure) as failed:
            async with asks(bot.url):
                pass
        assert (failed.value.kind, failed.value.status) == ("http_4xx", 404)
        async with asks(bot.url, is_any_status_an_answer=True) as answer:
            assert (answer.response.status, await answer.body()) == (404, b"no such page")


@pytest.mark.parametrize("method", ["get", "options"])
async def test_questions_pass_the_guard_and_have_a_deadline(method):
    async with raw_bot([5]) as bot, line_to(bot, 0.2) as line:
        with pytest.raises(BotFailure) as failed:
            async with getattr(line, method)(f"http://127.0.0.2:{bot.port}/"):
                pass
        assert failed.value.kind == "blocked_address"
        with pytest.raises(BotFailure) as failed:
            async with getattr(line, method)(bot.url):
                pass
        assert failed.value.kind == "timeout_first_byte"
