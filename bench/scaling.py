"""make bench NAME=scaling: what 100, 1,000 and 10,000 dialogues at once need, and what breaks first, by simulation.

python -m bench.scaling [--dialogues 100,1000,10000] [--seconds 20] [--turn-ms 5 --writer-share 0.5 --socket-kib 30]
                        [--measure 200 [--machines 2] [--think 4]]

A turn passes two queues twice, once with the message and once with the reply: its process, whose event loop and writer share one
interpreter and so one core, and the database's writer. SQLite has one for all processes, on PostgreSQL each process has its own. `--measure N` first measures what a
turn and a socket cost here, under N dialogues with a bot that takes a second, and ends with 1 beyond 40 ms or 60 KiB; two machines need
the PostgreSQL that DATABASE_URL names: `DURABLE=1 .ci/postgres make bench NAME=scaling ARGS="--measure 2000 --machines 2 --think 20"`.
"""

import argparse
import asyncio
import heapq
import itertools
import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from bench import servers
from bench.limits import Limit, exit_code
from bench.load import Measured, connect_all, run_load, talk_on
from bench.turns import percentile
from demo.sample_bots import free_port

THINK_TIME_S, BOT_DELAY_S = 4.0, 1.0
WANTED_P95_S = 0.040
MOST_SOCKET_KIB = 60.0
# Dialogues that warm the servers up, and are none of those measured.
N_WARM_UP, WARM_UP_S = 10, 3.0
MOST_PROCESSES = 64
# An idle server process (docs/scaling.md).
PROCESS_MIB = 150


@dataclass(frozen=True)
class Costs:
    """CPU seconds of a turn and the writer's share of them; memory of an open dialogue."""

    turn_s: float = 0.005
    writer_share: float = 0.5
    socket_kib: float = 30.0


@dataclass(frozen=True)
class Simulated:
    turns_per_s: float
    added_p95_s: float
    process_use: float
    writer_use: float

    @property
    def holds(self) -> bool:
        return self.added_p95_s <= WANTED_P95_S


class Queue:
    """One core, or one lock; pieces of work in the order in which they come."""

    def __init__(self) -> None:
        self.free_at = 0.0
        self.busy_s = 0.0

    def done_at(self, now: float, takes: float) -> float:
        self.free_at = max(now, self.free_at) + takes
        self.busy_s += takes
        return self.free_at


def simulate(
    n_dialogues: int, n_processes: int, costs: Costs, *, shares_writer: bool, seconds: float, seed: int = 1
) -> Simulated:
    """Dialogues that think, send, wait for their bot and think again; how long turns take beyond the bot's second."""
    rng = random.Random(seed)
    processes = [Queue() for _ in range(n_processes)]
    writers = [Queue()] * n_processes if shares_writer else [Queue() for _ in range(n_processes)]
    on_loop, on_writer = costs.turn_s * (1 - costs.writer_share) / 2, costs.turn_s * costs.writer_share / 2
    # (when, dialogue, step, when its turn was sent); steps 0 and 2 are the loop's, 1 and 3 the commits', 4 is the end.
    events = [(rng.expovariate(1 / THINK_TIME_S), n, 0, 0.0) for n in range(n_dialogues)]
    heapq.heapify(events)
    added: list[float] = []
    while events and events[0][0] < seconds:
        now, n, step, sent = heapq.heappop(events)
        place = n % n_processes
        if step == 4:
            added.append(now - sent - BOT_DELAY_S)
            now, step = now + rng.expovariate(1 / THINK_TIME_S), 0
        elif step in {0, 2}:
            sent = now if step == 0 else sent
            now, step = processes[place].done_at(now, on_loop), step + 1
        else:
            at_writer, in_process = (queue[place].done_at(now, on_writer) for queue in (writers, processes))
            now = max(at_writer, in_process) + (BOT_DELAY_S if step == 1 else 0.0)
            step += 1
        heapq.heappush(events, (now, n, step, sent))
    different = {id(writer): writer for writer in writers}.values()
    return Simulated(
        turns_per_s=len(added) / seconds,
        added_p95_s=percentile(added, 0.95),
        process_use=min(1.0, max(process.busy_s for process in processes) / seconds),
        writer_use=min(1.0, max(writer.busy_s for writer in different) / seconds),
    )


def processes_needed(n_dialogues: int, costs: Costs, *, shares_writer: bool, seconds: float) -> tuple[int, Simulated]:
    """The fewest processes with which the 95th percentile holds; 0 with what one has where no number does."""
    first: Simulated | None = None
    n = 1
    while n <= MOST_PROCESSES:
        found = simulate(n_dialogues, n, costs, shares_writer=shares_writer, seconds=seconds)
        first = first or found
        if found.holds:
            return n, found
        if shares_writer and found.writer_use >= 1 > found.process_use:
            break
        n = n + 1 if n < 8 else n + 4
    assert first is not None
    return 0, first


