"""make bench NAME=misbehaving: 40 healthy dialogues beside 10 bots that misbehave in every way of tests/fakes/misbehaving.py in turn.

What must hold: p95 of the healthy at most 100 ms over what they had alone, none of their turns failed, at most 64 MB more
memory; every turn of the others ends within its deadline and a second; no bot is asked more often than its tester asked,
but once more after a complete "not now" (robustness P3, P4 and P5). Ends with 1 where one of these does not hold.

Testers, bots and server share the cores, and the bots that flood take what they get. So the healthy bot is asked directly as
well, without the server, by the process and at the time of the testers: what that adds is the machine's, not the product's.
With --quick it is 10 healthy dialogues with a bot of 20 ms, beside seven ways at once that two bots each have: p95 at most 60 ms more.
With --pinned the server has a core of its own, and on the other one the bad bots get what testers and healthy bot leave.
"""

import argparse
import asyncio
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import aiohttp

from bench import servers
from bench.limits import Limit, exit_code
from bench.load import TEXT, Measured, connect_all, talk
from bench.turns import percentile
from demo.sample_bots import free_port, wait_for_port
from tests.fakes.misbehaving import BOTS, Bot

N_DIRECT, DEADLINE_S = 10, 5
# Ways that the bots have on their own sockets, and the two in which a URL is the way.
WAYS = [bot for bot in BOTS if (not bot.url or bot.name in {"refuses", "loopback"}) and not bot.is_at_our_port]


@dataclass(frozen=True)
class Load:
    """How many dialogues with a healthy bot of which delay go on beside how many bad bots, of how many ways at a time."""

    n_healthy: int
    delay_s: float
    n_bad: int
    n_at_once: int
    limit_ms: float


USUAL = Load(40, 0.2, n_bad=10, n_at_once=1, limit_ms=100)
QUICK = Load(10, 0.02, n_bad=14, n_at_once=7, limit_ms=60)


@dataclass
class Tally:
    """How often each turn was asked by its tester, how long each time took, and what it came to."""

    asks: Counter[str] = field(default_factory=Counter)
    took_s: list[float] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)


def campaign_of(ports: list[int], closed: int, healthy: str) -> str:
    bots = [("healthy", "huace/1", healthy)]
    for n, port in enumerate(ports):
        url = f"http://127.0.0.1:{port}/"
        bots += [(f"huace-{n}", "huace/1", url), (f"openai-{n}", "openai", url)]
        bots += [(f"refuses-{n}", "huace/1", f"http://127.0.0.1:{closed}/{n}")]
        bots += [(f"loopback-{n}", "huace/1", f"http://127.0.0.2:{port}/")]
    rows = [
        f'[[bots]]\nkey = "{key}"\nteam = "Team {key}"\nprotocol = "{protocol}"\nurl = "{url}"\nparallel = 300'
        for key, protocol, url in bots
    ]
    head, _, rest = servers.CAMPAIGN.partition("[[bots]]")
    others = rest[rest.index("[[scenarios]]") :].replace("{{", "{").replace("}}", "}")
    head = head.replace("reply_deadline_s = 30", f"reply_deadline_s = {DEADLINE_S}\npauses_failing_bots = false")
    return "\n".join([head, *rows, others])


