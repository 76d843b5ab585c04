"""make bench NAME=size: how long boards and exports of a large campaign take, and how much memory, over a database of its own.

python -m bench.size [--dialogues 100000] [--rounds 3] [--bundle | --board] [--keep FILE]   (DATABASE_URL: an empty PostgreSQL instead of SQLite)
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from bench.big_database import SLUG, Size, make
from bench.servers import ROOT, come_to_rest, memory_kib, process, settle
from demo.sample_bots import free_port

EXPORTED_TURNS = 1_000_000
OTHER_FORMATS = ("jsonl", "parquet", "xlsx")
PAGE_VIEWS = 30
PIECE_BYTES = 1 << 16


def set_up() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()


def make_database(size: Size) -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    began = time.perf_counter()
    make(size)
    print(
        f"{size.dialogues:,} scored dialogues of {size.turns_per_dialogue} turns, {size.reviewers} reviewers each: "
        f"made in {time.perf_counter() - began:.0f} s"
    )


def leaderboard() -> dict[str, float]:
    """Seconds and MiB over idle that computing and storing the leaderboard takes; for a process of its own."""
    from django.utils import timezone

    from campaigns.models import Campaign
    from leaderboards.actions import refresh_leaderboard

    campaign = Campaign.objects.get(slug=SLUG)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    took = time.perf_counter() - began
    return {"seconds": took, "mib": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024}


def forget_files() -> None:
    """Has the system drop what it holds of SQLite's files."""
    database = os.environ["DATABASE_URL"].removeprefix("sqlite:///")
    for file in map(Path, (database, f"{database}-wal")):
        if file.exists():
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def in_a_process_of_its_own(what: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.size", "--measure", what]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def cookie_of_the_organizer() -> str:
    from django.test import Client

    from accounts.models import Person

    client = Client()
    client.force_login(Person.objects.get(username="organizer-0"))
    return f"sessionid={client.cookies['sessionid'].value}"


def page_ms(base: str, cookie: str) -> float:
    """Median milliseconds of the organizer's page of the leaderboard, over a warm server."""
    request = urllib.request.Request(f"{base}/campaigns/{SLUG}/leaderboard/", headers={"Cookie": cookie})
    took = []
    for _ in range(PAGE_VIEWS):
        began = time.perf_counter()
        with urllib.request.urlopen(request) as answer:
            assert b"Team 1" in answer.read()
        took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took)


def export(base: str, pid: int, cookie: str, format: str, n_turns: int) -> dict[str, float]:
    """Seconds to the first byte and to `n_turns` turns (XLSX and Parquet: to all of them), and MiB over idle at most."""
    settle()
    idle = highest = memory_kib(pid)
    request = urllib.request.Request(f"{base}/campaigns/{SLUG}/export/turns.{format}", headers={"Cookie": cookie})
    began = time.perf_counter()
    n_lines, first = 0, 0.0
    with urllib.request.urlopen(request) as answer:
        while n_lines <= n_turns and (piece := answer.read(PIECE_BYTES)):
            first = first or time.perf_counter() - began
            n_lines += piece.count(b"\n") if format in {"csv", "jsonl"} else 0
            highest = max(highest, memory_kib(pid))
    took = time.perf_counter() - began
    assert n_lines >= n_turns or format not in {"csv", "jsonl"}, f"{n_lines} lines only"
    return {"seconds": took, "first": first, "mib": (highest - idle) / 1024}


def bundle(base: str, pid: int, cookie: str, out: Path) -> dict[str, float]:
    """Seconds to the first byte and to the end of the results bundle, its MiB, and the server's MiB over idle at most."""
    settle()
    idle = highest = memory_kib(pid)
    request = urllib.request.Request(f"{base}/campaigns/{SLUG}/export/bundle.zip", headers={"Cookie": cookie})
    began = time.perf_counter()
    first = 0.0
    with urllib.request.urlopen(request) as answer, out.open("wb") as file:
        while piece := answer.read(PIECE_BYTES):
            first = first or time.perf_counter() - began
            file.write(piece)
            highest = max(highest, memory_kib(pid))
    took = time.perf_counter() - began
    return {"first": first, "seconds": took, "mib": (highest - idle) / 1024, "size": out.stat().st_size / (1 << 20)}


