"""make bench NAME=deploys: a new version beside the old one behind a real proxy, again and again, while people talk.

python -m bench.deploys [--dialogues 300] [--deploys 10] [--delay 1] [--proxy caddy | nginx]

On SQLite with one process, or on the PostgreSQL that DATABASE_URL names with a Redis of its own and two processes, which
replace those of another machine: `DURABLE=1 .ci/postgres make bench NAME=deploys`. The two versions differ in a line of code.
Testers reconnect and send again as the console does. Ends with 1 where a turn failed, was lost or stored twice, or where the
95th percentile of a pause is over two seconds.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from bench import servers
from bench.limits import Limit, exit_code
from bench.load import CONNECT_AT_ONCE, TEXT
from bench.turns import percentile
from demo.sample_bots import free_port, wait_for_port

PAUSE_LIMIT_S = 2.0
# The proxy's looks at /readyz are two seconds apart.
PROXY_SEES_WITHIN_S = 3.0
THINK_TIME_S = 4.0
SETTLED_WITHIN_S = 60.0
# As in static/testing_console/dialogue_socket.js.
FIRST_WAIT_S, LONGEST_WAIT_S = 0.3, 10.0
REFUSED_FOR_NOW = {"draining", "unavailable"}


@dataclass
class Tally:
    """What testers saw. A pause is what a turn took beyond its bot's delay where its socket went or its server drained."""

    n_turns: int = 0
    pauses_s: list[float] = field(default_factory=list)
    undisturbed_s: list[float] = field(default_factory=list)
    away_s: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    is_over: bool = False


class Tester:
    """One dialogue: a socket that comes back by itself, and a person who thinks, sends and waits for the reply."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        url: str,
        delay_s: float,
        tally: Tally,
        rng: random.Random,
        thinks_s: float = THINK_TIME_S,
    ) -> None:
        self._http, self._delay_s, self._rng, self._thinks_s = http, delay_s, rng, thinks_s
        self.url, self.tally = url, tally
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._last_seq, self._n_failures, self._n_sent, self.n_answered = 0, 0, 0, 0
        self._key, self._turn = "", 0
        self._is_disturbed = False
        self._answer: asyncio.Future[None] | None = None
        self.turns_stored = -1
        self.is_there = asyncio.Event()

    async def follow(self) -> None:
        """The socket: reads, and reconnects with the console's waits until it is cancelled."""
        lost_at = 0.0
        while True:
            try:
                url = self.url.replace("after=0", f"after={self._last_seq}")
                async with self._http.ws_connect(url, compress=0, max_msg_size=0) as socket:
                    async for message in socket:
                        frame = json.loads(message.data)
                        if frame["type"] == "dialogue.state" and lost_at:
                            self.tally.away_s.append(time.perf_counter() - lost_at)
                            lost_at = 0.0
                        await self._hear(socket, frame)
                    self.tally.ends[f"closed with {socket.close_code}"] += 1
            except (aiohttp.ClientError, OSError) as refused:
                self.tally.ends[f"refused: {getattr(refused, 'status', type(refused).__name__)}"] += 1
            self._socket = None
            lost_at = lost_at or time.perf_counter()
            self._is_disturbed = True
            wait = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**self._n_failures)
            self._n_failures += 1
            await asyncio.sleep(wait * (0.5 + self._rng.random()))

    async def _hear(self, socket: aiohttp.ClientWebSocketResponse, frame: dict) -> None:
        self._last_seq = max(self._last_seq, frame.get("seq", 0))
        match frame["type"]:
            case "dialogue.state":
                self._socket, self._n_failures, self.turns_stored = socket, 0, frame["turns_used"]
                self.is_there.set()
                await self._send()
            case "turn.accepted" if frame["key"] == self._key:
                self._turn = frame["turn"]
            case "reply.done" if frame["turn"] == self._turn and self._answer and not self._answer.done():
                self._answer.set_result(None)
            case "turn.failed":
                self.tally.failed.append(f"turn.failed: {frame['kind']}, {frame['fault']}")
            case "error" if frame["code"] in REFUSED_FOR_NOW:
                self._is_disturbed = True
            case "error":
                self.tally.failed.append(f"error: {frame['code']}")

    async def _send(self) -> None:
        """Sends what has no answer yet: again with its key, so that it is one turn."""
        if self._socket is not None and self._key:
            with suppress(ConnectionError):
                await self._socket.send_json({"type": "turn.send", "key": self._key, "text": TEXT})

    async def talk(self) -> None:
        await asyncio.sleep(self._thinks_s * self._rng.random())
        while not self.tally.is_over:
            self._n_sent += 1
            self._key, self._turn, self._is_disturbed = f"k{self._n_sent}", 0, self._socket is None
            self._answer = asyncio.get_running_loop().create_future()
            sent = time.perf_counter()
            await self._send()
            try:
                async with asyncio.timeout(SETTLED_WITHIN_S):
                    await self._answer
            except TimeoutError:
                self.tally.failed.append(f"no answer to {self._key} within {SETTLED_WITHIN_S:g} s")
                return
            self._key = ""
            self.n_answered += 1
            self.tally.n_turns += 1
            took = time.perf_counter() - sent - self._delay_s
            (self.tally.pauses_s if self._is_disturbed else self.tally.undisturbed_s).append(took)
            await asyncio.sleep(self._rng.expovariate(1 / self._thinks_s))


