"""Starts what is measured: the bot, the relay, and Huace on a database of its own."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, nullcontext
from pathlib import Path

from demo.sample_bots import free_port, wait_for_port

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
# A process that uses less than this share of a processor over this time has come to rest; one that only looks uses 0.05.
CALM_SHARE = 0.15
CALM_S = 8.0

CAMPAIGN = """
[campaign]
slug = "bench"
name = "Bench"
preset = "smp2018"
free_choice = true
reply_deadline_s = 30
cap_per = "dialogue"
turn_cap = 1000
open_dialogues_per_tester = 100000

[reviewing]
by = "self"

[[bots]]
key = "bot"
team = "Bench Team"
url = "{bot}"
parallel = 1000

[[scenarios]]
key = "talk"
subtasks = [{{kind = "flight"}}]

[[people]]
username = "tester"
roles = ["tester", "organizer"]  # who organizes too may name a bot by its key
"""


# A pinned run gives the server the last core alone, and load generator and bot all the others.
CORES = sorted(os.sched_getaffinity(0))


def pin_the_load() -> None:
    """Keeps this process, and the bots that it starts, off the server's core."""
    os.sched_setaffinity(0, CORES[:-1])


def pinned(command: list[str], *, is_pinned: bool) -> list[str]:
    return ["taskset", "-c", str(CORES[-1]), *command] if is_pinned else command


@contextmanager
def process(arguments: list[str], port: int, environment: dict[str, str] | None = None, *, quiet: bool = False):
    running = subprocess.Popen(arguments, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL if quiet else None)
    try:
        wait_for_port(port, running, arguments[1], limit_s=60)
        yield running
    finally:
        running.terminate()
        running.wait()


@contextmanager
def bot(delay_s: float):
    port = free_port()
    command = [sys.executable, "-m", "bench.bot", "--port", str(port), "--delay", str(delay_s)]
    with process(command, port):
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def relay(bot_url: str, *, is_pinned: bool = False):
    port = free_port()
    command = [sys.executable, "-m", "bench.relay", "--port", str(port), "--bot", bot_url]
    with process(pinned(command, is_pinned=is_pinned), port) as running:
        yield running.pid, f"http://127.0.0.1:{port}"


POSTGRES = os.environ.get("DATABASE_URL", "") if os.environ.get("DATABASE_URL", "").startswith("postgres") else ""


@contextmanager
def new_database(folder: Path, port: int, there: str = POSTGRES):
    """The URL of an empty database: a SQLite file, or one on the PostgreSQL of that URL, by default that of DATABASE_URL."""
    if not there:
        yield f"sqlite:///{folder / f'bench-{port}.sqlite3'}"
        return
    import psycopg

    name = f"huace_bench_{port}"
    with psycopg.connect(there, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{there.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def redis():
    """The URL of a Redis of its own."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with process(command, port, quiet=True):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def installation(
    folder: Path, campaign: str, allowed: list[str], *, postgres: str = POSTGRES, with_redis: bool = False
):
    """A database with the campaign loaded; gives the settings of servers on it, which may call those `host:port`, and a tester's token."""
    file = folder / f"bench-{free_port()}.toml"
    file.write_text(campaign)
    with (
        new_database(folder, free_port(), postgres) as database,
        redis() if with_redis else nullcontext("") as wake_ups,
    ):
        environment = os.environ | {
            "DATABASE_URL": database,
            "REDIS_URL": wake_ups,
            "HUACE_OUTBOUND_ALLOW": ",".join(allowed),
            "HUACE_FRAME_RATE": "0",
            "HUACE_SOCKETS_PER_PERSON": "0",
            "HUACE_SOCKETS_PER_ADDRESS": "0",
            "HUACE_API_RATE": "0",
        }
        manage = [sys.executable, "manage.py"]
        subprocess.run([*manage, "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        loading = [*manage, "load_campaign", str(file), "--print-tokens"]
        tokens = json.loads(subprocess.run(loading, cwd=ROOT, env=environment, check=True, capture_output=True).stdout)
        yield environment, tokens["tester"]


@contextmanager
def huace(
    folder: Path,
    campaign: str,
    allowed: list[str],
    *,
    is_pinned: bool = False,
    postgres: str = POSTGRES,
    n_processes: int = 1,
):
    """The server with its campaign loaded, which may call those `host:port`; gives pid, base URL and a tester's token."""
    port = free_port()
    with installation(folder, campaign, allowed, postgres=postgres, with_redis=n_processes > 1) as (environment, token):
        serve = [sys.executable, "manage.py", "serve", "--port", str(port)]
        serve += ["--drain", "1", "--no-worker", "--processes", str(n_processes)]
        with process(pinned(serve, is_pinned=is_pinned), port, environment) as running:
            yield running.pid, f"http://127.0.0.1:{port}", token


def huace_with(folder: Path, bot_url: str, **named):
    """The server with one bot."""
    return huace(folder, CAMPAIGN.format(bot=bot_url), [bot_url.removeprefix("http://").rstrip("/")], **named)


@contextmanager
def peer(name: str, python: str, bot_url: str, *, is_pinned: bool = False):
    """Another program to chat in before the bot, by a Python that has it and httpx."""
    port = free_port()
    command = [python, str(ROOT / "bench" / f"{name}_chat.py"), str(port), bot_url]
    with process(
        pinned(command, is_pinned=is_pinned), port, os.environ | {"GRADIO_ANALYTICS_ENABLED": "False"}
    ) as running:
        yield running.pid, f"http://127.0.0.1:{port}"


def open_dialogue(base: str, token: str, bot: str = "bot") -> str:
    content = json.dumps({"campaign": "bench", "bot": bot, "scenario": "talk"}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Token {token}"}
    with urllib.request.urlopen(urllib.request.Request(f"{base}/api/v1/dialogues/", content, headers)) as answer:
        return f"{base}{json.load(answer)['socket']}?after=0"


def cpu_s(pid: int) -> float:
    """CPU seconds of a process and those that it started, user and system, so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    started = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return (int(fields[11]) + int(fields[12])) / TICKS + sum(map(cpu_s, map(int, started)))


def memory_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def settle() -> None:
    time.sleep(0.5)


def come_to_rest(pid: int, within_s: float = 600) -> float:
    """Waits until the process has hardly worked for some seconds; gives how long that took.

    A server that finds a database of another day first closes what was left open and computes what is out of date.
    """
    began = time.monotonic()
    while time.monotonic() - began < within_s:
        used, looked = cpu_s(pid), time.monotonic()
        time.sleep(CALM_S)
        if cpu_s(pid) - used < CALM_SHARE * (time.monotonic() - looked):
            return looked - began
    sys.exit(f"process {pid} has worked for {within_s:.0f} s and did not come to rest")