@contextmanager
def machines(folder: Path, bot: str, n_machines: int) -> Iterator[tuple[list[tuple[int, str]], str]]:
    """The process and address of so many servers, each with a folder of its own, and a tester's token."""
    campaign, allowed = servers.CAMPAIGN.format(bot=bot), [bot.removeprefix("http://").rstrip("/")]
    with ExitStack() as stack:
        installed = servers.installation(folder, campaign, allowed, with_redis=n_machines > 1)
        environment, token = stack.enter_context(installed)
        there = []
        for number in range(n_machines):
            port, home = free_port(), folder / f"home-{number}"
            home.mkdir()
            own = environment | {"HUACE_HOME": str(home), "HUACE_SECRET_KEY": "the-same-for-all"}
            serve = [sys.executable, "manage.py", "serve", "--port", str(port), "--drain", "1", "--no-worker"]
            running = stack.enter_context(servers.process(serve, port, own))
            there.append((running.pid, f"http://127.0.0.1:{port}"))
        yield there, token


@dataclass(frozen=True)
class Found:
    """What was measured; `socket_kib` is the memory of all servers that an open dialogue adds."""

    measured: Measured
    cpu_s: float
    socket_kib: float

    @property
    def turn_s(self) -> float:
        return self.cpu_s / max(1, self.measured.n_turns)

    @property
    def added_p95_ms(self) -> float:
        return 1000 * (percentile(self.measured.latencies_s, 0.95) - BOT_DELAY_S)

    def limits(self) -> list[Limit]:
        return [
            Limit("turns that failed", len(self.measured.errors), 0),
            Limit("added p95", self.added_p95_ms, 1000 * WANTED_P95_S, " ms"),
            Limit("memory of a socket", self.socket_kib, MOST_SOCKET_KIB, " KiB"),
        ]


async def talked(there: list[tuple[int, str]], token: str, n_dialogues: int, seconds: float, think_s: float) -> Found:
    """The dialogues are spread over the machines; what it costs to let them in is not a turn's."""
    some = zip(itertools.cycle(there), range(N_WARM_UP + n_dialogues), strict=False)
    urls = [servers.open_dialogue(base, token) for (_, base), _ in some]
    headers, pids = {"Authorization": f"Token {token}"}, [pid for pid, _ in there]
    await run_load(urls[:N_WARM_UP], headers, WARM_UP_S, None)
    before, measured = sum(map(servers.memory_kib, pids)), Measured()
    async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=0)) as http:
        sockets = await connect_all(http, urls[N_WARM_UP:])
        servers.settle()
        held, used = sum(map(servers.memory_kib, pids)), sum(map(servers.cpu_s, pids))
        await talk_on(sockets, seconds, lambda rng: rng.expovariate(1 / think_s), measured)
        used = sum(map(servers.cpu_s, pids)) - used
    return Found(measured, used, (held - before) / n_dialogues)


def found_here(n_dialogues: int, n_machines: int, seconds: float, think_s: float) -> Found:
    with (
        tempfile.TemporaryDirectory(prefix="huace-scaling-") as folder,
        servers.bot(BOT_DELAY_S) as bot,
        machines(Path(folder), bot, n_machines) as (there, token),
    ):
        found = asyncio.run(talked(there, token, n_dialogues, seconds, think_s))
    measured = found.measured
    print(
        f"measured under {n_dialogues} dialogues on {n_machines} machines: {measured.n_turns / measured.seconds:.0f} turns/s, "
        f"{len(measured.errors)} errors, {1000 * found.turn_s:.1f} ms CPU a turn, {found.socket_kib:.0f} KiB a socket, "
        f"added p95 {found.added_p95_ms:.0f} ms"
    )
    return found


def main() -> None:
    usual = Costs()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dialogues", default="100,1000,10000")
    parser.add_argument("--seconds", type=float, default=20, help="that are simulated, and measured")
    parser.add_argument("--measure", type=int, metavar="N", help="dialogues")
    parser.add_argument("--machines", type=int, default=1, help="over which they are spread")
    parser.add_argument("--think", type=float, default=THINK_TIME_S, help="seconds that their testers think")
    parser.add_argument("--turn-ms", type=float, default=1000 * usual.turn_s)
    parser.add_argument("--writer-share", type=float, default=usual.writer_share)
    parser.add_argument("--socket-kib", type=float, default=usual.socket_kib)
    said = parser.parse_args()
    costs = Costs(said.turn_ms / 1000, said.writer_share, said.socket_kib)
    limits: list[Limit] = []
    if said.measure:
        # A socket each; the bot inherits it.
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        found = found_here(said.measure, said.machines, said.seconds, said.think)
        costs, limits = Costs(found.turn_s, said.writer_share, found.socket_kib), found.limits()
    print(
        f"{costs.turn_s * 1000:.1f} ms CPU a turn, {costs.writer_share:.0%} of it the writer's, {costs.socket_kib:.0f} KiB a socket"
    )
    for n_dialogues in map(int, said.dialogues.split(",")):
        for name, shares_writer in (("SQLite", True), ("PostgreSQL", False)):
            n, simulated = processes_needed(n_dialogues, costs, shares_writer=shares_writer, seconds=said.seconds)
            needs = f"{n} processes" if n else "no number of processes"
            mib = n_dialogues * costs.socket_kib / 1024 + max(1, n) * PROCESS_MIB
            print(
                f"    {n_dialogues:>6} dialogues, {name:<11} {needs:<24} {simulated.turns_per_s:7.0f} turns/s   added p95 "
                f"{1000 * simulated.added_p95_s:8.0f} ms   process {simulated.process_use:5.0%}, writer {simulated.writer_use:5.0%}   {mib:6.0f} MiB"
            )
    sys.exit(exit_code(limits))


if __name__ == "__main__":
    main()