async def follow_all(testers: Sequence[Tester]) -> list[asyncio.Task[None]]:
    """Every tester's socket, a few at a time; each is there by then and comes back until its task is cancelled."""
    following = []
    for first in range(0, len(testers), CONNECT_AT_ONCE):
        some = testers[first : first + CONNECT_AT_ONCE]
        following += [asyncio.create_task(tester.follow()) for tester in some]
        await asyncio.gather(*(tester.is_there.wait() for tester in some))
    return following


async def cancelled(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in (tasks := list(tasks)):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# -- versions, servers, the proxy --------------------------------------------------------------------------------------


def other_version(folder: Path) -> Path:
    """A copy of this checkout with one more line of code."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=servers.ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (servers.ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(servers.ROOT / name, folder / name)
    with (folder / "serving" / "versions.py").open("a") as code:
        code.write("\n# Another version.\n")
    return folder


@dataclass
class Site:
    """Servers of two versions by turns, on two ports that the proxy knows."""

    environment: dict[str, str]
    trees: tuple[Path, Path]
    folder: Path
    processes: int
    ports: tuple[int, int] = field(default_factory=lambda: (free_port(), free_port()))
    n_started: int = 0
    running: "subprocess.Popen[bytes] | None" = None

    def deploy(self) -> float:
        """The next version, then the end of the last one; gives the seconds that the last one needed to end."""
        old, turn = self.running, self.n_started % 2
        port, home = self.ports[turn], self.folder / (f"home-{turn}" if self.processes > 1 else "home")
        home.mkdir(exist_ok=True)
        command = [sys.executable, "manage.py", "serve", "--port", str(port), "--no-worker", "--replace"]
        command += ["--processes", str(self.processes)]
        self.running = subprocess.Popen(
            command, cwd=self.trees[turn], env=self.environment | {"HUACE_HOME": str(home)}, start_new_session=True
        )
        self.n_started += 1
        wait_for_port(port, self.running, "The server", 120)
        wait_until_ready(f"http://127.0.0.1:{port}")
        if old is None:
            return 0.0
        time.sleep(PROXY_SEES_WITHIN_S)
        began = time.perf_counter()
        old.terminate()
        old.wait()
        return time.perf_counter() - began

    def end(self) -> None:
        if self.running is not None:
            self.running.terminate()
            self.running.wait()


def wait_until_ready(base: str, limit_s: float = 120) -> None:
    ends_at = time.monotonic() + limit_s
    while time.monotonic() < ends_at:
        with suppress(OSError), urllib.request.urlopen(f"{base}/readyz") as answer:
            if answer.status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError(f"{base} was not ready within {limit_s:g} s.")


@contextmanager
def caddy(folder: Path, ports: tuple[int, int]) -> Iterator[str]:
    port = free_port()
    file = folder / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\nimport {servers.ROOT}/deploy/Caddyfile\n")
    site = {"HUACE_SITE": f"http://127.0.0.1:{port}", "HUACE_UPSTREAMS": " ".join(f"127.0.0.1:{one}" for one in ports)}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]
    with proxy(command, port, folder, os.environ | site | {"HOME": str(folder)}):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def nginx(folder: Path, ports: tuple[int, int]) -> Iterator[str]:
    """The shipped file, without its TLS."""
    port = free_port()
    shipped = (servers.ROOT / "deploy" / "nginx.conf").read_text()
    lines = [line for line in shipped.splitlines() if "ssl_certificate" not in line]
    here = "\n".join(lines).replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    here = here.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};").replace("huace.example.org", "127.0.0.1")
    (named,) = [line for line in lines if "server 127.0.0.1:8000" in line]
    here = here.replace(named, "\n".join(named.replace("8000", str(one)) for one in ports))
    temporary = " ".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root; " if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off; pid {folder}/pid; error_log stderr; events {{ worker_connections 8192; }}\n"
        f"http {{ access_log off; {temporary}\n{here}\n}}\n"
    )
    with proxy(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], port, folder, dict(os.environ)):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def proxy(command: list[str], port: int, folder: Path, environment: dict[str, str]) -> Iterator[None]:
    with (folder / "proxy.log").open("wb") as log:
        running = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        wait_for_port(port, running, command[0], 60)
        yield
    finally:
        running.terminate()
        running.wait()


PROXIES = {"caddy": caddy, "nginx": nginx}

# -- the story ---------------------------------------------------------------------------------------------------------


@dataclass
class Told:
    tally: Tally
    ended_s: list[float]
    answered: int
    stored: int

    def limits(self) -> list[Limit]:
        return [
            Limit("turns that failed or got no answer", len(self.tally.failed), 0),
            Limit("turns stored, but for those answered", abs(self.stored - self.answered), 0),
            Limit("p95 of a pause", percentile(self.tally.pauses_s, 0.95), PAUSE_LIMIT_S, " s"),
        ]


async def tell(site: Site, urls: list[str], token: str, delay_s: float, n_deploys: int) -> Told:
    tally, ended_s = Tally(), list[float]()
    headers = {"Authorization": f"Token {token}"}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(headers=headers, connector=connector) as http:
        testers = [Tester(http, url, delay_s, tally, random.Random(n)) for n, url in enumerate(urls)]
        following = await follow_all(testers)
        talking = [asyncio.create_task(tester.talk()) for tester in testers]
        for _ in range(n_deploys):
            await asyncio.sleep(THINK_TIME_S / 2)
            ended_s.append(await asyncio.to_thread(site.deploy))
        await asyncio.sleep(THINK_TIME_S / 2)
        tally.is_over = True
        await asyncio.gather(*talking)
        await cancelled(following)
        last = [Tester(http, url, delay_s, Tally(), random.Random(0)) for url in urls]
        await cancelled(await follow_all(last))
    answered = sum(tester.n_answered for tester in testers)
    return Told(tally, ended_s, answered, sum(tester.turns_stored for tester in last))


def run(folder: Path, *, n_dialogues: int, n_deploys: int, delay_s: float, proxy_name: str) -> Told:
    is_grown = bool(servers.POSTGRES)
    with servers.bot(delay_s) as bot:
        campaign, allowed = servers.CAMPAIGN.format(bot=bot), [bot.removeprefix("http://").rstrip("/")]
        with servers.installation(folder, campaign, allowed, with_redis=is_grown) as (environment, token):
            same = {"HUACE_PROXIES": "1", "HUACE_SECRET_KEY": "the-same-for-both"}
            trees = (servers.ROOT, other_version(folder / "other"))
            site = Site(environment | same, trees, folder, 2 if is_grown else 1)
            try:
                site.deploy()
                with PROXIES[proxy_name](folder, site.ports) as base:
                    wait_until_ready(base)
                    urls = [servers.open_dialogue(base, token) for _ in range(n_dialogues)]
                    return asyncio.run(tell(site, urls, token, delay_s, n_deploys))
            finally:
                site.end()


def show(told: Told) -> None:
    tally = told.tally
    for name, seconds in (
        ("a turn that no deploy met, added", tally.undisturbed_s),
        ("a turn that a deploy met, its pause", tally.pauses_s),
        ("a socket, from its end until it is back", tally.away_s),
        ("the old version, until it has ended", told.ended_s),
    ):
        p50, p95 = percentile(seconds, 0.5), percentile(seconds, 0.95)
        print(
            f"    {name:<40} {len(seconds):>6} ×   p50 {p50:6.2f}  p95 {p95:6.2f}  most {max(seconds, default=0):6.2f} s"
        )
    print(f"    how sockets ended: {dict(tally.ends)}")
    print(f"    {tally.n_turns} turns answered, {told.stored} stored; failed: {tally.failed[:3] or 'none'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dialogues", type=int, default=300)
    parser.add_argument("--deploys", type=int, default=10)
    parser.add_argument("--delay", type=float, default=1.0, help="seconds that the bot takes")
    parser.add_argument("--proxy", choices=sorted(PROXIES), default="caddy")
    said = parser.parse_args()
    where = "PostgreSQL and Redis, two processes" if servers.POSTGRES else "SQLite, one process"
    print(f"{said.deploys} deploys under {said.dialogues} dialogues, bot delay {said.delay:g} s, {said.proxy}, {where}")
    with tempfile.TemporaryDirectory(prefix="huace-deploys-") as folder:
        told = run(
            Path(folder), n_dialogues=said.dialogues, n_deploys=said.deploys, delay_s=said.delay, proxy_name=said.proxy
        )
    show(told)
    sys.exit(exit_code(told.limits()))


if __name__ == "__main__":
    main()
