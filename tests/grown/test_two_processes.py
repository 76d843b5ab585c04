"""The grown size: two server processes on PostgreSQL that wake each other through Redis."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
import websockets

from demo.sample_bots import free_port, wait_for_port
from tests.fakes.bots import fake_bot
from tests.live.server import CAMPAIGN

ROOT = Path(__file__).resolve().parents[2]
URL = os.environ.get("DATABASE_URL", "")
N_SOCKETS, N_TURNS = 10, 12

pytestmark = pytest.mark.skipif(
    not (URL.startswith("postgres") and shutil.which("redis-server")),
    reason="needs DATABASE_URL of a PostgreSQL and redis-server (.ci/run has both)",
)


@contextmanager
def fresh_database():
    """A database of its own in the cluster, so that nobody's data is touched."""
    import psycopg

    name = f"huace_grown_{os.getpid()}"
    with psycopg.connect(URL, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield URL.rpartition("/")[0] + f"/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def process(command, environment, port):
    running = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        wait_for_port(port, running, command[0])
        yield running
    finally:
        running.terminate()
        running.wait()


@pytest.fixture
def server(tmp_path):
    """Where two processes listen, and the tester's token."""
    redis_port, port = free_port(), free_port()
    redis = ["redis-server", "--port", str(redis_port), "--save", "", "--dir", str(tmp_path), "--loglevel", "warning"]
    with fake_bot() as bot, fresh_database() as database, process(redis, os.environ, redis_port):
        environment = os.environ | {
            "DATABASE_URL": database,
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
            "HUACE_OUTBOUND_ALLOW": bot.url.removeprefix("http://").rstrip("/"),
        }
        manage = [sys.executable, "manage.py"]
        campaign = tmp_path / "campaign.toml"
        campaign.write_text(CAMPAIGN.replace("http://127.0.0.1:1/", bot.url))
        subprocess.run([*manage, "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        load = [*manage, "load_campaign", str(campaign), "--print-tokens"]
        tokens = json.loads(subprocess.run(load, cwd=ROOT, env=environment, check=True, capture_output=True).stdout)
        serve = [*manage, "serve", "--port", str(port), "--processes", "2", "--no-worker"]
        with process(serve, environment, port) as running:
            wait_for_both(running.pid)
            yield port, tokens["tester"]


def wait_for_both(supervisor: int) -> None:
    ends_at = time.monotonic() + 20
    while len(Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()) < 2:
        assert time.monotonic() < ends_at
        time.sleep(0.1)
    time.sleep(2)


def request(port: int, token: str, path: str, content: object = None):
    body = None if content is None else json.dumps(content).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Token {token}"}
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}", body, headers)
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return json.load(answer)


def open_dialogue(port: int, token: str) -> str:
    (alias,) = request(port, token, "campaigns/probe/choices/")["bots"]
    return request(port, token, "dialogues/", {"campaign": "probe", "bot": alias, "scenario": "long"})["socket"]


async def until_reply(socket, turn: int) -> None:
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), 5))
        assert frame["type"] != "error", frame
        if frame["type"] == "reply.done" and frame["turn"] == turn:
            return


async def test_every_socket_hears_every_turn_whichever_process_it_hangs_on(server):
    port, token = server
    url = f"ws://127.0.0.1:{port}{open_dialogue(port, token)}?after=0"
    headers = {"Authorization": f"Token {token}"}
    sockets = [await websockets.connect(url, additional_headers=headers) for _ in range(N_SOCKETS)]
    try:
        for turn in range(1, N_TURNS + 1):
            frame = {"type": "turn.send", "key": f"k{turn}", "text": f"第 {turn} 句"}
            await sockets[turn % N_SOCKETS].send(json.dumps(frame))
            await asyncio.gather(*(until_reply(socket, turn) for socket in sockets))
    finally:
        for socket in sockets:
            await socket.close()
