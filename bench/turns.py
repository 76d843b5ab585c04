"""make bench NAME=turns: Huace beside a bare relay and other contestants, interleaved in one run, as ratios.

python -m bench.turns [--seconds 6] [--rounds 3] [--case 1] [--pinned | --unpinned] [--gradio PYTHON] [--chainlit PYTHON]

Huace stands on SQLite, and also on the PostgreSQL that DATABASE_URL names, with one and with two processes:
`DURABLE=1 .ci/postgres make bench`. `--gradio PYTHON` names a Python that has Gradio and httpx, for its ChatInterface; `--chainlit PYTHON`
one that has Chainlit. They take part where testers do not think.

Each case runs twice: with the server on a core of its own and the load on the others (pinned: what a turn costs), and
with all of them sharing the cores (unpinned: what a machine does). Ends with 1 where a case whose bot declares as many turns as there are
dialogues falls more than 5% behind the relay.
"""

import argparse
import asyncio
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from bench import servers
from bench.limits import Limit, exit_code
from bench.load import PEERS, Measured, Thinks, connect_all, run_load, run_peer_load


@dataclass(frozen=True)
class Case:
    name: str
    n_dialogues: int
    bot_delay_s: float = 0.0
    thinks: Thinks | None = None
    # The least share of the relay's turns per second, where one was promised.
    least_ratio: float | None = None


CASES = (
    Case("50 dialogues, bot delay 0", 50),
    Case("500 dialogues, bot delay 0", 500),
    Case("300 dialogues, bot delay 1 s, think time 4 s", 300, 1.0, lambda rng: rng.expovariate(1 / 4)),
    Case("300 dialogues, bot delay 1 s, think time 0 to 1 s", 300, 1.0, lambda rng: rng.random()),
    Case("300 dialogues, bot delay 1 s, which declares 300", 300, 1.0, least_ratio=0.95),
)
IDLE_SOCKETS = 500
Load = Callable[[float], Awaitable[Measured]]


@dataclass(frozen=True)
class Figures:
    turns_per_s: float
    cpu_ms: float
    added_ms: tuple[float, float, float]
    n_errors: int


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def figures_of(measured: Measured, cpu_s: float, case: Case) -> Figures:
    added = [(latency - case.bot_delay_s) * 1000 for latency in measured.latencies_s]
    return Figures(
        turns_per_s=measured.n_turns / measured.seconds,
        cpu_ms=1000 * cpu_s / max(1, measured.n_turns),
        added_ms=(percentile(added, 0.5), percentile(added, 0.95), percentile(added, 0.99)),
        n_errors=len(measured.errors),
    )


class Contestant(NamedTuple):
    """What is measured: `serve` gives the pid of its server and what talks to it for that many seconds."""

    name: str
    serve: Callable[[Path, str, Case, bool], AbstractContextManager[tuple[int, Load]]]


@contextmanager
def relay(folder: Path, bot_url: str, case: Case, is_pinned: bool) -> Iterator[tuple[int, Load]]:
    with servers.relay(bot_url, is_pinned=is_pinned) as (pid, base):
        yield pid, lambda seconds: run_load([base + "/"] * case.n_dialogues, {}, seconds, case.thinks)


def huace(postgres: str = "", n_processes: int = 1) -> Any:
    @contextmanager
    def serve(folder: Path, bot_url: str, case: Case, is_pinned: bool) -> Iterator[tuple[int, Load]]:
        named = {"is_pinned": is_pinned, "postgres": postgres, "n_processes": n_processes}
        with servers.huace_with(folder, bot_url, **named) as (pid, base, token):
            urls = [servers.open_dialogue(base, token) for _ in range(case.n_dialogues)]
            headers = {"Authorization": f"Token {token}"}
            yield pid, lambda seconds: run_load(urls, headers, seconds, case.thinks)

    return serve


def peer(name: str, python: str) -> Any:
    @contextmanager
    def serve(folder: Path, bot_url: str, case: Case, is_pinned: bool) -> Iterator[tuple[int, Load]]:
        with servers.peer(name, python, bot_url, is_pinned=is_pinned) as (pid, base):
            yield pid, lambda seconds: run_peer_load(name, base, case.n_dialogues, seconds)

    return serve


def contestants(case: Case, pythons: dict[str, str]) -> list[Contestant]:
    """The relay first, which all others are compared with; `pythons` are those of the peers."""
    found = [Contestant("relay", relay), Contestant("huace", huace())]
    if servers.POSTGRES:
        found.append(Contestant("huace, PostgreSQL", huace(servers.POSTGRES)))
        if shutil.which("redis-server"):
            found.append(Contestant("huace, PostgreSQL, 2 processes", huace(servers.POSTGRES, 2)))
    if case.thinks is None:
        found += [Contestant(name, peer(name, python)) for name, python in pythons.items()]
    return found


