"""Leases over a Redis of their own: each `Leases` here stands for a process, one test kills a real one."""

import asyncio
import shutil
import signal
import subprocess
import sys
import time

import pytest

from serving.leases import LEASE_S, Lease, Leases
from serving.processes import this_place
from tests.live.databases import ROOT, RedisServer
from tests.waiting import soon

pytestmark = pytest.mark.skipif(not shutil.which("redis-server"), reason="needs redis-server")
LIMIT_S = 10
THING = "places entry 1"


@pytest.fixture(scope="module")
def server():
    running = RedisServer()
    running.start()
    yield running
    running.stop()


@pytest.fixture
def redis(server):
    client = server.client()
    client.flushall()
    return client


@pytest.fixture
def begin():
    """Begins processes, which end with the test."""
    begun = []

    def one(server, installation="here"):
        begun.append(Leases(server.client(), installation))
        return begun[-1]

    yield one
    for process in begun:
        process.close()


@pytest.fixture
def processes(server, redis, begin):
    return [begin(server) for _ in range(2)]


async def taken(lease, n=1):
    """Waits for so many places, and uses them as they come."""
    for _ in range(n):
        lease.want(1)
        await soon(lease.take)


async def tries(lease, n):
    return sum([await lease.one_more() for _ in range(n)])


async def test_two_processes_have_no_more_than_the_limit_together(processes):
    one, other = (Lease(process, THING, 5) for process in processes)
    assert await asyncio.gather(tries(one, 3), tries(other, 1)) == [3, 1]
    assert await tries(other, 9) == 1
    one.give_back()
    await until_stated(processes[0])
    assert [await other.one_more(), await one.one_more()] == [True, False]


async def until_stated(process):
    await soon(lambda: not process._news)
    # What is being stated has its answer before the next of the same thing.
    assert await Lease(process, "another thing", 99).one_more()


async def test_things_and_installations_share_nothing(server, processes, begin):
    elsewhere = begin(server, "elsewhere")
    leases = [Lease(processes[0], THING, 1), Lease(processes[1], "another", 1), Lease(elsewhere, THING, 1)]
    assert [await lease.one_more() for lease in leases] == [True, True, True]


async def test_who_waits_gets_what_another_process_gives_back(processes):
    one, other = (Lease(process, THING, 1) for process in processes)
    await taken(one)
    heard = asyncio.Event()
    loop = asyncio.get_running_loop()
    other.on_news = lambda: loop.call_soon_threadsafe(heard.set)
    other.want(1)
    await until_stated(processes[1])
    assert not heard.is_set()
    one.give_back()
    async with asyncio.timeout(LIMIT_S):
        await heard.wait()
    assert other.take()


async def test_who_has_waited_longest_comes_first_even_if_another_asks_more_often(processes):
    one, other = (Lease(process, THING, 1) for process in processes)
    await taken(one)
    other.want(1)
    await until_stated(processes[1])
    one.give_back()
    assert not await one.one_more()
    await soon(other.take)


async def test_a_process_that_waits_for_many_takes_turns_with_the_others(processes, monkeypatch):
    """Each gives back what it got at once; the one with the long row must not have it all the time."""
    monkeypatch.setattr("serving.leases.WAIT_HOLDS_S", 60)
    order = []

    async def work(name, lease, n):
        for _ in range(n):
            lease.want(5 if name == "busy" else 1)
            await soon(lease.take)
            order.append(name)
            lease.give_back()

    first, busy, other = (Lease(process, THING, 1) for process in (processes[0], *processes))
    await taken(first)
    for lease in (busy, other):
        lease.want(1)
    for process in processes:
        await until_stated(process)
    first.give_back()
    await asyncio.gather(work("busy", busy, 12), work("other", other, 3))
    assert order.index("other") < 2


async def test_who_no_longer_waits_leaves_what_was_granted_meanwhile(processes):
    one, other = (Lease(process, THING, 1) for process in processes)
    one.want(1)
    await soon(lambda: one.n_idle)
    one.want(0)
    assert await tried_until_granted(other)


async def tried_until_granted(lease):
    async with asyncio.timeout(LIMIT_S):
        while not await lease.one_more():
            pass
    return True


async def test_a_try_that_is_cancelled_uses_nothing(processes):
    one, other = (Lease(process, THING, 1) for process in processes)
    for n_steps in range(4):
        trying = asyncio.create_task(one.one_more())
        for _ in range(n_steps):
            await asyncio.sleep(0)
        trying.cancel()
        await asyncio.wait([trying])
        assert trying.cancelled()
    assert await tried_until_granted(other)


async def test_more_of_a_thing_counts_from_the_next_grant_on(processes):
    one = Lease(processes[0], THING, 1)
    assert await tries(one, 2) == 1
    one.have(3)
    assert await tries(one, 5) == 2


