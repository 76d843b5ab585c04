"""A contest is played while what it stands on is killed, stopped, filled or taken away, on one machine and on two: no promise is broken.

Each row of `FAULTS` is one trouble; it happens in the middle of random load and ends by itself. Afterwards robustness I1 to I4 are
checked on what clients heard, the operator's own check (`check_data`: I5, I6) finds nothing, and a new dialogue is played.
"""

import asyncio
import os
import resource
import shutil
import signal
import subprocess
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import pytest
import websockets

from demo.sample_bots import free_port, wait_for_port
from tests.live.databases import PostgresDatabase, RedisServer, SQLiteFile, cluster
from tests.live.disks import CannotMount, filled, small_disk
from tests.live.server import Live, live
from tests.live.stress import (
    check_acknowledged,
    check_no_deadlock_reached_anybody,
    run_clients,
    until_nothing_waits,
)
from tests.live.test_proxies import caddy
from tests.operating.test_storage import s3_url
from tests.operating.test_storage import server as s3_server
from tests.waiting import soon, until

pytestmark = [
    pytest.mark.server,
    pytest.mark.chaos,
    pytest.mark.skipif(
        not (any(Path("/usr/lib/postgresql").glob("*/bin/initdb")) and shutil.which("redis-server")),
        reason="needs a PostgreSQL of its own to kill, and redis-server",
    ),
]

N_OPERATIONS = 200 if os.environ.get("CI") else 2_000
AWAY_S = 3
# Longer than PostgreSQL's connections outlive a line that says nothing.
CUT_S = 12
# A connection over which no answer comes is given up by then.
ANSWER_LIMIT_S = 90
KEY = "the-same-on-each-machine"


class Contest:
    """The machines that play, and what they stand on."""

    def __init__(self, machines, postgres=None, redis=None, proxy=None, storage=None):
        self.machines, self.postgres, self.redis, self.proxy, self.storage = machines, postgres, redis, proxy, storage

    def processes(self):
        """Those of the machine that is troubled: the last one."""
        return [pid for machine in self.machines[-1:] for pid in machine.processes_of_the_supervisor()]


async def kill_a_process(contest):
    os.kill(contest.processes()[0], signal.SIGKILL)


async def stop_processes(contest):
    stopped = contest.processes()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(AWAY_S)
    for pid in stopped:
        os.kill(pid, signal.SIGCONT)


async def exhaust_file_descriptors(contest):
    """Nothing more can be opened: no socket, no connection, no file."""
    before = {pid: resource.prlimit(pid, resource.RLIMIT_NOFILE) for pid in contest.processes()}
    for pid, (_, hard) in before.items():
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")), hard))
    await asyncio.sleep(AWAY_S)
    for pid, limits in before.items():
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)


async def kill_postgresql(contest):
    await asyncio.to_thread(contest.postgres.restart, "immediate")


async def take_postgresql_away(contest):
    await asyncio.to_thread(contest.postgres.stop)
    await asyncio.sleep(AWAY_S)
    await asyncio.to_thread(contest.postgres.start)


async def kill_redis(contest):
    contest.redis.send(signal.SIGKILL)
    await asyncio.sleep(AWAY_S)
    await asyncio.to_thread(contest.redis.restart)


async def stop_redis(contest):
    """Its connections stay open and nobody answers, as on a line that was cut."""
    contest.redis.send(signal.SIGSTOP)
    await asyncio.sleep(AWAY_S)
    contest.redis.send(signal.SIGCONT)


async def cut_off(*ports):
    """Packets to and from these ports are lost: both ends believe in connections over which nothing comes any more."""
    with dropping(*ports):
        await asyncio.sleep(CUT_S)


async def cut_off_postgresql(contest):
    await cut_off(contest.postgres.port)


async def cut_off_redis(contest):
    await cut_off(contest.redis.port)


async def cut_off_clients(contest):
    await cut_off(contest.machines[-1].port)


async def kill_the_proxy(contest):
    contest.proxy.kill()
    await asyncio.sleep(AWAY_S)
    await asyncio.to_thread(contest.proxy.start)


async def stop_the_proxy(contest):
    """It holds everybody's connections and passes nothing on."""
    contest.proxy.send(signal.SIGSTOP)
    await asyncio.sleep(AWAY_S)
    contest.proxy.send(signal.SIGCONT)


