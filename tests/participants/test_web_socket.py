"""WebSockets to bots, against a server of aiohttp's: another implementation than the client's."""

import asyncio
import base64
import hashlib
from contextlib import asynccontextmanager

import aiohttp
import pytest

from participants.adapters.streams import messages_of
from participants.failures import BotFailure
from participants.outbound import Door
from participants.outbound.web_socket import BYTES_AT_A_TIME, FRAMES_LIMIT
from tests.fakes.socket_bots import socket_bot


async def echo(socket, request):
    await socket.send_str(request.headers.get("X", "-"))
    async for message in socket:
        await (socket.send_str if message.type is aiohttp.WSMsgType.TEXT else socket.send_bytes)(message.data)


@pytest.mark.parametrize("scheme", ["ws", "http"])
async def test_messages_go_both_ways_as_they_are(scheme):
    async with socket_bot(echo) as (door, host), door.line(2).socket(f"{scheme}://{host}/live", {"X": "y"}) as socket:
        assert await socket.receive() == "y"
        for message in ("订票 \U0001f642", b"\x00\xff", "x" * 200_000):
            await socket.send(message)
            assert await socket.receive() == message


async def hear_out(line, url, heard):
    async with line.socket(url) as socket:
        while True:
            heard.append(await socket.receive())


async def failure_with(serve, *, path="/live", deadline_s=0.5):
    heard = []
    async with socket_bot(serve) as (door, host):
        with pytest.raises(BotFailure) as failed:
            await hear_out(door.line(deadline_s), f"ws://{host}{path}", heard)
        assert door.n_waiting(f"http://{host}/") == 0
    return failed.value, len(heard)


async def say_nothing(socket, request):
    await asyncio.sleep(5)


async def say_too_much_at_once(socket, request):
    await socket.send_str("x" * 300_000)
    await asyncio.sleep(5)


async def say_too_much(socket, request):
    for _ in range(100):
        await socket.send_str("x" * 200_000)


async def say_goodbye(socket, request):
    await socket.send_str("a")
    await socket.close(code=1001, message=b"off")


async def hang_up(socket, request):
    request.transport.abort()
    await asyncio.sleep(0)


async def send_nonsense(socket, request):
    request.transport.write(b"\xff\xff\xff")
    await asyncio.sleep(5)


@pytest.mark.parametrize(
    ("serve", "kind", "n_heard"),
    [
        (say_nothing, "timeout_first_byte", 0), (say_too_much_at_once, "too_long", 0), (say_goodbye, "connect", 1),
        (hang_up, "connect", 0), (send_nonsense, "bad_shape", 0),
    ],
)  # fmt: skip
async def test_each_way_to_misbehave_has_its_kind(serve, kind, n_heard):
    failure, heard = await failure_with(serve)
    assert (failure.kind, failure.fault, heard) == (kind, "bot", n_heard)


async def test_all_that_one_call_may_hear_is_bounded():
    failure, heard = await failure_with(say_too_much, deadline_s=5)
    assert failure.kind == "too_long"
    assert 16 <= heard <= 22


async def test_a_server_that_opens_no_socket_says_its_status():
    failure, _ = await failure_with(echo, path="/other")
    assert (failure.kind, failure.status) == ("http_4xx", 404)
    assert "Not Found" in failure.evidence


async def test_a_bot_that_is_not_read_from_is_not_heard_without_limit():
    sent = 0

    async def flood(socket, request):
        nonlocal sent
        while True:
            await socket.send_str("x" * 10_000)
            sent += 1

    async with socket_bot(flood) as (door, host), door.line(5).socket(f"ws://{host}/live"):
        await asyncio.sleep(0.5)
    assert sent * 10_000 < 16 * 2**20


@pytest.mark.parametrize(
    "url", ["ws://127.0.0.2:{}/live", "ws://user@127.0.0.1:{}/", "wss://[::1]:{}/", "wsx://127.0.0.1:{}/"]
)
async def test_sockets_pass_the_guard(url):
    async with socket_bot(echo) as (door, host):
        with pytest.raises(BotFailure) as failed:
            async with door.line(1).socket(url.format(host.rpartition(":")[2])):
                pass
    assert failed.value.kind == "blocked_address"


async def test_a_header_that_would_become_two_is_never_sent():
    async with socket_bot(echo) as (door, host):
        with pytest.raises(BotFailure):
            async with door.line(1).socket(f"ws://{host}/live", {"Authorization": "a\r\nX: y"}):
                pass


@asynccontextmanager
async def bot_that_writes(frames, *, hangs_up=False):
    """A bot that opens the socket and writes these bytes at once; a door that may go to it, and its URL."""

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        key = head.split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        writer.write(b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + frames)
        if hangs_up:
            writer.close()
        await asyncio.sleep(1)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    door = Door(frozenset({("127.0.0.1", port)}))
    try:
        yield door, f"ws://127.0.0.1:{port}/"
    finally:
        await door.close()
        server.close()


async def test_messages_in_pieces_are_put_together_and_those_that_are_not_utf8_are_refused():
    heard = []
    async with bot_that_writes(b"\x01\x02\xe8\xae\x89\x01p\x80\x01\xa2\x81\x01\xff") as (door, url):
        with pytest.raises(BotFailure) as failed:
            await hear_out(door.line(1), url, heard)
    assert heard == ["订"]
    assert failed.value.kind == "bad_shape"


async def note(messages, heard):
    async for _name, message in messages:
        heard.append(message)


async def test_a_bot_that_closes_the_socket_right_after_a_broken_message_has_not_said_all():
    whole, not_utf8, close = b"\x81\x01a", b"\x81\x01\xff", b"\x88\x02\x03\xe8"
    heard = []
    async with bot_that_writes(whole + not_utf8 + close) as (door, url), door.line(1).socket(url) as socket:
        with pytest.raises(BotFailure) as failed:
            await note(messages_of(socket), heard)
    assert heard == [b"a"]
    assert failed.value.kind == "bad_shape"


@pytest.mark.parametrize("frame", [b"\x89\x00", b"\x8a\x00", b"\x81\x01x"], ids=["pings", "pongs", "texts"])
async def test_other_turns_come_in_between_tiny_frames_and_too_many_are_refused(frame):
    n_others, heard = 0, []

    async def other_turns():
        nonlocal n_others
        while True:
            n_others += 1
            await asyncio.sleep(0)

    async with bot_that_writes(frame * 100_000) as (door, url):
        others = asyncio.create_task(other_turns())
        with pytest.raises(BotFailure) as failed:
            await hear_out(door.line(60), url, heard)
        others.cancel()
    assert failed.value.kind == "too_long"
    assert len(heard) <= FRAMES_LIMIT + BYTES_AT_A_TIME
    assert n_others >= FRAMES_LIMIT * len(frame) // BYTES_AT_A_TIME


@pytest.mark.parametrize("n_bytes", [3, 1000, 50_000])
async def test_what_a_bot_says_before_it_hangs_up_is_heard_whole(n_bytes):
    heard, text = [], b"x" * n_bytes
    head = b"\x81" + (bytes([n_bytes]) if n_bytes < 126 else b"\x7e" + n_bytes.to_bytes(2, "big"))
    async with bot_that_writes((head + text) * 5, hangs_up=True) as (door, url):
        with pytest.raises(BotFailure) as failed:
            await hear_out(door.line(60), url, heard)
    assert heard == [text.decode()] * 5
    assert failed.value.kind == "connect"
