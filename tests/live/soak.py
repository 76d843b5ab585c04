"""make soak: robustness P13 to P18 at their figures on SQLite, and docs/reliability.md of what was measured.

python -m tests.live.soak [--minutes 60] [--dialogues 500] [--out docs/reliability.md]

500 dialogues with 50 bots talk at 10 turns/s, undisturbed for so many minutes (P18). Then, while they go on, the server is restarted as planned
(P14), killed (P13), its clock jumps (P17), and its database is locked (P15); a disk fills up (P15; as root) and 1,000 replies of any
Unicode are sent (P16) in installations of their own, some minutes more. Ends with 1 where something lies beyond what was asked.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import websockets

from bench import servers
from bench.deploys import Tally, Tester, cancelled, follow_all, wait_until_ready
from bench.load import TEXT
from bench.turns import percentile
from demo.sample_bots import free_port, wait_for_port
from tests.fakes import bots
from tests.live.databases import ROOT, SQLiteFile
from tests.live.disks import CannotMount, filled, small_disk
from tests.live.server import RULES, Client, live
from tests.live.stress import lost_turns, run_clients, until_nothing_waits
from tests.waiting import soon

N_BOTS, TURNS_PER_S, BOT_DELAY_S = 50, 10, 1.0
WHOLE_MINUTES = 60
# What a process takes while its caches fill is no slope.
WARM_UP_S = 60.0
LOOK_EVERY_S = 5.0
BACK_WITHIN_S = 300.0
# What a page missed follows its state; without this, failures of one phase would be counted in the next.
MISSED_HEARD_S = 5.0
LOCKED_S = (3, 10)
CLOCK_JUMPS_S = (3600, -3600)
AT_EACH_CLOCK_S = 20
FULL_S = 10
N_REPLIES, PER_TALK = 1_000, 20

CAMPAIGN = """
[campaign]
slug = "bench"
name = "Soak"
preset = "smp2018"
free_choice = true
reply_deadline_s = 30
cap_per = "dialogue"
turn_cap = 1000
open_dialogues_per_tester = 100000

[reviewing]
by = "self"

[[scenarios]]
key = "talk"
subtasks = [{kind = "flight"}]

