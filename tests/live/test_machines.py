"""Two machines, each with a folder of its own, on one PostgreSQL and one Redis: what they share holds over both."""

import asyncio
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import AsyncExitStack, ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

import pytest
import websockets

from serving.server.close_codes import CLOSE_TOO_FAST
from tests.live.databases import IS_POSTGRES, ROOT, RedisServer, new_database
from tests.live.server import Live
from tests.live.test_dial_out import connected, key_of_the_bot, next_of
from tests.live.test_wall import Wall, address, token
from tests.waiting import soon, until

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(
        not (IS_POSTGRES and shutil.which("redis-server")), reason="needs DATABASE_URL of a PostgreSQL and redis-server"
    ),
]

PARALLEL, SOCKETS = 2, 20
# A bot's deadline; with our own waits a lost turn of an unknown process would be kept for 95 s.
DEADLINE_S = 60
KEY = "the-same-on-each-machine"


class Bot(ThreadingHTTPServer):
    """Counts how many turns it is asked at a time; a turn that says `hang` it answers when it is let go."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Turn)
        self.lock, self.n_now, self.n_most, self.hangs = Lock(), 0, 0, set()

    def enter(self, n):
        with self.lock:
            self.n_now += n
            self.n_most = max(self.n_most, self.n_now)


class _Turn(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "hang" in json.dumps(asked):
            # Until the machine that asks hangs up: it is not counted among the others.
            self.server.hangs.add(self)
            self.rfile.read(1)
            self.server.hangs.discard(self)
            return
        self.server.enter(1)
        time.sleep(0.1)
        self.server.enter(-1)
        body = json.dumps({"text": "ok"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *said):
        pass


@pytest.fixture(scope="module")
def counting_bot():
    with Bot() as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture(scope="module")
def redis():
    running = RedisServer()
    running.start()
    yield running
    running.stop()


def machine(folder, bot, redis, database, **environment):
    folder.mkdir()
    home = {"HUACE_HOME": str(folder / "var"), "HUACE_SECRET_KEY": KEY, "HUACE_SOCKETS_PER_PERSON": str(SOCKETS)}
    url = f"http://127.0.0.1:{bot.server_port}/"
    made = Live(folder, url, deadline_s=DEADLINE_S, database=database, processes=2)
    made.environment = home | {"REDIS_URL": redis.url} | environment
    return made


@contextmanager
def running(made):
    made.set_up()
    made.start()
    try:
        yield made
    finally:
        end(made)
        sys.stderr.write(made.log.read_text())


def end(made):
    """Kills the whole machine at once, its server processes before one could notice."""
    if made.server.poll() is None:
        os.killpg(made.server.pid, signal.SIGKILL)
        made.server.wait()


@pytest.fixture(scope="module")
def two(tmp_path_factory, counting_bot, redis):
    folder = tmp_path_factory.mktemp("machines")
    database = new_database(folder)
    with ExitStack() as stack:
        one, other = (machine(folder / name, counting_bot, redis, database) for name in ("one", "other"))
        stack.enter_context(running(one))
        # The other one begins beside a machine that it sees.
        until(lambda: len(one.rows("SELECT 1 FROM serving_processbeat")) == one.processes, 60)
        yield [one, stack.enter_context(running(other))]
    database.drop()


@pytest.fixture(autouse=True)
def declared(two, counting_bot):
    two[0].database.execute("UPDATE campaigns_entry SET parallel = ?", PARALLEL)
    counting_bot.n_most = 0


async def test_a_bot_is_asked_no_more_turns_at_a_time_than_it_declares(two, counting_bot):
    async def one(server):
        async with server.socket(await asyncio.to_thread(server.open_dialogue)) as tester:
            return [(await tester.exchange("你好"))["type"] for _ in range(3)]

    heard = await asyncio.gather(*(one(server) for server in two * 4))
    assert heard == [["reply.done"] * 3] * 8
    assert counting_bot.n_most == PARALLEL
    two[0].check_invariants()


async def test_a_person_opens_no_more_sockets_than_one_may(two):
    """Of 36 that come at once to both machines, those beyond the limit are closed with a code."""
    dialogue = await asyncio.to_thread(two[0].open_dialogue, person="other")
    async with AsyncExitStack() as stack:
        servers = [server for server, _ in zip(itertools.cycle(two), range(36), strict=False)]
        opened = [stack.enter_async_context(server.socket(dialogue, person="other")) for server in servers]
        clients = await asyncio.gather(*opened)
        firsts = await asyncio.gather(*(client.next(30) for client in clients))
        assert sum(frame["type"] == "dialogue.state" for frame in firsts) == SOCKETS, [one["type"] for one in firsts]
        refused = [client for client, frame in zip(clients, firsts, strict=True) if frame["type"] == "error"]
        assert {await client.until_closed() for client in refused} == {CLOSE_TOO_FAST}


async def test_what_happens_on_one_machine_is_on_the_wall_and_the_sockets_of_the_other(two):
    one, other = two
    headers = token(other, "organizer")
    async with websockets.connect(address(other), additional_headers=headers, open_timeout=60) as opened:
        wall = Wall(opened)
        await wall.apply(30)
        dialogue = await asyncio.to_thread(one.open_dialogue)
        async with one.socket(dialogue) as tester, other.socket(dialogue) as watching:
            await tester.exchange("你好")
            assert (await watching.until("reply.done"))["texts"] == ["ok"]
            while wall.sections["dialogues"].get(dialogue, {}).get("turns") != 1:
                await wall.apply(10)


async def test_a_bot_that_is_connected_to_one_machine_answers_turns_of_the_other(two):
    one, other = two
    stored = other.rows("SELECT protocol, url FROM campaigns_entry")[0]
    key = key_of_the_bot(one)
    try:
        async with connected(one, key) as bot, other.socket(await asyncio.to_thread(other.open_dialogue)) as tester:
            await tester.say("你好")
            turn = await next_of(bot)
            await bot.send(json.dumps({"type": "reply", "id": turn["id"], "text": "从另一台"}))
            assert (await tester.until("reply.done", "turn.failed", timeout=30))["texts"] == ["从另一台"]
    finally:
        one.database.execute("UPDATE campaigns_entry SET protocol = ?, url = ?", *stored)


async def test_a_machine_that_does_not_fit_the_others_refuses_to_start(two, tmp_path):
    """Without Redis, with another key, on another Redis: each time a sentence names what is to be done."""
    fits = two[0].environment | {"HUACE_HOME": str(tmp_path / "third")}
    elsewhere = RedisServer()
    elsewhere.start()
    changes = ({"REDIS_URL": ""}, {"HUACE_SECRET_KEY": "another"}, {"REDIS_URL": elsewhere.url})
    try:
        said = await asyncio.gather(*(asyncio.to_thread(refusal, fits | change) for change in changes))
    finally:
        elsewhere.stop()
    assert "several machines need REDIS_URL" in said[0]
    assert "has another secret key: give HUACE_SECRET_KEY the same value" in said[1]
    assert "is on another Redis" in said[2]


def refusal(environment):
    command = [sys.executable, "manage.py", "serve", "--port", "0", "--no-worker"]
    tried = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert tried.returncode == 1
    return tried.stderr


async def test_while_redis_is_away_both_go_on_each_with_limits_of_its_own(two, counting_bot, redis):
    async def one(server):
        async with server.socket(await asyncio.to_thread(server.open_dialogue)) as tester:
            return [(await tester.exchange(f"Satz {n}"))["type"] for n in range(3)]

    await asyncio.to_thread(redis.stop)
    try:
        heard = await asyncio.gather(*(one(server) for server in two * 4))
    finally:
        await asyncio.to_thread(redis.start)
    assert heard == [["reply.done"] * 3] * 8
    assert counting_bot.n_most <= PARALLEL * len(two)
    for server in two:
        assert "Redis is away: until it is back, limits hold on each machine for itself" in server.log.read_text()
    await soon(lambda: all(is_redis_back(server.log.read_text()) for server in two), 60)
    counting_bot.n_most = 0
    assert await asyncio.gather(*(one(server) for server in two * 4)) == heard
    assert counting_bot.n_most == PARALLEL
    two[0].check_invariants()


def is_redis_back(log):
    """In each process that missed it."""
    return log.count("Redis is back") == log.count("Redis is away")


async def test_a_killed_machine_gives_its_places_back_and_its_turns_are_settled(two, counting_bot):
    """The last of this module: one of the two is gone afterwards."""
    one, other = two
    async with AsyncExitStack() as stack:
        dialogues = [await asyncio.to_thread(other.open_dialogue) for _ in range(PARALLEL)]
        for dialogue in dialogues:
            there = await stack.enter_async_context(other.socket(dialogue))
            await there.say("hang")
            await there.until("turn.accepted")
        await soon(lambda: len(counting_bot.hangs) == PARALLEL, 30)
        watching = [await stack.enter_async_context(one.socket(dialogue)) for dialogue in dialogues]
        tester = await stack.enter_async_context(one.socket(await asyncio.to_thread(one.open_dialogue)))
        await tester.say("你好")
        await tester.until("turn.waiting")
        await asyncio.to_thread(end, other)
        # Its places were all that the bot has.
        assert (await tester.until("reply.done", "turn.failed", timeout=60))["type"] == "reply.done"
        failed = [await client.until("turn.failed", "reply.done", timeout=60) for client in watching]
        assert [(frame["type"], frame["fault"]) for frame in failed] == [("turn.failed", "platform")] * PARALLEL
        # Each can be asked again, on the machine that is left.
        assert (await tester.exchange("再来"))["type"] == "reply.done"
    one.check_invariants()
