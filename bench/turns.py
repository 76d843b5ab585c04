"""make bench NAME=turns: Huace beside a bare relay, interleaved in one run, as ratios.

python -m bench.turns [--seconds 6] [--rounds 3] [--case 1] [--pinned | --unpinned]

Each case runs twice: with the server on a core of its own and the load on the others (pinned: what a turn costs), and
with all of them sharing the cores (unpinned: what a machine does). Ends with 1 where a case whose bot declares as many turns as there are
dialogues falls more than 5% behind the relay.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from bench import servers
from bench.limits import Limit, exit_code
from bench.load import Measured, Thinks, connect_all, run_load


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


def measure(pid: int, urls: list[str], headers: dict[str, str], case: Case, seconds: float) -> Figures:
    servers.settle()
    before = servers.cpu_s(pid)
    measured = asyncio.run(run_load(urls, headers, seconds, case.thinks))
    for error in measured.errors[:3]:
        print("    error:", error)
    return figures_of(measured, servers.cpu_s(pid) - before, case)


def show(who: str, figures: Figures) -> None:
    p50, p95, p99 = figures.added_ms
    print(
        f"    {who:<6} {figures.turns_per_s:8.0f} turns/s  {figures.cpu_ms:6.2f} ms CPU a turn   "
        f"added latency p50 {p50:7.1f}  p95 {p95:7.1f}  p99 {p99:7.1f} ms   errors {figures.n_errors}",
        flush=True,
    )


def run_case(case: Case, seconds: float, rounds: int, folder: Path, *, is_pinned: bool) -> list[Limit]:
    """Measures the case and prints it; gives the limit that it has."""
    print(f"\n{case.name}, {'pinned' if is_pinned else 'unpinned'}")
    ratios, cpu_ratios = [], []
    with servers.bot(case.bot_delay_s) as bot_url:
        for _ in range(rounds):
            with servers.relay(bot_url, is_pinned=is_pinned) as (pid, base):
                bare = measure(pid, [base + "/"] * case.n_dialogues, {}, case, seconds)
            show("relay", bare)
            with servers.huace_with(folder, bot_url, is_pinned=is_pinned) as (pid, base, token):
                urls = [servers.open_dialogue(base, token) for _ in range(case.n_dialogues)]
                ours = measure(pid, urls, {"Authorization": f"Token {token}"}, case, seconds)
            show("huace", ours)
            ratios.append(ours.turns_per_s / bare.turns_per_s)
            cpu_ratios.append(ours.cpu_ms / bare.cpu_ms)
    print(
        f"    huace ÷ relay: {statistics.median(ratios):.2f} × turns/s (rounds: {', '.join(f'{r:.2f}' for r in ratios)}), "
        f"{statistics.median(cpu_ratios):.2f} × CPU a turn"
    )
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
    arguments = parser.parse_args()
    all_cores, limits = set(servers.CORES), list[Limit]()
    with tempfile.TemporaryDirectory(prefix="huace-bench-") as folder:
        for is_pinned in arguments.pinnings or (True, False):
            servers.pin_the_load() if is_pinned else os.sched_setaffinity(0, all_cores)
            for number, case in enumerate(CASES, start=1):
                if arguments.case is None or number in arguments.case:
                    seconds = arguments.seconds if case.bot_delay_s == 0 else 5 * arguments.seconds
                    limits += run_case(case, seconds, arguments.rounds, Path(folder), is_pinned=is_pinned)
        if arguments.case is None:
            measure_memory(Path(folder))
    sys.exit(exit_code(limits))


if __name__ == "__main__":
    main()