[[people]]
username = "tester"
roles = ["tester", "organizer"]
"""
BOT = '\n[[bots]]\nkey = "bot{n}"\nteam = "Team {n}"\nurl = "{url}{n}"\nparallel = 100\n'


@dataclass(frozen=True)
class Line:
    """A promise with what was asked and measured; `holds` is None where the figure says nothing yet, and `why` says why."""

    promise: str
    what: str
    asked: str
    measured: str
    holds: bool | None
    why: str = ""

    @property
    def verdict(self) -> str:
        return {True: "yes", False: "**no**", None: f"not shown: {self.why}"}[self.holds]


@dataclass
class Report:
    lines: list[Line] = field(default_factory=list)

    def note(self, promise: str, what: str, asked: str, measured: str, holds: bool | None, why: str = "") -> None:
        self.lines.append(line := Line(promise, what, asked, measured, holds, why))
        print(f"{promise}: {what}: {measured} (asked: {asked}): {line.verdict}", flush=True)

    def most(self, promise: str, what: str, measured: float, most: float, unit: str = "", why_not: str = "") -> None:
        """A figure that may be no more than `most`. `why_not` says why a run shows nothing although it holds."""
        holds = measured <= most or (bool(why_not) and np.isnan(measured))
        told = "–" if np.isnan(measured) else f"{measured:.4g}{unit}"
        self.note(
            promise, what, f"≤ {most:g}{unit}" if most else "0", told, None if holds and why_not else holds, why_not
        )


# -- the server and its testers ----------------------------------------------------------------------------------------


class DatabaseFile(SQLiteFile):
    """The database of an installation."""

    def __init__(self, url: str) -> None:
        self.path = Path(url.removeprefix("sqlite:///"))


@dataclass
class Server:
    """One process that is ended and started again on its port; with the file of a clock, its clock is off by what stands there."""

    environment: dict[str, str]
    folder: Path
    port: int = field(default_factory=free_port)
    running: Any = None

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def clock(self) -> Path:
        return self.folder / "clock"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def errors(self) -> list[str]:
        return [line for line in self.log.read_text(errors="replace").splitlines() if " ERROR " in line]

    def set_clock(self, off_s: float) -> None:
        """In one step: the server reads the file all the time."""
        (draft := self.clock.with_suffix(".draft")).write_text(str(off_s))
        draft.replace(self.clock)

    def start(self, *, has_clock: bool = False) -> None:
        own = ["tests/live/trouble.py", "clock", str(self.clock)] if has_clock else ["manage.py"]
        command = [sys.executable, *own, "serve", "--port", str(self.port), "--no-worker"]
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, start_new_session=True, stdout=log, stderr=log
            )
        wait_for_port(self.port, self.running, "The server", limit_s=120)
        wait_until_ready(self.base)

    def check_data(self) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "manage.py", "check_data"]
        return subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)

    def end(self, how: int) -> None:
        self.running.send_signal(how)
        self.running.wait()


class Witness(Tester):
    """A tester who keeps every numbered event, retries what failed, and sends again what could not be stored, as the console does."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.events: dict[int, dict[str, Any]] = {}
        self.contradictions: list[str] = []
        self.connected_at: list[float] = []
        self.failures: Counter[str] = Counter()
        self._waiting: set[asyncio.Task[None]] = set()

    @property
    def dialogue(self) -> str:
        """As the database calls it."""
        return self.url.split("/dialogues/")[1].split("/")[0].replace("-", "")

    @property
    def is_thinking(self) -> bool:
        return not self._key

    async def _hear(self, socket: aiohttp.ClientWebSocketResponse, frame: dict[str, Any]) -> None:
        if frame["type"] == "dialogue.state":
            self.connected_at.append(time.monotonic())
        if (seq := frame.get("seq")) is not None and self.events.setdefault(seq, frame) != frame:
            self.contradictions.append(f"{self.url}: event {seq} was two: {self.events[seq]}, {frame}")
        if frame["type"] == "error" and frame["code"] == "unavailable":
            self._later(self._send())
        if frame["type"] == "turn.failed":
            self.failures[f"{frame['kind']}, {frame['fault']}"] += 1
            if frame["retryable"]:
                self._is_disturbed = True
                self._later(socket.send_json({"type": "turn.retry", "turn": frame["turn"]}))
                return
        await super()._hear(socket, frame)

    def _later(self, act: Any) -> None:
        async def wait_and_act() -> None:
            await asyncio.sleep(1 + self._rng.random())
            with suppress(ConnectionError):
                await act

        self._waiting.add(task := asyncio.create_task(wait_and_act()))
        task.add_done_callback(self._waiting.discard)


