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
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.live.databases import PostgresDatabase, RedisServer, SQLiteFile, cluster
from tests.live.server import Live, live
from tests.live.stress import (
    check_acknowledged,
    check_no_deadlock_reached_anybody,
    run_clients,
    until_nothing_waits,
)
from tests.waiting import soon

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
DISK_BYTES = 24 * 1024 * 1024
KEY = "the-same-on-each-machine"


class Contest:
    """The machines that play, and what they stand on."""

    def __init__(self, machines, postgres, redis):
        self.machines, self.postgres, self.redis = machines, postgres, redis

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


FAULTS = [
    kill_a_process, stop_processes, exhaust_file_descriptors, kill_postgresql, take_postgresql_away, kill_redis, stop_redis,
]  # fmt: skip
PLACES = {"one": 1, "two": 2}
ROWS = [(fault, place) for fault in FAULTS for place in PLACES]


def of_this_run(rows):
    """All of them; before something lands one on each number of machines."""
    return rows[::7] if os.environ.get("CI") else rows


@pytest.fixture(scope="module")
def postgres():
    with cluster() as running:
        yield running


@contextmanager
def contest_of(n_machines, folder, bot, postgres):
    redis = RedisServer()
    with ExitStack() as stack:
        redis.start()
        stack.callback(redis.stop)
        database = PostgresDatabase(postgres, redis.url)
        stack.callback(database.drop)
        machines = []
        for n in range(n_machines):
            (folder / str(n)).mkdir()
            machine = Live(folder / str(n), bot.url, processes=2, database=database)
            machine.environment = {"HUACE_HOME": str(folder / str(n) / "var"), "HUACE_SECRET_KEY": KEY}
            machine.set_up()
            machine.start()
            stack.callback(machine.stop)
            machines.append(machine)
        yield Contest(machines, postgres, redis)


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


@pytest.mark.parametrize(("fault", "place"), of_this_run(ROWS), ids=lambda one: getattr(one, "__name__", one))
async def test_no_promise_is_broken_by(fault, place, tmp_path, bot, postgres):
    with contest_of(PLACES[place], tmp_path, bot, postgres) as contest:
        async with asyncio.timeout(600):
            heards = await play(contest, fault)
            await check(contest.machines, heards)


@contextmanager
def small_disk(folder):
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", folder], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def write_on_and_on(file):
    while True:
        file.write(b"x" * 4096)


async def fill_the_disk(folder):
    with (folder / "filling").open("wb", buffering=0) as filling:
        with pytest.raises(OSError, match="No space"):
            write_on_and_on(filling)
        await asyncio.sleep(AWAY_S)
    (folder / "filling").unlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a small disk")
async def test_a_full_disk_acknowledges_nothing_that_is_not_stored(tmp_path, bot):
    """SQLite on a disk that fills up under load; once there is room again, work goes on by itself."""
    with small_disk(tmp_path / "disk") as folder:
        database = SQLiteFile(folder)
        with live(tmp_path, bot.url, database=database) as server:
            async with asyncio.timeout(600), server.socket(await asyncio.to_thread(server.open_dialogue)) as client:
                contest = Contest([server], None, None)
                heards = await play(contest, lambda _: fill_the_disk(folder))
                await check([server], heards)
                assert (await client.exchange("danach"))["type"] == "reply.done"
