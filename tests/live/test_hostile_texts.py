"""While one peer sends text made to cost time, the turns of everybody else stay quick."""

import asyncio
import json
import time
from contextlib import AsyncExitStack

import pytest

from tests.fakes.raw_bots import CLOSE, raw_bot
from tests.live.server import live

pytestmark = pytest.mark.server

HEALTHY_TURN_S = 0.5
QUOTES = "[]" * 41 + '"' + '\\"' * 7_900


@pytest.fixture(scope="module")
def server(tmp_path_factory, bot):
    # The limit on frames is on, as in production.
    environment = {"HUACE_FRAME_RATE": "20", "HUACE_SOCKETS_PER_PERSON": "30"}
    with live(tmp_path_factory.mktemp("live"), bot.url, environment=environment) as running:
        yield running


async def slow_healthy_turn(server, hostile) -> float:
    """The third longest of the turns that another tester takes while `hostile` goes on.

    It goes on through all of them; a busy machine holds up one or two.
    """
    took = []
    async with server.socket(server.open_dialogue(person="other"), person="other") as client:
        await client.exchange("warm")
        attacking = asyncio.create_task(hostile)
        try:
            for _ in range(15):
                started = time.monotonic()
                assert (await client.exchange("gesund"))["type"] == "reply.done"
                took.append(time.monotonic() - started)
                await asyncio.sleep(0.1)
        finally:
            # Once is not enough: `asyncio.wait_for` of Python 3.11 may swallow a cancellation.
            while not attacking.done():
                attacking.cancel()
                await asyncio.wait([attacking], timeout=0.2)
            assert attacking.cancelled() or attacking.exception() is None
    return sorted(took)[-3]


@pytest.mark.parametrize("word", ["!quotes", "!brackets", "!names"])
async def test_a_bot_whose_replies_are_made_to_cost_time_slows_nobody(server, word):
    async def ask_again_and_again() -> None:
        while True:
            async with server.socket(server.open_dialogue()) as client:
                for _ in range(15):
                    await client.exchange(word)

    assert await slow_healthy_turn(server, ask_again_and_again()) < HEALTHY_TURN_S


async def test_frames_made_to_cost_time_slow_nobody(server):
    async def send_again_and_again() -> None:
        async with server.socket(server.open_dialogue()) as client:
            for n in range(1900):
                await client.socket.send(QUOTES)
                if n % 20 == 0:
                    await asyncio.sleep(0.01)

    assert await slow_healthy_turn(server, send_again_and_again()) < HEALTHY_TURN_S


async def test_posts_made_to_cost_time_slow_nobody(server):
    async def post_again_and_again() -> None:
        body = ("[]" * 41 + '"' + '\\"' * 60_000).encode()
        while True:
            status, _ = await asyncio.to_thread(server.request, "POST", "/api/v1/dialogues/", body)
            assert status == 400

    assert await slow_healthy_turn(server, post_again_and_again()) < HEALTHY_TURN_S


async def test_a_frame_over_the_rate_is_refused_unread(server):
    async with server.socket(server.open_dialogue()) as client:
        await client.next()
        for _ in range(200):
            await client.socket.send(json.dumps({"type": "turn.send", "key": "k", "text": ""}))
        errors = [await client.until("error") for _ in range(200)]
    assert {error["code"] for error in errors} == {"bad_frame", "rate_limited"}
    assert all("key" not in error for error in errors if error["code"] == "rate_limited")
    assert all(error["key"] == "k" for error in errors if error["code"] == "bad_frame")


async def test_a_person_at_the_limit_opens_no_further_socket_and_keeps_nobody_else_out(server):
    dialogue = server.open_dialogue()
    async with AsyncExitStack() as stack:
        held = [await stack.enter_async_context(server.socket(dialogue)) for _ in range(30)]
        for client in held:
            await client.until("dialogue.state")
        async with server.socket(dialogue) as refused:
            assert (await refused.next())["code"] == "too_many_sockets"
            assert await refused.until_closed() == 4429
        async with server.socket(server.open_dialogue(person="other"), person="other") as other:
            await other.until("dialogue.state")
    async with server.socket(dialogue) as again:
        assert (await again.next())["type"] == "dialogue.state"


async def test_sockets_that_read_nothing_slow_nobody(server):
    """All that one person may open, on one dialogue whose bot says as much as is shown."""

    async def open_and_read_nothing() -> None:
        dialogue = server.open_dialogue()
        async with AsyncExitStack() as stack:
            for _ in range(29):
                await stack.enter_async_context(server.socket(dialogue))
            client = await stack.enter_async_context(server.socket(dialogue))
            while True:
                for _ in range(18):
                    await client.exchange("!long")
                await asyncio.sleep(1)

    assert await slow_healthy_turn(server, open_and_read_nothing()) < HEALTHY_TURN_S


STREAMING = """
[campaign]
slug = "streaming"
name = "Streaming"
free_choice = true
reply_deadline_s = 30

[[bots]]
key = "s"
team = "Team Stream"
protocol = "openai"
url = "{url}"

[[scenarios]]
key = "long"
opening = "你好"
subtasks = [{{kind = "flight", turn_cap = 20}}]

[[people]]
username = "tester"
roles = ["tester"]
"""


def streamed(*parts: str) -> bytes:
    events = [json.dumps({"choices": [{"index": 0, "delta": {"content": part}}]}) for part in parts]
    body = "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"])
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + body.encode()


@pytest.mark.parametrize("part", ["Team Strea", "字", " "])
async def test_five_thousand_deltas_slow_nobody(tmp_path, bot, part):
    async with raw_bot([streamed(*[part] * 5_000), CLOSE]) as streaming:
        allowed = ",".join(url.removeprefix("http://").rstrip("/") for url in (bot.url, streaming.url))
        with live(tmp_path, bot.url, environment={"HUACE_OUTBOUND_ALLOW": allowed}) as server:
            file = tmp_path / "streaming.toml"
            file.write_text(STREAMING.format(url=streaming.url))
            server.manage("load_campaign", str(file))
            alias = server.manage(
                "shell", "-v0", "-c", "from campaigns.models import Entry; print(Entry.objects.get(key='s').alias)"
            ).strip()
            chosen = {"campaign": "streaming", "bot": alias, "scenario": "long"}
            status, opened = await asyncio.to_thread(server.request, "POST", "/api/v1/dialogues/", chosen)
            assert status == 201, opened

            async def ask_again_and_again() -> None:
                async with server.socket(opened["id"]) as client:
                    for _ in range(20):
                        assert (await client.exchange("erzähl"))["type"] == "reply.done"

            assert await slow_healthy_turn(server, ask_again_and_again()) < HEALTHY_TURN_S