async def kill_the_worker(contest):
    """Another one is there soon; what the first one was at is `test_progress_is_live_and_a_killed_worker_loses_nothing`."""
    troubled = contest.machines[-1]
    (worker,) = await soon(troubled.workers)
    os.kill(worker, signal.SIGKILL)
    await soon(lambda: set(troubled.workers()) - {worker})


async def take_the_storage_away(contest):
    """Who talks is not held up; each machine says what it lacks, until the storage is back."""
    await asyncio.to_thread(contest.storage.stop)
    assert all("storage" in wrong for wrong in await wrong_of(contest, 503))
    await asyncio.sleep(AWAY_S)
    await asyncio.to_thread(contest.storage.start)
    await wrong_of(contest, 200)


async def wrong_of(contest, status):
    """What each machine says is wrong, once it answers with that status."""

    def told_by(machine):
        answered, told = machine.request("GET", "/readyz", person=None)
        return answered == status and told

    return [(await asyncio.to_thread(until, partial(told_by, machine)))["wrong"] for machine in contest.machines]


FAULTS = [
    kill_a_process, stop_processes, exhaust_file_descriptors, kill_postgresql, take_postgresql_away, kill_redis, stop_redis,
    cut_off_postgresql, cut_off_redis, cut_off_clients, kill_the_proxy, stop_the_proxy, kill_the_worker,
    take_the_storage_away,
]  # fmt: skip
PLACES = {"one": 1, "two": 2}
ROWS = [(fault, place) for fault in FAULTS for place in PLACES]


@contextmanager
def dropping(*ports):
    if not os.environ.get("OWN_NETWORK"):
        pytest.skip("lines are cut in a network of our own alone, which `make chaos` makes as root, with iptables")
    rules = [
        [chain, "-p", "tcp", side, str(port), "-j", "DROP"]
        for port in ports
        for chain, side in (("INPUT", "--dport"), ("INPUT", "--sport"))
    ]
    for rule in rules:
        subprocess.run(["iptables", "-A", *rule], check=True)
    try:
        yield
    finally:
        for rule in rules:
            subprocess.run(["iptables", "-D", *rule], check=True)


class Proxy:
    """Caddy with the file that is shipped, in front of all machines, without TLS."""

    def __init__(self, folder, upstreams):
        self.port, self.folder = free_port(), folder
        self._upstreams = " ".join(f"127.0.0.1:{port}" for port in upstreams)
        self._process = None

    def start(self):
        command, environment = caddy(self.folder, self.port, self._upstreams, site="http://")
        self._process = subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.DEVNULL)
        wait_for_port(self.port, self._process, "Caddy")

    def send(self, which):
        self._process.send_signal(which)

    def kill(self):
        self._process.kill()
        self._process.wait()


class Storage:
    """An S3-compatible storage of its own."""

    def __init__(self, folder):
        self.port, self._folder, self._running = free_port(), folder, ExitStack()

    def start(self):
        self._running.enter_context(s3_server(self._folder, self.port))

    def stop(self):
        self._running.close()


@pytest.fixture(scope="module")
def postgres():
    with cluster() as running:
        yield running


@contextmanager
def contest_of(n_machines, folder, bot, postgres, *, has_proxy=False, has_storage=False, has_worker=False):
    redis = RedisServer()
    with ExitStack() as stack:
        redis.start()
        stack.callback(redis.stop)
        database = PostgresDatabase(postgres, redis.url)
        stack.callback(database.drop)
        machines, storage, shared = [], None, {"HUACE_SECRET_KEY": KEY}
        if has_storage:
            storage = Storage(folder / "s3")
            storage.start()
            stack.callback(storage.stop)
            shared["HUACE_STORAGE_URL"] = s3_url(storage.port)
        for n in range(n_machines):
            (folder / str(n)).mkdir()
            machine = Live(folder / str(n), bot.url, processes=2, with_worker=has_worker, database=database)
            machine.environment = {"HUACE_HOME": str(folder / str(n) / "var"), **shared}
            machine.set_up()
            machine.start()
            stack.callback(machine.stop)
            machines.append(machine)
        proxy = None
        if has_proxy:
            proxy = Proxy(folder, [machine.port for machine in machines])
            proxy.start()
            stack.callback(proxy.kill)
            for machine in machines:
                machine.front = proxy.port
        yield Contest(machines, postgres, redis, proxy, storage)