@contextmanager
def bad_bots(ports: list[int], *, are_niced: bool = False):
    command = [
        *(["nice", "-n", "19"] if are_niced else []),
        sys.executable,
        "-m",
        "bench.misbehaving_bots",
        "--ports",
        ",".join(map(str, ports)),
    ]
    running = subprocess.Popen(command, cwd=servers.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        wait_for_port(ports[-1], running, "bots", limit_s=60)
        yield running
    finally:
        running.kill()
        running.wait()


def entries_of(ways: Sequence[Bot], n_bad: int) -> list[str]:
    """The n-th bot has the n-th of the ways, and so on in turn."""
    return [
        f"{way.name if way.url else way.protocol.partition('/')[0]}-{n}"
        for n, way in zip(range(n_bad), itertools.cycle(ways), strict=False)
    ]


@dataclass
class Tester:
    """Talks to one bot in one dialogue; each failed turn is asked again once, then left behind."""

    dialogue: str
    socket: aiohttp.ClientWebSocketResponse
    turn: int = 1
    is_retry: bool = False

    async def talk(self, ends_at: float, tally: Tally, rng: random.Random) -> None:
        while time.perf_counter() < ends_at:
            # As long as the healthy ones think.
            await asyncio.sleep(rng.random())
            sending = {"type": "turn.send", "key": f"k{self.turn}", "text": TEXT}
            frame = {"type": "turn.retry", "turn": self.turn} if self.is_retry else sending
            sent = time.perf_counter()
            await self.socket.send_str(json.dumps(frame))
            tally.asks[f"{self.dialogue}:{self.turn}"] += 1
            end = await end_of(self.socket)
            tally.took_s.append(time.perf_counter() - sent)
            tally.ends[
                f"{end.get('kind', '')}/{end.get('fault', '')}" if end["type"] == "turn.failed" else end["type"]
            ] += 1
            self.is_retry = end.get("retryable", False) and not self.is_retry
            self.turn += not self.is_retry


async def tester_of(http: aiohttp.ClientSession, base: str, token: str, entry: str) -> Tester:
    # In a thread: on the loop the healthy would seem to wait for it.
    url = await asyncio.to_thread(servers.open_dialogue, base, token, entry)
    (socket,) = await connect_all(http, [url])
    return Tester(url.partition("?")[0].strip("/").split("/")[-1], socket)


async def end_of(socket: aiohttp.ClientWebSocketResponse) -> dict:
    """What the turn came to."""
    while True:
        frame = json.loads(await socket.receive_str(timeout=DEADLINE_S * 3))
        if frame["type"] in {"reply.done", "turn.failed", "error"}:
            return frame


async def ask_directly(http: aiohttp.ClientSession, url: str, took_s: list[float], rng: random.Random) -> None:
    """What a tester of the healthy bot would wait for, were there no server in between."""
    content = json.dumps({"text": TEXT}).encode()
    while True:
        await asyncio.sleep(rng.random())
        began = time.perf_counter()
        async with http.post(url, data=content) as answer:
            await answer.read()
        took_s.append(time.perf_counter() - began)


def sync_often(took_s: list[float], is_over: threading.Event) -> None:
    """How long the disk takes for what every commit asks of it. A turn waits for two commits, and others use the disk, too."""
    with tempfile.TemporaryFile() as file:
        while not is_over.wait(0.1):
            began = time.perf_counter()
            os.write(file.fileno(), b"x" * 4096)
            os.fsync(file.fileno())
            took_s.append(time.perf_counter() - began)


@dataclass
class Phase:
    """The latencies of one while: through the server, and without it; what the disk took for a commit; the server's processor time and memory."""

    name: str
    through_s: list[float]
    direct_s: list[float]
    synced_s: list[float]
    cpu_s: float = 0.0
    lasted_s: float = math.nan
    memory_kib: int = 0
    delay_s: float = USUAL.delay_s


async def run(
    base: str,
    token: str,
    bots: "subprocess.Popen[str]",
    pid: int,
    seconds: float,
    healthy_url: str,
    ways: list[Bot],
    load: Load,
) -> tuple:
    """The healthy dialogues go on over all ways; where each way began in their latencies is kept."""
    direct_s, synced_s, is_over = list[float](), list[float](), threading.Event()
    threading.Thread(target=sync_often, args=(synced_s, is_over), daemon=True).start()
    urls = [servers.open_dialogue(base, token, "healthy") for _ in range(load.n_healthy)]
    healthy, tally, phases = Measured(), Tally(), list[Phase]()
    rng, headers = random.Random(1), {"Authorization": f"Token {token}"}
    async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=0)) as http:
        testers: dict[str, Tester] = {}
        sockets = await connect_all(http, urls)
        talks = [asyncio.create_task(talk(one, healthy, math.inf, lambda rng: rng.random(), rng)) for one in sockets]
        talks += [asyncio.create_task(ask_directly(http, healthy_url, direct_s, rng)) for _ in range(N_DIRECT)]
        began, used = time.perf_counter(), servers.cpu_s(pid)
        await asyncio.sleep(8)
        spent = servers.cpu_s(pid) - used, time.perf_counter() - began, servers.memory_kib(pid), load.delay_s
        phases.append(Phase("alone", healthy.latencies_s.copy(), direct_s.copy(), synced_s.copy(), *spent))
        for begin in range(0, len(ways), load.n_at_once):
            together = ways[begin : begin + load.n_at_once]
            bots.stdin.write(json.dumps([str(way) for way in together]) + "\n")
            bots.stdin.flush()
            await asyncio.to_thread(bots.stdout.readline)
            entries = entries_of(together, load.n_bad)
            # Sockets on which nobody reads are closed: those of another kind of way are opened when they are needed.
            if testers.keys() != set(entries):
                testers = {entry: await tester_of(http, base, token, entry) for entry in entries}
            n_before, n_direct, n_synced = len(healthy.latencies_s), len(direct_s), len(synced_s)
            began, used = time.perf_counter(), servers.cpu_s(pid)
            ends_at = began + seconds
            await asyncio.gather(*(testers[entry].talk(ends_at, tally, rng) for entry in entries))
            spent = servers.cpu_s(pid) - used, time.perf_counter() - began, servers.memory_kib(pid), load.delay_s
            latencies = healthy.latencies_s[n_before:], direct_s[n_direct:], synced_s[n_synced:]
            phases.append(Phase(", ".join(map(str, together)), *latencies, *spent))
        is_over.set()
        for one in talks:
            one.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
    bots.stdin.close()
    requests = Counter(json.loads(await asyncio.to_thread(bots.stdout.readline)))
    return phases, healthy.errors, tally, requests


def added_ms(latencies_s: list[float], delay_s: float) -> tuple[float, float]:
    """p95 and the longest, over what the bot takes."""
    return 1000 * (percentile(latencies_s, 0.95) - delay_s), 1000 * (max(latencies_s, default=0) - delay_s)


