"""The three protocols and the outbound door, against bots on real sockets."""

import asyncio
import json
import time

import pytest

from participants.adapters import ADAPTERS, BotAddress, BotCall, Utterance
from participants.adapters.asking import ask, pause_before_retry
from participants.failures import BotFailure, FailureKind
from participants.outbound import Door
from tests.fakes.bots import fake_bot


@pytest.fixture(scope="module")
def bot():
    with fake_bot() as running:
        yield running


def call_of(bot, text, *, protocol="huace/1", deadline_s=2.0, url=None, **named):
    address = BotAddress(protocol, url or bot.url, secret="s3cret")
    return BotCall(address, "d-1", 3, text, "d-1:3", deadline_s=deadline_s, **named)


async def reply_to(call, *allowed, heard=None):
    door = Door(frozenset(allowed))
    try:
        return await ask(call, door, heard.append if heard is not None else lambda part: None, ADAPTERS)
    finally:
        await door.close()


async def talk(bot, text, **named):
    return await reply_to(call_of(bot, text, **named), ("127.0.0.1", bot.port))


async def failure_of(bot, text, **named) -> BotFailure:
    with pytest.raises(BotFailure) as failed:
        await talk(bot, text, **named)
    return failed.value


async def test_the_native_protocol_carries_what_design_says(bot):
    history = (Utterance("user", "你好"), Utterance("bot", "您好"))
    reply = await talk(bot, "订票", history=history, context={"kb": [1]})
    assert reply.texts == ("收到：订票",)
    request, headers = bot.requests[-1], bot.headers[-1]
    assert request == {
        "protocol": "huace/1", "dialogue": "d-1", "turn": 3, "text": "订票",
        "history": [{"role": "user", "text": "你好"}, {"role": "bot", "text": "您好"}],
        "context": {"kb": [1]}, "language": "zh", "deadline_ms": request["deadline_ms"],
    }  # fmt: skip
    assert 0 < request["deadline_ms"] <= 2000
    assert headers["idempotency-key"] == "d-1:3"
    assert headers["authorization"] == "Bearer s3cret"
    assert headers["accept-encoding"] == "identity"
    assert "cookie" not in headers


async def test_several_texts_are_one_turn(bot):
    assert (await talk(bot, "!two")).texts == ("一", "二")


async def test_a_blank_text_is_a_reply(bot):
    assert (await talk(bot, "!blank")).texts == ("  ",)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("!500", "http_5xx"), ("!404", "http_4xx"), ("!201", "bad_shape"), ("!redirect", "bad_shape"),
        ("!html", "bad_json"), ("!nan", "bad_json"), ("!twice", "bad_json"), ("!deep", "bad_json"),
        ("!latin", "bad_json"), ("!surrogate", "bad_shape"), ("!number", "bad_shape"), ("!null", "bad_shape"),
        ("!list", "bad_shape"), ("!without", "bad_shape"), ("!no-body", "empty"), ("!no-texts", "empty"),
        ("!gzip", "bad_shape"), ("!big", "too_long"), ("!garbage", "bad_shape"), ("!headers", "bad_shape"),
        ("!reset", "connect"), ("!close", "connect"), ("!short", "bad_shape"),
    ],
)  # fmt: skip
async def test_every_failure_is_typed_and_sent_once_only(bot, text, kind):
    before = bot.seen[text]
    failure = await failure_of(bot, text)
    assert failure.kind == kind
    assert failure.fault == "bot"
    assert failure.reached_bot
    assert bot.seen[text] == before + 1, "bytes reached the bot: it must not be asked again by itself"


@pytest.mark.parametrize(("text", "kind"), [("!hang", "timeout_first_byte"), ("!drip", "timeout_total")])
async def test_one_deadline_stands_around_the_whole_exchange(bot, text, kind):
    started = time.monotonic()
    failure = await failure_of(bot, text, deadline_s=0.7)
    assert failure.kind == kind
    assert time.monotonic() - started < 1.5


async def test_a_refused_connection_is_tried_again_within_the_deadline(bot):
    started = time.monotonic()
    failure = await failure_of(bot, "x", url="http://127.0.0.1:9/", deadline_s=1.0)
    assert failure.kind == "blocked_address"  # port 9 was not named
    with pytest.raises(BotFailure) as refused:
        await reply_to(call_of(bot, "x", url="http://127.0.0.1:9/", deadline_s=1.0), ("127.0.0.1", 9))
    assert refused.value.kind == "connect"
    assert not refused.value.reached_bot
    assert 0.4 < time.monotonic() - started < 1.5