async def play(contest, fault):
    """What each machine's clients heard while the fault came and went."""
    playing = [
        asyncio.create_task(run_clients(machine, n_clients=12, n_dialogues=4, n_operations=N_OPERATIONS, seed=seed))
        for seed, machine in enumerate(contest.machines)
    ]
    await soon(lambda: contest.machines[0].rows("SELECT 1 FROM dialogues_turn WHERE status = 'answered'"))
    await fault(contest)
    return await asyncio.gather(*playing)


async def check(machines, heards):
    await until_nothing_waits(machines[0], 60)
    machines[0].check_invariants()
    for machine, heard in zip(machines, heards, strict=True):
        check_acknowledged(machine, heard)
        check_no_deadlock_reached_anybody(machine)
        assert heard.accepted
        async with machine.socket(await asyncio.to_thread(machine.open_dialogue)) as client:
            assert (await client.exchange("danach"))["type"] == "reply.done"
    machines[0].check_invariants()


@pytest.mark.parametrize(("fault", "place"), ROWS, ids=lambda one: getattr(one, "__name__", one))
async def test_no_promise_is_broken_by(fault, place, tmp_path, bot, postgres):
    has = {
        "has_proxy": fault in (kill_the_proxy, stop_the_proxy),
        "has_storage": fault is take_the_storage_away,
        "has_worker": fault is kill_the_worker,
    }
    with contest_of(PLACES[place], tmp_path, bot, postgres, **has) as contest:
        async with asyncio.timeout(600):
            heards = await play(contest, fault)
            await check(contest.machines, heards)


@contextmanager
def small_disk_or_skip(folder):
    try:
        with small_disk(folder) as disk:
            yield disk
    except CannotMount as why:
        pytest.skip(str(why))


async def fill_the_disk(folder):
    with filled(folder):
        await asyncio.sleep(AWAY_S)


async def test_a_database_that_says_nothing_more_is_told(tmp_path, bot, postgres):
    """By itself the system would wait for a quarter of an hour; the request is given up by its client after 30 s."""
    with contest_of(1, tmp_path, bot, postgres) as contest:
        (server,) = contest.machines

        async def answers():
            """Of both processes, whose connections are open after the first ones."""
            asked = [asyncio.to_thread(server.request, "GET", "/api/v1/campaigns/probe/choices/") for _ in range(8)]
            return {status for status, _ in await asyncio.gather(*asked)}

        assert await answers() == {200}
        with dropping(postgres.port):
            assert await answers() == {503}


async def test_a_tester_whose_line_was_cut_comes_back_over_another_one(tmp_path, bot):
    """The first connection never ends by itself; it counts as the tester's only one until nobody answered there for a while."""
    with live(tmp_path, bot.url, environment={"HUACE_SOCKETS_PER_PERSON": "1"}) as server:
        dialogue = server.open_dialogue()
        async with server.socket(dialogue) as cut:
            await cut.exchange("davor")
            _, port = cut.socket.local_address[:2]
            with dropping(port):
                async with asyncio.timeout(ANSWER_LIMIT_S), comes_in(server, dialogue) as back:
                    assert (await back.exchange("danach"))["type"] == "reply.done"
                assert [turn[2] for turn in server.turns(dialogue)][-2:] == ["davor", "danach"]


@asynccontextmanager
async def comes_in(server, dialogue):
    """A socket that is let in: tried again as a page does."""
    while True:
        async with server.socket(dialogue) as client:
            try:
                await client.send(type="ping")
                await client.until("pong")
            except websockets.ConnectionClosed:
                await asyncio.sleep(1)
                continue
            yield client
            return


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a small disk")
async def test_a_full_disk_acknowledges_nothing_that_is_not_stored(tmp_path, bot):
    """SQLite on a disk that fills up under load; once there is room again, work goes on by itself."""
    with small_disk_or_skip(tmp_path / "disk") as folder:
        database = SQLiteFile(folder)
        with live(tmp_path, bot.url, database=database) as server:
            async with asyncio.timeout(600), server.socket(await asyncio.to_thread(server.open_dialogue)) as client:
                contest = Contest([server])
                heards = await play(contest, lambda _: fill_the_disk(folder))
                await check([server], heards)
                assert (await client.exchange("danach"))["type"] == "reply.done"
