"""A mapping over a WebSocket: against servers of aiohttp's, which frame what they say by themselves."""

import asyncio
import json

import pytest

from participants.adapters import ADAPTERS, BotAddress, BotCall, History
from participants.adapters.asking import ask
from participants.adapters.shown_requests import request_of
from participants.adapters.trying import tried
from participants.bot_form import read_address
from participants.bot_urls import check_bot_url
from participants.failures import BotFailure
from participants.outbound import Door
from reading.checking import BadForm
from reading.kinds import Wrong
from tests.fakes.socket_bots import socket_bot

REQUEST = '{"q": "{{text}}", "id": "{{dialogue}}", "state": "{{state}}"}'
WHOLE = {"request": REQUEST, "stream_kind": "websocket", "reply": "a"}
STREAM = {"request": REQUEST, "stream_kind": "websocket", "delta": "d", "done": "last"}


def call(host, options, history=None, secret="s3cret", scheme="ws"):
    address = BotAddress("mapping", f"{scheme}://{host}/live", secret, options)
    return BotCall(address, "d-1", 1, "订票", "d-1:1", history or History(), deadline_s=2.0)


def saying(*messages, heard=None, headers=None, code=None):
    """A bot that says these once it has heard one; then it waits, or closes with a code."""

    async def serve(socket, request):
        if headers is not None:
            headers.update(request.headers)
        said = await socket.receive()
        if heard is not None:
            heard.append(json.loads(said.data))
        for message in messages:
            await socket.send_str(message if isinstance(message, str) else json.dumps(message))
        if code is not None:
            await socket.close(code=code)
        else:
            # Until the platform leaves.
            await socket.receive()

    return serve


async def asked(serve, options, *, parts=None, **more):
    """The reply, or the failure."""
    async with socket_bot(serve) as (door, host):
        try:
            return await ask(call(host, options, **more), door, (parts if parts is not None else []).append, ADAPTERS)
        except BotFailure as failure:
            return failure


async def test_the_template_is_one_message_and_the_first_reply_is_the_reply():
    heard, headers = [], {}
    serve = saying({"type": "hello"}, {"a": "您好", "s": [1]}, {"a": "late"}, heard=heard, headers=headers)
    reply = await asked(serve, WHOLE | {"state": "s"}, history=History(state={"n": 1}))
    assert (reply.texts, reply.state, len(reply.tries)) == (("您好",), [1], 1)
    assert heard == [{"q": "订票", "id": "d-1", "state": {"n": 1}}]
    assert headers["Authorization"] == "Bearer s3cret"


async def test_the_platform_leaves_as_soon_as_it_has_the_reply():
    left = asyncio.Event()

    async def serve(socket, request):
        await socket.receive()
        await socket.send_json({"a": "好"})
        await socket.receive()
        left.set()

    async with socket_bot(serve) as (door, host):
        reply = await ask(call(host, WHOLE), door, lambda part: None, ADAPTERS)
        async with asyncio.timeout(60):
            await left.wait()
    assert reply.texts == ("好",)


async def test_deltas_are_shown_as_they_come_and_done_completes_the_reply():
    parts = []
    reply = await asked(saying({"d": "您"}, {"d": "好"}, {"last": True}, {"d": "!"}), STREAM, parts=parts)
    assert (reply.texts, parts) == (("您好",), ["您", "好"])


async def test_a_bot_may_end_a_stream_by_closing_its_socket():
    options = {name: value for name, value in STREAM.items() if name != "done"}
    reply = await asked(saying({"d": "您"}, {"d": "好"}, code=1000), options)
    assert reply.texts == ("您好",)


