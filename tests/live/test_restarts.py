"""PostgreSQL and Redis restarted under load: nothing acknowledged is lost, sockets resume by themselves."""

import asyncio
import shutil
import time
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest

from tests.live.databases import IS_POSTGRES, PostgresDatabase, RedisServer, cluster
from tests.live.server import live
from tests.live.stress import check_acknowledged, check_no_deadlock_reached_anybody, run_clients, until_nothing_waits

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(
        not (IS_POSTGRES and any(Path("/usr/lib/postgresql").glob("*/bin/initdb")) and shutil.which("redis-server")),
        reason="needs DATABASE_URL of a PostgreSQL, a PostgreSQL of its own to restart, and redis-server",
    ),
]

N_SOCKETS = 10
RESUMED_WITHIN_S = 20


@pytest.fixture(scope="module")
def postgres():
    with cluster() as running:
        yield running


@contextmanager
def server_on(postgres, redis, folder, bot):
    database = PostgresDatabase(postgres, redis.url)
    with live(folder, bot.url, processes=2, database=database) as server:
        yield server


@pytest.fixture
def redis():
    running = RedisServer()
    yield running
    running.stop()


@pytest.fixture
def server(postgres, redis, tmp_path, bot):
    redis.start()
    with server_on(postgres, redis, tmp_path, bot) as running:
        yield running


class Room:
    """Many sockets on one dialogue, spread over both processes as the system likes."""

    def __init__(self, server, sockets):
        self.server, self.sockets = server, sockets
        self.n_turns = 0

    async def speak(self) -> float:
        """One turn from one of the sockets; gives how many seconds later the last one heard the reply to it."""
        self.n_turns += 1
        key, speaker = f"k{self.n_turns}", self.sockets[self.n_turns % N_SOCKETS]
        hearing = [asyncio.create_task(self.hear(client)) for client in self.sockets]
        async with asyncio.timeout(RESUMED_WITHIN_S):
            started = time.monotonic()
            while not all(task.done() for task in hearing):
                # What was refused because the database was away is sent again; the same key is the same turn.
                await speaker.say(f"Satz {self.n_turns}", key)
                await asyncio.wait(hearing, timeout=1.5)
            for task in hearing:
                task.result()
            return time.monotonic() - started

    async def hear(self, client) -> None:
        while not any(f["type"] == "reply.done" and f["turn"] == self.n_turns for f in client.heard):
            await client.next(timeout=RESUMED_WITHIN_S)


class Meeting:
    def __init__(self, server):
        self.server, self.stack = server, AsyncExitStack()

    async def __aenter__(self) -> Room:
        dialogue = await asyncio.to_thread(self.server.open_dialogue)
        return Room(
            self.server,
            [await self.stack.enter_async_context(self.server.socket(dialogue)) for _ in range(N_SOCKETS)],
        )

    async def __aexit__(self, *error):
        await self.stack.__aexit__(*error)


def check(server) -> None:
    server.check_invariants()
    check_no_deadlock_reached_anybody(server)


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_sockets_hear_again_after_a_restart_of_postgresql(server, postgres, mode):
    """`fast` ends every connection, `immediate` is a crash. No socket is opened anew."""
    async with Meeting(server) as room:
        await room.speak()
        await asyncio.to_thread(postgres.restart, mode)
        for _ in range(3):
            await room.speak()
    check(server)


async def test_what_postgresql_could_not_take_is_not_acknowledged_and_can_be_sent_again(server, postgres):
    async with Meeting(server) as room:
        await room.speak()
        client = room.sockets[0]
        await asyncio.to_thread(postgres.stop)
        try:
            await client.say("niemand da", "away")
            assert (await client.until("error", "turn.accepted", timeout=15))["code"] == "unavailable"
        finally:
            await asyncio.to_thread(postgres.start)
        async with asyncio.timeout(RESUMED_WITHIN_S):
            while not any(frame.get("key") == "away" and "seq" in frame for frame in client.heard):
                await client.say("niemand da", "away")
                await client.until("turn.accepted", "error")
            await client.until("reply.done")
    assert len(server.rows("SELECT 1 FROM dialogues_turn WHERE key = 'away'")) == 1
    check(server)


async def test_restarts_of_postgresql_under_load_lose_nothing_acknowledged(server, postgres):
    load = asyncio.create_task(run_clients(server, n_clients=40, n_dialogues=10, n_operations=1500, seed=3))
    for mode in ("fast", "immediate"):
        await asyncio.sleep(3)
        await asyncio.to_thread(postgres.restart, mode)
    heard = await load
    await until_nothing_waits(server)
    check_acknowledged(server, heard)
    check(server)
    assert len(heard.accepted) > 50


async def test_sockets_hear_of_other_processes_at_once_again_after_a_restart_of_redis(server, redis):
    async with Meeting(server) as room:
        await room.speak()
        await asyncio.to_thread(redis.restart, away_s=1)
        # The slow look alone would take up to three seconds for each.
        delays = [await room.speak() for _ in range(8)]
        # A slow look comes every 3 s: without wake-ups two of five would hardly be so quick.
        assert sorted(delays[3:])[2] < 1.0, delays
    check(server)


async def test_while_redis_is_away_the_ledger_is_looked_into(server, redis):
    async with Meeting(server) as room:
        await asyncio.to_thread(redis.stop)
        for _ in range(2):
            await room.speak()
    check(server)


async def test_processes_that_start_before_redis_hear_each_other_once_it_is_there(postgres, redis, tmp_path, bot):
    with server_on(postgres, redis, tmp_path, bot) as server:
        async with Meeting(server) as room:
            await room.speak()
            await asyncio.to_thread(redis.start)
            delays = [await room.speak() for _ in range(8)]
            assert sorted(delays[3:])[2] < 1.0, delays
        check(server)


async def test_restarts_of_redis_under_load_lose_nothing_acknowledged(server, redis):
    load = asyncio.create_task(run_clients(server, n_clients=40, n_dialogues=10, n_operations=1000, seed=4))
    for _ in range(2):
        await asyncio.sleep(2)
        await asyncio.to_thread(redis.restart, away_s=1)
    heard = await load
    await until_nothing_waits(server)
    check_acknowledged(server, heard)
    check(server)
    assert heard.errors["unavailable"] == 0


async def test_one_tester_with_ten_tabs_does_not_hold_up_the_others(server):
    """Ten tabs talk on the same dialogues over both processes; another tester's turns are accepted soon all the same."""
    delays: list[float] = []

    async def tab(dialogues, number):
        for dialogue in dialogues if number % 2 else reversed(dialogues):
            async with server.socket(dialogue) as client:
                for turn in range(4):
                    await client.say(f"{number}/{turn}")
                    await client.until("turn.accepted", "error")

    async def other():
        dialogue = await asyncio.to_thread(server.open_dialogue, person="other")
        async with server.socket(dialogue, person="other") as client:
            for turn in range(15):
                started = time.monotonic()
                await client.say(f"Satz {turn}")
                await client.until("turn.accepted")
                delays.append(time.monotonic() - started)
                await client.until("reply.done")

    dialogues = [await asyncio.to_thread(server.open_dialogue) for _ in range(4)]
    await asyncio.gather(other(), *(tab(dialogues, number) for number in range(10)))
    check(server)
    assert server.database.n_deadlocks() == 0
    assert sorted(delays)[len(delays) // 2] < 0.4, delays