@pytest.fixture
def killed(server, redis):
    """A process that took two places of the thing and was killed."""
    hold = f"""
import asyncio, os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from tests.serving.test_leases import Lease, Leases, RedisServer, tries, THING
lease = Lease(Leases(RedisServer({server.port}).client(), "here"), THING, 2)
print(asyncio.run(tries(lease, 2)), flush=True)
input()
"""
    command = [sys.executable, "-c", hold]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as holding:
        assert holding.stdout.readline() == b"2\n"
        holding.send_signal(signal.SIGKILL)


async def test_what_a_killed_process_of_this_machine_had_is_free_at_once(killed, redis, processes):
    one = Lease(processes[0], THING, 2)
    assert redis.hlen(one.key) == 1
    await taken(one, 2)


async def test_what_a_dead_machine_had_is_free_when_its_lease_ends(redis, processes):
    one = Lease(processes[0], THING, 2)
    stated_ms = int(time.time() * 1000)
    redis.hset(one.key, mapping={"machine-ffffffff:0123abcd:7/1": f"1 0 {stated_ms - int(LEASE_S * 1000) + 3_600_000}"})
    assert await tries(one, 2) == 1
    redis.hset(one.key, mapping={"machine-ffffffff:0123abcd:7/1": f"1 0 {stated_ms - int(LEASE_S * 1000) - 1}"})
    assert await one.one_more()
    assert list(redis.hgetall(one.key)) == [one.holder]
    assert LEASE_S < 10


async def test_the_machines_that_have_some_of_a_thing_are_seen_on_the_same_redis_alone(processes, begin, mortal):
    assert await Lease(processes[0], THING, 1).one_more()
    assert processes[1].machines_with(THING) == {this_place()}
    assert processes[1].machines_with("another thing") == set()
    elsewhere = begin(mortal)
    assert elsewhere.machines_with(THING) == set()
    mortal.stop()
    assert elsewhere.machines_with(THING) is None


async def test_a_process_that_ends_gives_everything_back(processes):
    one, other = (Lease(process, THING, 2) for process in processes)
    assert await tries(one, 2) == 2
    processes[0].close()
    assert await tries(other, 2) == 2


async def test_leases_are_renewed_and_end_by_themselves_where_nobody_does(redis, processes):
    one = Lease(processes[0], THING, 2)
    assert await one.one_more()
    before = redis.hget(one.key, one.holder)
    await soon(lambda: redis.hget(one.key, one.holder) != before)
    assert 0 < redis.pttl(one.key) <= LEASE_S * 1000
    one.give_back()
    await soon(lambda: not redis.exists(one.key))


async def test_a_redis_that_lost_everything_knows_it_again(redis, processes):
    one, other = (Lease(process, THING, 2) for process in processes)
    assert await tries(one, 2) == 2
    redis.flushall()
    await soon(lambda: redis.exists(one.key))
    assert not await other.one_more()


@pytest.fixture
def mortal():
    running = RedisServer()
    running.start()
    yield running
    running.stop()


async def test_while_redis_is_away_each_process_goes_by_its_own_count_and_tells_it_afterwards(mortal, begin, caplog):
    processes = [begin(mortal) for _ in range(2)]
    one, other = (Lease(process, THING, 1) for process in processes)
    await taken(one)
    heard = []
    other.on_news = lambda: heard.append(other.take())
    other.want(1)
    await until_stated(processes[1])
    mortal.stop()
    await soon(lambda: heard)
    assert heard == [True]
    await soon(lambda: processes[0].is_away)
    # Their owners hold to the limit; here nobody is kept waiting.
    assert one.take()
    assert await one.one_more()
    mortal.start()
    await soon(lambda: not any(process.is_away for process in processes))
    one.give_back()
    one.give_back()
    await soon(lambda: mortal.client().hlen(one.key) == 2)
    assert not await one.one_more()
    assert caplog.text.count("Redis is away") == 2
    assert caplog.text.count("Redis is back") == 2


async def test_who_waits_while_redis_is_away_is_told_once(mortal, begin):
    process = begin(mortal)
    one, heard = Lease(process, THING, 1), []
    mortal.stop()
    assert await one.one_more()
    assert process.is_away
    one.on_news = lambda: heard.append(one.want(1))
    one.want(1)
    assert len(heard) == 1


async def test_a_redis_that_hangs_is_away(mortal, begin):
    process = begin(mortal)
    one = Lease(process, THING, 1)
    assert await one.one_more()
    mortal._process.send_signal(signal.SIGSTOP)
    try:
        assert await one.one_more()
        assert process.is_away
    finally:
        mortal._process.send_signal(signal.SIGCONT)
