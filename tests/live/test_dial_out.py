"""A bot behind a firewall, as a program of its own: it connects, answers, loses its connection and comes back."""

import asyncio
import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager

import pytest
import websockets

from tests.live.databases import ROOT, RedisServer
from tests.live.server import live
from tests.waiting import soon

pytestmark = pytest.mark.server
EXAMPLE = ROOT / "examples" / "bots" / "dial_out.py"


def key_of_the_bot(server):
    """The campaign's bot connects itself from now on."""
    key = "huace-bot-" + secrets.token_hex(16)
    server.database.execute("UPDATE campaigns_entry SET protocol = 'dial-out', url = ''")
    revoke(server)
    server.database.execute(
        "INSERT INTO registration_dialkey (entry_id, digest, made_at, connection, server) "
        "SELECT id, ?, CURRENT_TIMESTAMP, '', '' FROM campaigns_entry",
        hashlib.sha256(key.encode()).hexdigest(),
    )
    return key


def revoke(server):
    server.database.execute("DELETE FROM registration_dialkey")


@pytest.fixture(scope="module")
def dialled(tmp_path_factory):
    with live(tmp_path_factory.mktemp("dialled"), "http://127.0.0.1:1/") as running:
        yield running


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    if shutil.which("redis-server") is None:
        pytest.skip("needs redis-server")
    redis = RedisServer()
    redis.start()
    environment = {"REDIS_URL": redis.url}
    try:
        with live(
            tmp_path_factory.mktemp("two"), "http://127.0.0.1:1/", processes=2, environment=environment
        ) as running:
            yield running
    finally:
        redis.stop()


@contextmanager
def example_bot(server, key):
    command = [sys.executable, str(EXAMPLE), f"ws://127.0.0.1:{server.port}/ws/bots/"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"HUACE_BOT_KEY": key})
    try:
        # A server process that has just started may be late for the first attempts.
        assert any(line.startswith("ready") for line in iter(running.stdout.readline, ""))
        yield running
    finally:
        running.terminate()
        running.wait()


@asynccontextmanager
async def connected(server, key):
    url, headers = f"ws://127.0.0.1:{server.port}/ws/bots/", {"Authorization": f"Bearer {key}"}
    async with websockets.connect(url, additional_headers=headers, open_timeout=60) as socket:
        assert json.loads(await socket.recv())["type"] == "ready"
        yield socket


async def next_of(socket):
    return json.loads(await asyncio.wait_for(socket.recv(), 10))


def test_the_example_bot_is_short():
    assert len(EXAMPLE.read_text().splitlines()) < 60


async def test_the_example_bot_answers_and_is_sent_away_with_its_key(dialled):
    with example_bot(dialled, key_of_the_bot(dialled)) as bot:
        async with dialled.socket(dialled.open_dialogue()) as tester:
            done = await tester.exchange("你好")
            assert done["texts"] == ["您说的是：你好"]
        revoke(dialled)
        assert await asyncio.to_thread(bot.wait, 10) == 1


async def test_a_turn_in_flight_outlives_the_connection_and_is_the_same_for_the_bot(dialled):
    key = key_of_the_bot(dialled)
    async with dialled.socket(dialled.open_dialogue()) as tester:
        async with connected(dialled, key) as socket:
            await tester.say("你好")
            turn = await next_of(socket)
            await socket.close(1001)
        async with connected(dialled, key) as socket:
            again = await next_of(socket)
            assert (again["id"], again["again"], turn["again"]) == (turn["id"], True, False)
            await socket.send(json.dumps({"type": "reply", "id": turn["id"], "text": "好的"}))
            assert (await tester.until("reply.done", "turn.failed"))["texts"] == ["好的"]
            await tester.send(type="dialogue.end", reason="done")
            closed = await next_of(socket)
            assert (closed["type"], closed["dialogue"]) == ("close", turn["dialogue"])
    dialled.check_invariants()


async def test_a_frame_that_is_too_long_ends_the_connection_and_no_turn(dialled):
    key = key_of_the_bot(dialled)
    async with dialled.socket(dialled.open_dialogue()) as tester:
        async with connected(dialled, key) as socket:
            await tester.say("你好")
            turn = await next_of(socket)
            await socket.send(json.dumps({"type": "reply", "id": turn["id"], "text": "x" * 70_000}))
            await asyncio.wait_for(socket.wait_closed(), 10)
            # Cut off where what is left of the frame is still on its way.
            assert socket.close_code in (1009, 1006)
        async with connected(dialled, key) as socket:
            await socket.send(json.dumps({"type": "reply", "id": turn["id"], "text": "好的"}))
            assert (await tester.until("reply.done", "turn.failed"))["texts"] == ["好的"]


async def test_turns_of_both_processes_reach_the_one_socket(two):
    """Several dialogues, so that both processes have some of them; one socket of the bot, in one of the two."""
    key = key_of_the_bot(two)
    with example_bot(two, key):

        async def one(number):
            async with two.socket(two.open_dialogue()) as tester:
                return (await tester.exchange(f"第{number}句"))["texts"]

        said = await asyncio.gather(*map(one, range(8)))
    assert said == [[f"您说的是：第{number}句"] for number in range(8)]
    two.check_invariants()


async def test_the_ends_of_dialogues_of_both_processes_reach_the_one_socket(two):
    key, ended = key_of_the_bot(two), []

    async def answer(socket):
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "turn":
                await socket.send(json.dumps({"type": "reply", "id": frame["id"], "text": "好的"}))
            elif frame["type"] == "close":
                ended.append(frame["dialogue"])

    async def one(dialogue):
        async with two.socket(dialogue) as tester:
            assert (await tester.exchange("你好"))["type"] == "reply.done"
            await tester.send(type="dialogue.end", reason="done")
            await tester.until("dialogue.closed")

    dialogues = [two.open_dialogue() for _ in range(8)]
    async with connected(two, key) as socket:
        answering = asyncio.create_task(answer(socket))
        await asyncio.gather(*map(one, dialogues))
        await soon(lambda: len(ended) == len(dialogues))
        answering.cancel()
    assert sorted(ended) == sorted(dialogues)