def measure(
    contestant: Contestant, folder: Path, bot_url: str, case: Case, seconds: float, *, is_pinned: bool
) -> Figures:
    with contestant.serve(folder, bot_url, case, is_pinned) as (pid, load):
        servers.settle()
        before = servers.cpu_s(pid)
        measured = asyncio.run(load(seconds))
        for error in measured.errors[:3]:
            print("    error:", error)
        return figures_of(measured, servers.cpu_s(pid) - before, case)


def show(who: str, figures: Figures) -> None:
    p50, p95, p99 = figures.added_ms
    print(
        f"    {who:<30} {figures.turns_per_s:8.0f} turns/s  {figures.cpu_ms:6.2f} ms CPU a turn   "
        f"added latency p50 {p50:7.1f}  p95 {p95:7.1f}  p99 {p99:7.1f} ms   errors {figures.n_errors}",
        flush=True,
    )


def run_case(
    case: Case, taking_part: list[Contestant], seconds: float, rounds: int, folder: Path, *, is_pinned: bool
) -> list[Limit]:
    """Measures all contestants in turn, round by round, and prints it; gives the limit that the case has."""
    print(f"\n{case.name}, {'pinned' if is_pinned else 'unpinned'}")
    figures: dict[str, list[Figures]] = {one.name: [] for one in taking_part}
    with servers.bot(case.bot_delay_s) as bot_url:
        for _ in range(rounds):
            for one in taking_part:
                figures[one.name].append(measure(one, folder, bot_url, case, seconds, is_pinned=is_pinned))
                show(one.name, figures[one.name][-1])
    bare = figures.pop("relay")
    for name, ours in figures.items():
        ratios = [one.turns_per_s / other.turns_per_s for one, other in zip(ours, bare, strict=True)]
        cpu = statistics.median(one.cpu_ms / other.cpu_ms for one, other in zip(ours, bare, strict=True))
        print(
            f"    {name} ÷ relay: {statistics.median(ratios):.2f} × turns/s "
            f"(rounds: {', '.join(f'{r:.2f}' for r in ratios)}), {cpu:.2f} × CPU a turn"
        )
    ratios = [one.turns_per_s / other.turns_per_s for one, other in zip(figures["huace"], bare, strict=True)]
    return limits_of(case, ratios, is_pinned=is_pinned)


def limits_of(case: Case, ratios: list[float], *, is_pinned: bool) -> list[Limit]:
    """Nothing for a case that promises nothing."""
    if case.least_ratio is None:
        return []
    behind = 100 * (1 - statistics.median(ratios))
    name = f"{case.name}, {'pinned' if is_pinned else 'unpinned'}: behind the relay"
    return [Limit(name, behind, 100 * (1 - case.least_ratio), " %")]


async def hold_idle(urls: list[str], headers: dict[str, str], pid: int) -> int:
    async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=0)) as http:
        sockets = await connect_all(http, urls)
        await asyncio.sleep(1)
        held = servers.memory_kib(pid)
        await asyncio.gather(*(socket.close() for socket in sockets))
        return held


def measure_memory(folder: Path) -> None:
    """KiB of resident memory an idle socket, after a first batch of sockets has warmed the process up."""
    print(f"\n{IDLE_SOCKETS} idle sockets")
    with servers.bot(0) as bot_url, servers.huace_with(folder, bot_url) as (pid, base, token):
        headers = {"Authorization": f"Token {token}"}
        urls = [servers.open_dialogue(base, token) for _ in range(IDLE_SOCKETS + 50)]
        asyncio.run(hold_idle(urls[:50], headers, pid))
        servers.settle()
        before = servers.memory_kib(pid)
        held = asyncio.run(hold_idle(urls[50:], headers, pid))
        print(f"    {(held - before) / IDLE_SOCKETS:.1f} KiB a socket ({before / 1024:.0f} → {held / 1024:.0f} MiB)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--case", type=int, action="append", help="only this case (1 to 5); may be repeated")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--pinned", action="store_const", const=(True,), dest="pinnings", help="only pinned")
    how.add_argument("--unpinned", action="store_const", const=(False,), dest="pinnings", help="only unpinned")
    for name in PEERS:
        parser.add_argument(f"--{name}", metavar="PYTHON", help=f"also measure {name.title()}, by this Python")
    arguments = parser.parse_args()
    pythons = {name: python for name in PEERS if (python := getattr(arguments, name))}
    all_cores, limits = set(servers.CORES), list[Limit]()
    with tempfile.TemporaryDirectory(prefix="huace-bench-") as folder:
        for is_pinned in arguments.pinnings or (True, False):
            servers.pin_the_load() if is_pinned else os.sched_setaffinity(0, all_cores)
            for number, case in enumerate(CASES, start=1):
                if arguments.case is None or number in arguments.case:
                    seconds = arguments.seconds if case.bot_delay_s == 0 else 5 * arguments.seconds
                    taking_part = contestants(case, pythons)
                    limits += run_case(case, taking_part, seconds, arguments.rounds, Path(folder), is_pinned=is_pinned)
        if arguments.case is None:
            measure_memory(Path(folder))
    sys.exit(exit_code(limits))


if __name__ == "__main__":
    main()