def verified(path: Path) -> dict[str, float]:
    """Seconds and MiB that a reader needs to verify the bundle."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "verification.verify", str(path), "--format", "json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        report = json.loads(running.stdout.read())
        _, code, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(code)
    assert report["is_verified"], report["differences"][:3]
    return {
        "seconds": time.perf_counter() - began,
        "mib": used.ru_maxrss / 1024,
        "turns": report["checked"]["turns.jsonl"],
    }


def measure_bundle(base: str, pid: int, cookie: str, rounds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="huace-bundle-") as folder:
        path = Path(folder) / "bundle.zip"
        written = [bundle(base, pid, cookie, path) for _ in range(rounds)]
        checked = [verified(path) for _ in range(rounds)]
    line("bundle, s", [one["seconds"] for one in written], "–")
    line("bundle, first byte, s", [one["first"] for one in written], "≤ 1")
    line("bundle, MiB", [one["size"] for one in written], "–")
    line("server's memory, MiB over idle", [one["mib"] for one in written], "≤ 100")
    line("bundle verified, s", [one["seconds"] for one in checked], "≤ 60")
    line("memory of the verification, MiB", [one["mib"] for one in checked], "≤ 300")


def measure_board(rounds: int) -> None:
    line("ten million turns of a loop, s", [bare_loop_s() for _ in range(rounds)], "–")
    made = [in_a_process_of_its_own("leaderboard") for _ in range(rounds)]
    line("leaderboard computed, s", [one["seconds"] for one in made], "≤ 3")
    line("the same, MiB over idle", [one["mib"] for one in made], "≤ 300")
    if not os.environ["DATABASE_URL"].startswith("sqlite:///"):
        # PostgreSQL keeps pages of its own: none of its figures would be cold.
        return
    cold = []
    for _ in range(rounds):
        forget_files()
        cold.append(in_a_process_of_its_own("leaderboard"))
    line("the same, of a file not in memory", [one["seconds"] for one in cold], "≤ 3")


def measure(size: Size, rounds: int, *, with_bundle: bool) -> None:
    cookie, port = cookie_of_the_organizer(), free_port()
    base = f"http://127.0.0.1:{port}"
    n_turns = min(EXPORTED_TURNS, size.dialogues * size.turns_per_dialogue)
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--drain", "1", "--no-worker"]
    with process(command, port, dict(os.environ)) as running:
        line("until the server rests, s", [come_to_rest(running.pid)], "–")
        line("a stored board's page, ms", [page_ms(base, cookie) for _ in range(rounds)], "≤ 50")
        exported = [export(base, running.pid, cookie, "csv", n_turns) for _ in range(rounds)]
        others = {format: export(base, running.pid, cookie, format, n_turns) for format in OTHER_FORMATS}
        if with_bundle:
            measure_bundle(base, running.pid, cookie, rounds)
    line(f"{n_turns:,} turns as CSV, s", [one["seconds"] for one in exported], "≤ 12")
    line("first byte, s", [one["first"] for one in exported], "≤ 1")
    line("server's memory, MiB over idle", [one["mib"] for one in exported], "≤ 100")
    for format, one in others.items():
        line(f"{format}: s, first byte, MiB", list(one.values()), "constant memory")


def bare_loop_s() -> float:
    """Seconds of ten million turns of nothing: what a run on another machine, or at another hour, is compared by."""
    began = time.perf_counter()
    for _ in range(10_000_000):
        pass
    return time.perf_counter() - began


def line(name: str, figures: list[float], asked: str) -> None:
    print(f"{name:<34}" + "".join(f"{figure:>9.2f}" for figure in figures) + f"   asked {asked}", flush=True)


def main() -> None:
    usual = Size()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=int, default=usual.dialogues)
    parser.add_argument(
        "--turns", type=int, default=usual.turns_per_dialogue, help="of a dialogue, an even number up to 20"
    )
    parser.add_argument("--reviewers", type=int, default=usual.reviewers)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bundle", action="store_true", help="the results bundle, too; minutes more")
    parser.add_argument("--board", action="store_true", help="the leaderboard alone, e.g. of ten million ratings")
    parser.add_argument("--keep", type=Path, help="a SQLite file that is made once and used again")
    parser.add_argument("--measure", choices=["leaderboard"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        set_up()
        print(json.dumps(leaderboard()))
        return
    size = Size(arguments.dialogues, arguments.turns, arguments.reviewers, seed=arguments.seed)
    with tempfile.TemporaryDirectory(prefix="huace-size-") as folder:
        file = arguments.keep or Path(folder) / "size.sqlite3"
        is_there = arguments.keep is not None and file.exists()
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{file.absolute()}")
        set_up()
        if not is_there:
            make_database(size)
        measure_board(arguments.rounds)
        if not arguments.board:
            measure(size, arguments.rounds, with_bundle=arguments.bundle)


if __name__ == "__main__":
    main()