@dataclass
class Contest:
    """All that the phases act on."""

    server: Server
    database: DatabaseFile
    token: str
    testers: list[Witness]
    report: Report
    minutes: float

    def begin(self) -> Tally:
        """A tally of what comes from now on."""
        tally = Tally()
        for tester in self.testers:
            tester.tally = tally
        return tally

    def failures(self) -> Counter[str]:
        return sum((tester.failures for tester in self.testers), Counter())

    async def all_back(self, since: float) -> list[float]:
        """When each socket was there again, in seconds since then; those that did not come back within the limit are left out.

        By then each has heard what it missed.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(BACK_WITHIN_S):
                while any(tester.connected_at[-1] < since for tester in self.testers):
                    await asyncio.sleep(0.1)
        await asyncio.sleep(MISSED_HEARD_S)
        return sorted(tester.connected_at[-1] - since for tester in self.testers if tester.connected_at[-1] >= since)


# -- the phases --------------------------------------------------------------------------------------------------------


async def undisturbed(contest: Contest) -> None:
    """P18: nothing but load."""
    tally, began = contest.begin(), time.monotonic()
    memory: list[tuple[float, float]] = []
    while (passed := time.monotonic() - began) < contest.minutes * 60:
        memory.append((passed, servers.memory_kib(contest.server.running.pid) / 1024))
        await asyncio.sleep(LOOK_EVERY_S)
    took_ms = [seconds * 1000 for seconds in tally.undisturbed_s]
    lasted = "" if contest.minutes >= WHOLE_MINUTES else f"{contest.minutes:g} of {WHOLE_MINUTES} minutes"
    what = f"{len(contest.testers)} dialogues, {N_BOTS} bots, {tally.n_turns / passed:.1f} turns/s"
    contest.report.most("P18", f"{what}: own overhead, p95", percentile(took_ms, 0.95), 150, " ms", lasted)
    contest.report.most("P18", "turns that failed or got no answer", len(tally.failed), 0, "", lasted)
    slope = slope_per_min([one for one in memory if one[0] >= WARM_UP_S])
    contest.report.most("P18", f"memory of the server (last: {memory[-1][1]:.0f} MiB)", slope, 1, " MiB/min", lasted)


def slope_per_min(memory: Sequence[tuple[float, float]]) -> float:
    """By least squares, of seconds and MiB; NaN of fewer than two."""
    if len(memory) < 2:
        return float("nan")
    seconds, sizes = zip(*memory, strict=True)
    return float(np.polyfit(seconds, sizes, 1)[0] * 60)


async def planned_restart(contest: Contest) -> None:
    """P14: SIGTERM, then the server again."""
    tally, failed, began = contest.begin(), contest.failures(), time.monotonic()
    await asyncio.to_thread(contest.server.end, signal.SIGTERM)
    ended_s = time.monotonic() - began
    await asyncio.to_thread(contest.server.start, has_clock=True)
    back = await contest.all_back(began)
    new = contest.failures() - failed
    codes = ", ".join(f"{n} {how}" for how, n in tally.ends.items() if how.startswith("closed"))
    contest.report.most(
        "P14", f"planned restart, ended after {ended_s:.1f} s: turns that failed{_kinds(new)}", new.total(), 0
    )
    contest.report.note(
        "P14", "sockets told why", "4503 each", codes or "none", tally.ends["closed with 4503"] == len(contest.testers)
    )
    contest.report.most("P14", "pages that did not come back", len(contest.testers) - len(back), 0)


def _kinds(failures: Counter[str]) -> str:
    told = ", ".join(f"{n} × {how}" for how, n in failures.items())
    return f" ({told})" if told else ""


async def killed(contest: Contest) -> None:
    """P13: kill -9, then the server again."""
    contest.begin()
    failed, began = contest.failures(), time.monotonic()
    await asyncio.to_thread(contest.server.end, signal.SIGKILL)
    await asyncio.to_thread(contest.server.start, has_clock=True)
    ready_s = time.monotonic() - began
    back = await contest.all_back(began)
    new = contest.failures() - failed
    busiest = max(Counter(int(seconds) for seconds in back).values(), default=0)
    contest.report.most("P13", "killed with -9: ready again after", ready_s, 10, " s")
    contest.report.most("P13", "pages that did not come back", len(contest.testers) - len(back), 0)
    contest.report.most(
        "P13", f"all pages resumed (in the busiest second {busiest})", back[-1] if back else float("nan"), 30, " s"
    )
    in_flight = f"{new.total()} ended as failures{_kinds(new)}"
    contest.report.note(
        "P13", "turns in flight", "the platform's fault alone", in_flight, set(new) <= {"interrupted, platform"}
    )


async def clock_jumps(contest: Contest) -> None:
    """P17: an hour ahead, an hour back, and right again."""
    tally, failed = contest.begin(), contest.failures()
    over = contest.database.rows("SELECT count(*) FROM dialogues_dialogue WHERE status != 'open'")
    for off_s in (*CLOCK_JUMPS_S, 0):
        contest.server.set_clock(off_s)
        await asyncio.sleep(AT_EACH_CLOCK_S)
    new = contest.failures() - failed
    n_over = contest.database.rows("SELECT count(*) FROM dialogues_dialogue WHERE status != 'open'")[0][0] - over[0][0]
    odd = "SELECT count(*) FROM dialogues_turn WHERE latency_ms < 0 OR latency_ms > 60000"
    contest.report.most("P17", f"clock ± 1 h, {tally.n_turns} turns: turns that failed{_kinds(new)}", new.total(), 0)
    contest.report.most("P17", "dialogues that ended", n_over, 0)
    contest.report.most("P17", "durations that follow the clock", contest.database.rows(odd)[0][0], 0)
    contest.report.most("P17", "sockets that were lost", sum(tally.ends.values()), 0)


@dataclass
class Refused:
    """What one who sends all the time was told while nothing could be stored, and how long it took until something could."""

    after_s: float = float("nan")
    n_false: int = 0
    recovered_s: float = float("nan")


async def locked(contest: Contest) -> None:
    """P15: somebody else has the database."""
    url = await asyncio.to_thread(servers.open_dialogue, contest.server.base, contest.token, "bot0")
    headers = {"Authorization": f"Token {contest.token}"}
    async with websockets.connect(url.replace("http", "ws", 1), additional_headers=headers, compression=None) as socket:
        client = Client(socket)
        for seconds in LOCKED_S:
            contest.begin()
            refused = Refused()
            with contest.database.locked():
                await say_meanwhile(client, f"locked {seconds}", seconds, refused)
            await say_until_stored(client, f"locked {seconds}", refused)
            note_refused(contest.report, f"database locked for {seconds} s", refused, seconds)


async def say_meanwhile(client: Client, key: str, seconds: float, refused: Refused) -> None:
    """Sends one turn, and waits until the trouble is over."""
    began = time.monotonic()
    await client.say(TEXT, key)
    while (left := seconds - (time.monotonic() - began)) > 0:
        with suppress(TimeoutError):
            frame = await client.next(left)
            if frame["type"] == "error" and frame["code"] == "unavailable" and np.isnan(refused.after_s):
                refused.after_s = time.monotonic() - began
            refused.n_false += frame["type"] == "turn.accepted" and frame["key"] == key


async def say_until_stored(client: Client, key: str, refused: Refused) -> None:
    """The trouble is over: the same turn, again and again with its key, until it has a reply."""
    began = time.monotonic()
    while time.monotonic() - began < BACK_WITHIN_S:
        await client.say(TEXT, key)
        frame = await client.until("turn.accepted", "error", timeout=60)
        if frame["type"] == "turn.accepted":
            refused.recovered_s = time.monotonic() - began
            await client.until("reply.done", "turn.failed", timeout=60)
            return
        await asyncio.sleep(0.5)


def note_refused(report: Report, what: str, refused: Refused, seconds: float) -> None:
    report.most("P15", f"{what}: acknowledged but not stored", refused.n_false, 0)
    # What is over before may just wait.
    if seconds > 6:
        report.most("P15", f"{what}: refused after", refused.after_s, 6, " s")
    report.most("P15", f"{what}: stored again after", refused.recovered_s, 10, " s")


async def disk_full(report: Report, folder: Path) -> None:
    """P15: SQLite on a disk that fills up under load."""
    try:
        with (
            small_disk(folder / "disk") as disk,
            bots.fake_bot() as bot,
            live(folder, bot.url, database=SQLiteFile(disk)) as server,
        ):
            async with server.socket(await asyncio.to_thread(server.open_dialogue)) as client:
                playing = asyncio.create_task(
                    run_clients(server, n_clients=12, n_dialogues=4, n_operations=1_000, seed=1)
                )
                await soon(lambda: server.rows("SELECT 1 FROM dialogues_turn WHERE status = 'answered'"))
                refused = Refused()
                with filled(disk):
                    await say_meanwhile(client, "full", FULL_S, refused)
                await say_until_stored(client, "full", refused)
                heard = await playing
            await until_nothing_waits(server, 60)
            note_refused(report, f"disk full for {FULL_S} s", refused, FULL_S)
            report.most(
                "P15", f"of {len(heard.accepted)} acknowledged turns not stored", len(lost_turns(server, heard)), 0
            )
            server.manage("check_data")
            server.log.write_text("")
    except CannotMount as why:
        report.note("P15", "disk full", "nothing acknowledged", "–", None, str(why))


def random_reply(rng: random.Random) -> str:
    """Of all of Unicode but halves of characters and NUL, which no database takes; not blank."""
    chosen = (rng.choice((0x7F, 0x3000, 0x9FFF, 0x1FFFF, 0x10FFFF)) for _ in range(rng.randint(1, 200)))
    drawn = (rng.randint(1, highest) for highest in chosen)
    return "答" + "".join(chr(one) for one in drawn if not 0xD800 <= one <= 0xDFFF)


async def unicode_replies(report: Report, folder: Path) -> None:
    """P16: stored and told code point for code point, to the tester, to one who looks later, and in the export."""
    rng = random.Random(1)
    sent = {f"!unicode-{n}": random_reply(rng) for n in range(N_REPLIES)}
    bots.ANSWERS.update({word: bots.http(bots.text_body(text)) for word, text in sent.items()})
    words, told = list(sent), dict[str, list[list[str]]]()
    with bots.fake_bot() as bot, live(folder, bot.url) as server:

        async def talk(own: Sequence[str]) -> None:
            dialogue = await asyncio.to_thread(server.open_dialogue)
            async with server.socket(dialogue) as client:
                for word in own:
                    told[word] = [(await client.exchange(word)).get("texts", [])]
            async with server.socket(dialogue) as fresh:
                replies = [frame["texts"] for frame in await fresh.all_events(3) if frame["type"] == "reply.done"]
            for word, texts in zip(own, replies, strict=False):
                told[word].append(texts)

        await asyncio.gather(*(talk(words[first : first + PER_TALK]) for first in range(0, N_REPLIES, PER_TALK)))
        file = folder / "turns.jsonl"
        server.manage("export", "probe", "--what", "turns", "--format", "jsonl", "--out", str(file))
        # Not `splitlines`: that knows more ends of lines than JSON Lines do.
        for row in map(json.loads, file.read_text().strip("\n").split("\n")):
            told[row["text"]].append(row["reply"])
        server.log.write_text("")
    n_other = sum(texts != [[text]] * 3 for text, texts in ((sent[word], told.get(word, [])) for word in sent))
    report.most("P16", f"of {N_REPLIES} random replies other than sent (socket, later socket, export)", n_other, 0)


async def nothing_is_lost(contest: Contest, http: aiohttp.ClientSession) -> None:
    """I1 to I7 over all that was heard."""
    report, database, then = contest.report, contest.database, contest.testers
    await soon(lambda: not database.rows("SELECT 1 FROM dialogues_turn WHERE status = 'waiting'"), 120)
    fresh = [Witness(http, one.url, BOT_DELAY_S, Tally(), random.Random(0)) for one in then]
    looking = await follow_all(fresh)
    both = list(zip(fresh, then, strict=True))
    await soon(lambda: all(now.events.keys() >= one.events.keys() for now, one in both), 120)
    await cancelled(looking)
    accepted = {
        (frame["key"], frame["text"], frame["turn"], one.dialogue)
        for one in then
        for frame in one.events.values()
        if frame["type"] == "turn.accepted"
    }
    stored = set(database.rows("SELECT key, text, number, dialogue_id FROM dialogues_turn"))
    report.most("I1", f"lost of {len(accepted):,} acknowledged turns", len(accepted - stored), 0)
    broken = sum(len(database.rows(sql)) for sql in RULES.values())
    report.most("I2, I4", "dialogues with a hole, a turn twice, over their cap or without one answer", broken, 0)
    checked = await asyncio.to_thread(contest.server.check_data)
    errors = contest.server.errors()
    report.most("P13–P18", "errors in the server's log", len(errors), 0)
    print(*errors[:20], sep="\n")
    found = checked.stdout[-200:] if checked.returncode else "nothing"
    report.note("I5, I6", "what `check_data` finds", "nothing", found, not checked.returncode)
    other = sum(now.events[seq] != frame for now, one in both for seq, frame in one.events.items())
    other += sum(len(one.contradictions) for one in then)
    report.most("I7", "events that a resumed page has otherwise than a fresh one", other, 0)


# -- the story ---------------------------------------------------------------------------------------------------------

PHASES: Sequence[Callable[[Contest], Coroutine[Any, Any, None]]] = (
    undisturbed,
    planned_restart,
    killed,
    clock_jumps,
    locked,
)


@contextmanager
def installed(folder: Path, n_dialogues: int) -> Iterator[tuple[Server, str, list[str]]]:
    """A server with the campaign, the token of its tester, and the addresses of open dialogues."""
    with servers.bot(BOT_DELAY_S) as bot:
        campaign = CAMPAIGN + "".join(BOT.format(n=n, url=bot) for n in range(N_BOTS))
        allowed = [bot.removeprefix("http://").rstrip("/")]
        with servers.installation(folder, campaign, allowed, postgres="") as (environment, token):
            server = Server(environment, folder)
            server.start()
            try:
                yield (
                    server,
                    token,
                    [servers.open_dialogue(server.base, token, f"bot{n % N_BOTS}") for n in range(n_dialogues)],
                )
            finally:
                server.end(signal.SIGTERM)


async def attempted(report: Report, phase: Coroutine[Any, Any, None]) -> None:
    """What goes wrong in one phase is told, and the next one is played all the same."""
    try:
        await phase
    except Exception as wrong:
        traceback.print_exc()
        text = " ".join(f"{type(wrong).__name__}: {wrong}".split())[:200]
        report.note("", f"`{phase.__name__}`", "an end", text.replace("|", "/"), False)


async def soak(report: Report, folder: Path, minutes: float, n_dialogues: int) -> None:
    with installed(folder, n_dialogues) as (server, token, urls):
        headers, connector = {"Authorization": f"Token {token}"}, aiohttp.TCPConnector(limit=0)
        thinks_s = n_dialogues / TURNS_PER_S - BOT_DELAY_S
        async with aiohttp.ClientSession(headers=headers, connector=connector) as http:
            testers = [
                Witness(http, url, BOT_DELAY_S, Tally(), random.Random(n), thinks_s) for n, url in enumerate(urls)
            ]
            contest = Contest(server, DatabaseFile(server.environment["DATABASE_URL"]), token, testers, report, minutes)
            following = await follow_all(testers)
            talking = [asyncio.create_task(tester.talk()) for tester in testers]
            for phase in PHASES:
                await attempted(report, phase(contest))
            contest.begin().is_over = True
            # Who thinks need not think to the end.
            await soon(
                lambda: all(one.is_thinking or task.done() for one, task in zip(testers, talking, strict=True)), 120
            )
            await cancelled([*talking, *following])
            await attempted(report, nothing_is_lost(contest, http))


def machine() -> str:
    """What it ran on."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        "unknown processor",
    )
    kib = int(
        next(line.split()[1] for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal"))
    )
    return f"{len(os.sched_getaffinity(0))} cores ({model}), {kib / 2**20:.0f} GiB, Linux {platform.release()}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"


HEAD = """\
# Reliability: what was measured

Written by `make soak` ([`tests/live/soak.py`](../tests/live/soak.py)), which plays the promises P13 to P18 of robustness on SQLite with one server process; do not edit. PostgreSQL, Redis and two machines
are played by `make chaos`, scripts in replies by `tests/live/test_browser_console.py`.

{when}, commit {commit}: {minutes:g} minutes undisturbed, then the faults. {machine}. Load of the machine: {before:.1f} at the beginning, {after:.1f} at the end{beside}.

| promise | what | asked | measured | holds |
|---|---|---|---|---|
"""


def page(lines: Sequence[Line], **told: Any) -> str:
    """docs/reliability.md."""
    beside = (
        "; other work used the machine, so that times say little"
        if told["before"] > len(os.sched_getaffinity(0))
        else ""
    )
    rows = (f"| {one.promise} | {one.what} | {one.asked} | {one.measured} | {one.verdict} |\n" for one in lines)
    return HEAD.format(**told, beside=beside) + "".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=WHOLE_MINUTES, help="how long the undisturbed part lasts")
    parser.add_argument("--dialogues", type=int, default=500)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "reliability.md")
    said = parser.parse_args()
    report, before, at = Report(), os.getloadavg()[0], datetime.now(UTC)
    with tempfile.TemporaryDirectory(prefix="huace-soak-") as folder:
        for name in ("contest", "disk", "unicode"):
            (Path(folder) / name).mkdir()
        asyncio.run(attempted(report, soak(report, Path(folder) / "contest", said.minutes, said.dialogues)))
        asyncio.run(attempted(report, disk_full(report, Path(folder) / "disk")))
        asyncio.run(attempted(report, unicode_replies(report, Path(folder) / "unicode")))
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    told = {
        "when": f"{at:%Y-%m-%d %H:%M} UTC",
        "commit": commit or "unknown",
        "minutes": said.minutes,
        "machine": machine(),
    }
    said.out.write_text(page(report.lines, before=before, after=os.getloadavg()[0], **told))
    print(f"written to {said.out}")
    sys.exit(any(line.holds is False for line in report.lines))


if __name__ == "__main__":
    main()
