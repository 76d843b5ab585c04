"""Huace as its users run it, as a subprocess on a free port with a database of its own; and clients for it."""

import asyncio
import atexit
import json
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import websockets

from demo.sample_bots import free_port, wait_for_port

ROOT = Path(__file__).resolve().parents[2]

CAMPAIGN = """
[campaign]
slug = "probe"
name = {zh = "试用评测", en = "Probe"}
preset = "smp2018"
free_choice = true
reply_deadline_s = 5
open_dialogues_per_tester = 1000

[[bots]]
key = "a"
team = "Team Alpha"
url = "http://127.0.0.1:1/"

[[scenarios]]
key = "short"
opening = "帮我订一张从北京到上海的飞机票"
subtasks = [{kind = "flight", turn_cap = 3}, {kind = "hotel", turn_cap = 2}]

[[scenarios]]
key = "long"
opening = "你好"
subtasks = [{kind = "flight", turn_cap = 20}]

[[people]]
username = "organizer"
roles = ["organizer"]
[[people]]
username = "tester"
roles = ["tester"]
[[people]]
username = "other"
roles = ["tester"]
[[people]]
username = "participant"
roles = ["participant"]
team = "Team Alpha"
"""


@cache
def migrated_database() -> Path:
    """An empty database with all migrations, made once a run."""
    folder = tempfile.mkdtemp(prefix="huace-migrated-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "empty.sqlite3"
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{path}"}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
    return path


@cache
def prepared_database() -> tuple[Path, dict[str, str]]:
    """A database with the campaign loaded, and the tokens of its people; made once a run, copied for each server."""
    path = migrated_database().with_name("prepared.sqlite3")
    shutil.copy(migrated_database(), path)
    file = path.with_name("campaign.toml")
    file.write_text(CAMPAIGN)
    done = subprocess.run(
        [sys.executable, "manage.py", "load_campaign", str(file), "--print-tokens"],
        cwd=ROOT, env=os.environ | {"DATABASE_URL": f"sqlite:///{path}"}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return path, json.loads(done.stdout)


@dataclass
class Live:
    """A running server, its database, and the tokens and passwords of its people."""

    folder: Path
    bot_url: str
    deadline_s: int = 5
    processes: int = 1
    with_worker: bool = False
    command: list[str] = field(default_factory=lambda: ["manage.py"])
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    tokens: dict[str, str] = field(default_factory=dict)
    server: Any = None

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        return self.folder / "live.sqlite3"

    def set_up(self) -> None:
        self.environment = (
            os.environ
            | {
                "DATABASE_URL": f"sqlite:///{self.database}",
                "HUACE_OUTBOUND_ALLOW": self.bot_url.removeprefix("http://").rstrip("/"),
                "HUACE_FRAME_RATE": "0",
            }
            | self.environment
        )
        prepared, self.tokens = prepared_database()
        shutil.copy(prepared, self.database)
        with sqlite3.connect(self.database) as connection:
            connection.execute("UPDATE campaigns_entry SET url = ?", [self.bot_url])
            connection.execute("UPDATE campaigns_campaign SET reply_deadline_s = ?", [self.deadline_s])
        connection.close()

    def set_password(self, username: str) -> str:
        password = secrets.token_urlsafe(9)
        self.manage(
            "shell", "-v0", "-c",
            f"from participants.models import Person; p = Person.objects.get(username={username!r}); "
            f"p.set_password({password!r}); p.save()",
        )  # fmt: skip
        return password

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self) -> None:
        command = [sys.executable, *self.command, "serve", "--port", str(self.port), "--processes", str(self.processes)]
        if not self.with_worker:
            command.append("--no-worker")
        self.server = subprocess.Popen(command, cwd=ROOT, env=self.environment, start_new_session=True)
        wait_for_port(self.port, self.server, "The server")

    def stop(self) -> int:
        if self.server.poll() is None:
            self.server.send_signal(signal.SIGTERM)
        return self.server.wait(timeout=40)

    def kill(self) -> None:
        if self.server.poll() is None:
            self.server.kill()
        self.server.wait()

    def is_listening(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    # -- what clients do ------------------------------------------------------------------------------------------

    def request(self, method: str, path: str, body: Any = None, *, person: str | None = "tester") -> tuple[int, Any]:
        headers = {"Content-Type": "application/json"}
        if person:
            headers["Authorization"] = f"Token {self.tokens[person]}"
        content = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            text = refused.read()
            try:
                return refused.code, json.loads(text)
            except ValueError:
                return refused.code, text.decode()

    @cached_property
    def alias(self) -> str:
        """The alias under which testers meet the campaign's only bot."""
        _, choices = self.request("GET", "/api/v1/campaigns/probe/choices/")
        return choices["bots"][0]

    def open_dialogue(self, scenario: str = "long", *, person: str = "tester") -> str:
        status, opened = self.request(
            "POST", "/api/v1/dialogues/", {"campaign": "probe", "bot": self.alias, "scenario": scenario}, person=person
        )
        assert status == 201, opened
        return opened["id"]

    @asynccontextmanager
    async def socket(self, dialogue: str, *, after: int = 0, person: str = "tester", port: int | None = None):
        url = f"ws://127.0.0.1:{port or self.port}/ws/dialogues/{dialogue}/?after={after}"
        headers = {"Authorization": f"Token {self.tokens[person]}"}
        async with websockets.connect(url, additional_headers=headers, compression=None) as socket:
            yield Client(socket)

    # -- what the database holds ----------------------------------------------------------------------------------

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=10) as connection:
            return connection.execute(sql, values).fetchall()

    def turns(self, dialogue: str) -> list[tuple[int, str, str, str]]:
        return self.rows(
            "SELECT number, key, text, status FROM testing_console_turn WHERE dialogue_id = ? ORDER BY number",
            dialogue.replace("-", ""),
        )

    def check_invariants(self) -> None:
        """I2 and I4, and that events are numbered 1…k: over the whole database, by SQL alone."""
        broken_numbers = self.rows(
            "SELECT dialogue_id FROM testing_console_turn GROUP BY dialogue_id "
            "HAVING min(number) != 1 OR max(number) != count(*) OR count(DISTINCT number) != count(*) "
            "OR count(DISTINCT key) != count(*)"
        )
        over_cap = self.rows("SELECT id FROM testing_console_turn WHERE spent > turn_cap")
        per_subtask = self.rows(
            "SELECT t.dialogue_id FROM testing_console_turn t JOIN testing_console_dialoguesubtask s "
            'ON s.dialogue_id = t.dialogue_id AND s."index" = t.subtask GROUP BY t.dialogue_id, t.subtask '
            "HAVING count(*) > max(s.turn_cap)"
        )
        broken_events = self.rows(
            "SELECT e.dialogue_id FROM testing_console_ledgerevent e JOIN testing_console_dialogue d "
            "ON d.id = e.dialogue_id GROUP BY e.dialogue_id "
            "HAVING min(e.seq) != 1 OR max(e.seq) != count(*) OR max(e.seq) != max(d.last_seq)"
        )
        attempts = self.rows(
            "SELECT t.id FROM testing_console_turn t WHERE t.status != 'waiting' AND "
            "(SELECT count(*) FROM testing_console_attempt a WHERE a.turn_id = t.id AND a.is_current) != 1"
        )
        assert (broken_numbers, over_cap, per_subtask, broken_events, attempts) == ([], [], [], [], [])


class Client:
    """A program on a socket; it keeps every frame it heard."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def say(self, text: str, key: str | None = None) -> str:
        key = key or secrets.token_hex(8)
        await self.send(type="turn.send", key=key, text=text)
        return key

    async def next(self, timeout: float = 10) -> dict[str, Any]:
        frame = json.loads(await asyncio.wait_for(self.socket.recv(), timeout))
        self.heard.append(frame)
        return frame

    async def until(self, *kinds: str, timeout: float = 10) -> dict[str, Any]:
        while (frame := await self.next(timeout))["type"] not in kinds:
            pass
        return frame

    async def exchange(self, text: str, key: str | None = None) -> dict[str, Any]:
        await self.say(text, key)
        return await self.until("reply.done", "turn.failed", "error")

    async def all_events(self, quiet_s: float = 0.3) -> list[dict[str, Any]]:
        """Everything that comes until it is quiet; the events with a number only."""
        try:
            while True:
                await self.next(quiet_s)
        except TimeoutError:
            return [frame for frame in self.heard if "seq" in frame]


@contextmanager
def live(folder: Path, bot_url: str, **named: Any) -> Iterator[Live]:
    running = Live(folder, bot_url, **named)
    running.set_up()
    running.start()
    try:
        yield running
    finally:
        running.kill() if running.processes == 1 else running.stop()


def wait_until(check: Any, limit_s: float = 10) -> Any:
    ends_at = time.monotonic() + limit_s
    while not (found := check()):
        assert time.monotonic() < ends_at, "it did not happen in time"
        time.sleep(0.05)
    return found