async def test_a_name_that_does_not_resolve_is_a_dns_failure(bot):
    failure = await failure_of(bot, "x", url="http://no-such-host.invalid/", deadline_s=0.4)
    assert (failure.kind, failure.reached_bot) == ("dns", False)


async def test_a_bot_that_asks_to_wait_a_little_is_asked_once_more(bot):
    assert (await talk(bot, "!later bitte", deadline_s=4)).texts == ("收到：!later bitte",)
    assert bot.seen["!later bitte"] == 2


def test_only_what_never_arrived_is_sent_again():
    unsent = BotFailure(FailureKind.CONNECT, "", reached_bot=False)
    broken = BotFailure(FailureKind.CONNECT, "", reached_bot=True)
    assert [pause_before_retry(unsent, n, 0) for n in range(3)] == [0.5, 2.0, None]
    assert pause_before_retry(broken, 0, 0) is None
    busy = BotFailure(FailureKind.HTTP_5XX, "", retry_after_s=3)
    assert pause_before_retry(busy, 0, 0) == 3
    assert pause_before_retry(busy, 0, 1) is None
    assert pause_before_retry(BotFailure(FailureKind.HTTP_5XX, "", retry_after_s=11), 0, 0) is None


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


async def serve_once(content: bytes, *, pause_s: float = 0.0):
    """A server that answers every request with raw bytes, piece by piece at `|`."""
    asked = []

    async def answer(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        asked.append(json.loads(await reader.readexactly(length)))
        for piece in content.split(b"|"):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause_s)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    return server, server.sockets[0].getsockname()[1], asked


SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def piece(text: str, finish: str | None = None) -> bytes:
    body = {"choices": [{"delta": {"content": text} if text else {}, "finish_reason": finish}]}
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode()


async def ask_openai(content: bytes, **named):
    server, port, asked = await serve_once(content, **named)
    heard: list[str] = []
    call = call_of(None, "订票", protocol="openai", url=f"http://127.0.0.1:{port}/v1/chat/completions",
                   history=(Utterance("user", "你好"), Utterance("bot", "您好")))  # fmt: skip
    async with server:
        try:
            return await reply_to(call, ("127.0.0.1", port), heard=heard), heard, asked
        except BotFailure as failure:
            return failure, heard, asked


async def test_a_stream_is_heard_as_it_comes_even_if_cut_inside_a_character():
    stream = SSE + b": comment\n\n" + piece("您好") + piece("，请问") + piece("", "stop") + b"data: [DONE]\n\n"
    half = stream.index("请".encode()) + 1
    reply, heard, asked = await ask_openai(stream[:half] + b"|" + stream[half:], pause_s=0.02)
    assert reply.texts == ("您好，请问",)
    assert heard == ["您好", "，请问"]
    assert [message["role"] for message in asked[0]["messages"]] == ["user", "assistant", "user"]
    assert asked[0]["stream"] is True


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        (SSE + piece("您好"), "bad_shape"),
        (SSE + piece("", "stop") + b"data: [DONE]\n\n", "empty"),
        (SSE + b"data: {not json}\n\n", "bad_json"),
        (SSE + b'data: {"error": {"message": "x"}}\n\n', "bad_shape"),
        (SSE + b'data: {"choices": [{"delta": {"content": 7}}]}\n\n', "bad_shape"),
    ],
)
async def test_a_stream_that_breaks_off_or_says_nothing_is_a_failure(stream, kind):
    failure, *_ = await ask_openai(stream)
    assert failure.kind == kind


async def test_a_server_that_does_not_stream_is_read_whole():
    body = json.dumps({"choices": [{"message": {"content": "您好"}}]}).encode()
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    reply, *_ = await ask_openai(whole)
    assert reply.texts == ("您好",)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'[{"recipient_id": "d", "text": "a"}, {"image": "x"}, {"text": "b"}]', ("a", "b")),
        (b"[]", "empty"),
        (b'[{"image": "x"}]', "bad_shape"),
        (b'{"text": "a"}', "bad_shape"),
        (b'[{"text": null}]', "bad_shape"),
    ],
)
async def test_rasa_messages_together_are_one_turn(body, expected):
    content = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    server, port, asked = await serve_once(content)
    call = call_of(None, "订票", protocol="rasa", url=f"http://127.0.0.1:{port}/webhooks/rest/webhook")
    async with server:
        try:
            found = (await reply_to(call, ("127.0.0.1", port))).texts
        except BotFailure as failure:
            found = failure.kind
    assert found == expected
    assert asked[0]["sender"] == "d-1"
    assert asked[0]["message"] == "订票"