@pytest.mark.parametrize(
    ("serve", "options", "kind", "detail"),
    [
        (saying(code=1000), WHOLE, "empty", "without a message"),
        (saying({"b": 1}, code=1000), WHOLE, "bad_shape", "reply: found nothing in the answer"),
        (saying({"d": "您"}, code=1000), STREAM, "bad_shape", "broke off"),
        (saying({"d": "您"}, code=1011), STREAM, "connect", "1011"),
        (saying("您好"), WHOLE, "bad_json", ""),
        (saying({"a": 3}), WHOLE, "bad_shape", "must be a text"),
        (saying({"e": "full"}), WHOLE | {"error": "e"}, "bad_shape", "full"),
        (saying({"b": 1}), WHOLE, "timeout_first_byte", ""),
    ],
)
async def test_what_is_no_reply_is_a_typed_failure_of_the_bots(serve, options, kind, detail):
    async with socket_bot(serve) as (door, host):
        slow = call(host, options)
        with pytest.raises(BotFailure) as failed:
            await ask(BotCall(slow.bot, "d-1", 1, "订票", "d-1:1", deadline_s=0.5), door, lambda part: None, ADAPTERS)
    assert failed.value.kind == kind
    assert detail in failed.value.detail.in_english
    assert (failed.value.reached_bot, len(failed.value.tries)) == (True, 1)


async def test_inner_addresses_are_not_connected_to():
    n_came = []

    async def serve(socket, request):
        n_came.append(1)

    async with socket_bot(serve) as (_, host):
        with pytest.raises(BotFailure) as failed:
            await ask(call(host, WHOLE), Door(), lambda part: None, ADAPTERS)
    assert (failed.value.kind, n_came) == ("blocked_address", [])


async def test_a_request_is_shown_as_a_command_that_sends_the_message():
    shown = request_of(call("bot.example", WHOLE, scheme="wss"), ADAPTERS)
    assert shown.as_curl == (
        """printf '%s\\n' '{"q":"订票","id":"d-1","state":null}' | """
        "websocat -n1 -H 'Idempotency-Key: d-1:1' -H 'Authorization: Bearer s3cret' wss://bot.example/live"
    )


async def test_a_try_shows_the_messages_that_came_without_the_secret():
    async with socket_bot(saying({"type": "hello s3cret"}, {"a": "好"})) as (door, host):
        result = await tried(call(host, WHOLE), door, ADAPTERS)
    assert (result.reply.texts, result.failure) == (("好",), None)
    (exchange,) = result.exchanges
    assert (exchange.asked, exchange.status) == (f"ws://{host}/live", 101)
    assert exchange.body == '{"type": "hello ***"}\n{"a": "\\u597d"}\n'
    assert [(one.name, one.value) for one in result.found] == [("reply", '"好"')]
    assert "s3cret" not in result.curl


def wrong_in(url, protocol="mapping", options=None):
    said = {"url": url, "protocol": protocol, "options": {} if options is None else options}
    try:
        read_address(said, ADAPTERS)
    except BadForm as bad:
        return {problem.place for problem in bad.problems}
    return set()


@pytest.mark.parametrize("url", ["ws://bot.example/live", "wss://bot.example:8443/live"])
def test_a_url_of_a_websocket_goes_with_a_mapping_over_one_and_nothing_else(url):
    assert wrong_in(url, options=WHOLE) == set()
    assert wrong_in(url, options={"request": REQUEST, "reply": "a"}) == {"url"}
    assert wrong_in(url, "huace/1") == {"url"}
    assert wrong_in(url.replace("ws", "http", 1), options=WHOLE) == {"url"}


@pytest.mark.parametrize(
    "url",
    [
        "wss://10.0.0.8/",
        "ws://localhost:8000/",
        "ws://127.1/",
        "wss://u:p@bot.example/",
        "ws://bot.example:22/",
        "WSS://x/",
    ],
)
def test_urls_of_websockets_have_the_rules_of_others(url):
    with pytest.raises(Wrong):
        check_bot_url(url, frozenset())


def test_a_url_of_a_websocket_is_stored_as_it_is():
    assert check_bot_url("wss://bot.example/live", frozenset()) == "wss://bot.example/live"
    assert check_bot_url("ws://127.0.0.1:9001/", {("127.0.0.1", 9001)}) == "ws://127.0.0.1:9001/"