def grown_mib(before: Phase, after: Phase) -> float:
    return (after.memory_kib - before.memory_kib) / 1024


def in_words(phase: Phase) -> str:
    p95, longest = added_ms(phase.through_s, phase.delay_s)
    direct, synced = added_ms(phase.direct_s, phase.delay_s)[0], 1000 * percentile(phase.synced_s, 0.95)
    beside = f"without the server {direct:.0f}, one fsync {synced:.0f}"
    busy = f"{100 * phase.cpu_s / phase.lasted_s:.0f}% of a processor"
    return f"{len(phase.through_s)} turns, added p95 {p95:.0f} ({beside}), longest {longest:.0f} ms, {busy}"


def show(phases: list[Phase], errors: list[str], tally: Tally, requests: Counter) -> None:
    alone, *ways = phases
    through = [latency for way in ways for latency in way.through_s]
    direct = [latency for way in ways for latency in way.direct_s]
    synced = [latency for way in ways for latency in way.synced_s]
    print(f"healthy dialogues alone: {in_words(alone)}")
    spent = sum(way.cpu_s for way in ways), sum(way.lasted_s for way in ways), ways[-1].memory_kib, alone.delay_s
    print(f"beside bad bots, {len(ways)} times other ways: {in_words(Phase('', through, direct, synced, *spent))}")
    print(f"    failed {len(errors)}, memory {grown_mib(alone, ways[-1]):+.0f} MiB")
    for way in sorted(ways, key=lambda way: added_ms(way.through_s, way.delay_s), reverse=True)[:5]:
        print(f"    worst: {way.name}: {in_words(way)}")
    most = sorted(pairwise(phases), key=lambda pair: pair[1].memory_kib - pair[0].memory_kib, reverse=True)[:5]
    print(
        f"    most memory: {', '.join(f'{after.name} {grown_mib(before, after):+.0f} MiB' for before, after in most)}"
    )
    print(
        f"turns of the others: {len(tally.took_s)}, the longest {max(tally.took_s):.2f} s (deadline {DEADLINE_S} s); {dict(tally.ends)}"
    )
    again = {key: n for key, n in requests.items() if n > tally.asks[key]}
    print(f"requests at the bots: {sum(requests.values())}, asked for {sum(tally.asks[key] for key in requests)};")
    print(
        f"    sent again after 'not now': {len(again)} turns; more than once: {sum(n > 2 * tally.asks[key] for key, n in again.items())}"
    )


def limits_of(
    phases: list[Phase], errors: list[str], tally: Tally, requests: Counter[str], limit_ms: float = USUAL.limit_ms
) -> list[Limit]:
    """P3, P4 and P5 of robustness, as far as this load says them."""
    alone, *ways = phases
    beside = [latency for way in ways for latency in way.through_s]
    return [
        Limit(
            "P3: p95 of the healthy over what they had alone",
            added_ms(beside, alone.delay_s)[0] - added_ms(alone.through_s, alone.delay_s)[0],
            limit_ms,
            " ms",
        ),
        Limit(
            "P3: the longest of the healthy over what the bot takes", added_ms(beside, alone.delay_s)[1], 1000, " ms"
        ),
        Limit("P3: failed turns of the healthy", len(errors), 0),
        Limit("P3: memory", grown_mib(phases[0], phases[-1]), 64, " MiB more"),
        Limit("P4: the longest turn of the others", max(tally.took_s, default=math.nan), DEADLINE_S + 1, " s"),
        Limit("P5: turns sent more than once again", sum(n > 2 * tally.asks[key] for key, n in requests.items()), 0),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.5, help="for each way")
    parser.add_argument("--pinned", action="store_true", help="the server on a core of its own")
    parser.add_argument("--only", default="", help="ways whose names begin so")
    parser.add_argument("--quick", action="store_true", help="a healthy bot of 20 ms beside seven ways at once")
    arguments = parser.parse_args()
    load = QUICK if arguments.quick else USUAL
    ways = [way for way in WAYS if str(way).startswith(arguments.only)]
    if arguments.pinned:
        servers.pin_the_load()
    ports, closed = [free_port() for _ in range(load.n_bad)], free_port()
    with tempfile.TemporaryDirectory(prefix="huace-bench-") as folder, servers.bot(load.delay_s) as healthy:
        allowed = [healthy.removeprefix("http://").rstrip("/"), *(f"127.0.0.1:{port}" for port in [*ports, closed])]
        campaign = campaign_of(ports, closed, healthy)
        serving = servers.huace(Path(folder), campaign, allowed, is_pinned=arguments.pinned)
        with bad_bots(ports, are_niced=arguments.pinned) as bots, serving as (pid, base, token):
            measured = asyncio.run(run(base, token, bots, pid, arguments.seconds, healthy, ways, load))
            show(*measured)
    sys.exit(exit_code(limits_of(*measured, load.limit_ms)))


if __name__ == "__main__":
    main()
