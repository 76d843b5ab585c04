"""Huace as its users run it, as a subprocess on a free port with a database of its own; and clients for it."""

import asyncio
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import websockets
from jsonschema import Draft202012Validator

from demo.sample_bots import free_port, wait_for_port
from frame.api_pages.socket_schemas import frame_schemas
from tests.live.databases import CAMPAIGN, ROOT, new_database

__all__ = ["CAMPAIGN", "ROOT", "Client", "Live", "live", "served"]

# What the server sends on its sockets, of dialogues and of the wall.
SENT = [{"$ref": "#/$defs/DialogueServer"}, {"$ref": "#/$defs/WallServer"}]
FRAMES = Draft202012Validator({**frame_schemas(), "anyOf": SENT})


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
    # Of a proxy, where clients go through one.
    front: int | None = None
    tokens: dict[str, str] = field(default_factory=dict)
    database: Any = None
    server: Any = None

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.front or self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def set_up(self) -> None:
        if self.database is None:
            self.database = new_database(self.folder)
        self.environment = (
            os.environ
            | {
                "DATABASE_URL": self.database.url,
                "REDIS_URL": self.database.redis_url,
                "HUACE_OUTBOUND_ALLOW": self.bot_url.removeprefix("http://").rstrip("/"),
                "HUACE_FRAME_RATE": "0",
                "HUACE_SOCKETS_PER_PERSON": "0",
                "HUACE_SOCKETS_PER_ADDRESS": "0",
                "HUACE_API_RATE": "0",
            }
            | self.environment
        )
        self.tokens = self.database.tokens
        self.database.execute("UPDATE campaigns_entry SET url = ?", self.bot_url)
        self.database.execute("UPDATE campaigns_campaign SET reply_deadline_s = ?", self.deadline_s)

    def set_password(self, username: str) -> str:
        password = secrets.token_urlsafe(9)
        self.manage(
            "shell", "-v0", "-c",
            f"from accounts.models import Person; p = Person.objects.get(username={username!r}); "
            f"p.set_password({password!r}); p.save()",
        )  # fmt: skip
        return password

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        command = [sys.executable, *self.command, "serve", "--port", str(self.port), "--processes", str(self.processes)]
        if not self.with_worker:
            command.append("--no-worker")
        with self.log.open("a") as log:
            self.server = subprocess.Popen(command, cwd=ROOT, env=self.environment, start_new_session=True, stderr=log)
        wait_for_port(self.port, self.server, "The server")

    def stop(self) -> int:
        if self.server.poll() is None:
            self.server.send_signal(signal.SIGTERM)
        return self.server.wait(timeout=40)

    def kill(self) -> None:
        if self.server.poll() is None:
            self.server.kill()
        self.server.wait()

    def processes_of_the_supervisor(self) -> list[int]:
        listed = Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]

    def workers(self) -> list[int]:
        """The supervisor's `work` processes: its main thread starts the first, another thread the next ones."""
        found = []
        for children in Path(f"/proc/{self.server.pid}/task").glob("*/children"):
            # A thread that has ended since started none.
            with suppress(OSError):
                found += [int(pid) for pid in children.read_text().split() if is_worker(int(pid))]
        return found

    def processes_that_accept(self) -> list[int]:
        """Those of the supervisor that are through with starting: their event loop waits for connections to the port."""
        listening = {
            columns[9]
            for columns in (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
            if columns[1].endswith(f":{self.port:04X}") and columns[3] == "0A"
        }
        return [pid for pid in self.processes_of_the_supervisor() if waits_for_one_of(pid, listening)]

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
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read() or b"null")
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
        url = f"ws://127.0.0.1:{port or self.front or self.port}/ws/dialogues/{dialogue}/?after={after}"
        headers = {"Authorization": f"Token {self.tokens[person]}"}
        async with websockets.connect(url, additional_headers=headers, compression=None) as socket:
            yield Client(socket)

    # -- what the database holds ----------------------------------------------------------------------------------

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.database.rows(sql, *values)

    def turns(self, dialogue: str) -> list[tuple[int, str, str, str]]:
        return self.rows(
            "SELECT number, key, text, status FROM dialogues_turn WHERE dialogue_id = ? ORDER BY number",
            dialogue.replace("-", ""),
        )

    def broken_rules(self) -> dict[str, list[tuple[Any, ...]]]:
        """I2 and I4, and that events are numbered 1…k: whatever breaks them in the whole database, by SQL alone."""
        return {name: self.rows(sql) for name, sql in RULES.items()}

    def check_invariants(self) -> None:
        assert self.broken_rules() == {name: [] for name in RULES}

    # -- what the server wrote into its log -----------------------------------------------------------------------

    def errors_in_the_log(self, about: str = "") -> list[str]:
        """What the server logged as an error, tracebacks included, where it mentions `about`."""
        text = self.log.read_text() if self.log.exists() else ""
        records = re.split(r"\n(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", text)
        return [record for record in records if " ERROR " in record.partition("\n")[0] and about in record.lower()]

    def deadlocks_that_reached_somebody(self) -> list[str]:
        """Those that were made again and committed are warnings; a page's 500 or a change given up is an error."""
        return self.errors_in_the_log("deadlock") + self.errors_in_the_log("conflicts with other writers")


RULES = {
    "holes": "SELECT dialogue_id FROM dialogues_turn WHERE number > 0 GROUP BY dialogue_id "
    "HAVING min(number) != 1 OR max(number) != count(*)",
    "duplicates": "SELECT dialogue_id FROM dialogues_turn GROUP BY dialogue_id "
    "HAVING count(DISTINCT number) != count(*) OR count(DISTINCT key) != count(*)",
    "over cap": "SELECT id FROM dialogues_turn WHERE spent > turn_cap",
    "over a subtask's cap": "SELECT t.dialogue_id FROM dialogues_turn t JOIN dialogues_dialoguesubtask s "
    'ON s.dialogue_id = t.dialogue_id AND s."index" = t.subtask WHERE t.number > 0 GROUP BY t.dialogue_id, t.subtask '
    "HAVING count(*) > max(s.turn_cap)",
    "holes in the ledger": "SELECT e.dialogue_id FROM (SELECT dialogue_id, seq FROM dialogues_ledgerevent "
    "UNION ALL SELECT dialogue_id, seq FROM dialogues_turn "
    # A waiting turn holds the last number; a failed one has a line of its own under it.
    "UNION ALL SELECT dialogue_id, outcome_seq FROM dialogues_turn WHERE status != 'failed') e "
    "JOIN dialogues_dialogue d ON d.id = e.dialogue_id GROUP BY e.dialogue_id "
    "HAVING min(e.seq) != 1 OR max(e.seq) != count(*) OR count(DISTINCT e.seq) != count(*) OR max(e.seq) != max(d.last_seq)",
    "failed turns without a line": "SELECT t.id FROM dialogues_turn t WHERE t.status = 'failed' AND NOT EXISTS "
    "(SELECT 1 FROM dialogues_ledgerevent e WHERE e.dialogue_id = t.dialogue_id AND e.seq = t.outcome_seq)",
    "failed turns without one current attempt": "SELECT t.id FROM dialogues_turn t WHERE t.status = 'failed' AND "
    "(SELECT count(*) FROM dialogues_attempt a WHERE a.turn_id = t.id AND a.is_current) != 1",
    "answers of two attempts": "SELECT t.id FROM dialogues_turn t WHERE t.status != 'failed' AND "
    "(SELECT count(*) FROM dialogues_attempt a WHERE a.turn_id = t.id AND a.is_current) > "
    "(CASE WHEN t.status = 'answered' THEN 1 ELSE 0 END)",
}


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
        # Whatever a test plays, each frame is as it is described.
        FRAMES.validate(frame)
        self.heard.append(frame)
        return frame

    async def until(self, *kinds: str, timeout: float = 10) -> dict[str, Any]:
        while (frame := await self.next(timeout))["type"] not in kinds:
            pass
        return frame

    async def until_closed(self, timeout: float = 10) -> int:
        """The code it is closed with; what is said before that to every socket, such as announcements, is heard too."""
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await self.until(timeout=timeout)
        assert closed.value.rcvd is not None, "the connection broke without a close frame"
        return closed.value.rcvd.code

    async def exchange(self, text: str, key: str | None = None) -> dict[str, Any]:
        await self.say(text, key)
        return await self.until("reply.done", "turn.failed", "error")

    async def all_events(self, quiet_s: float = 1.0) -> list[dict[str, Any]]:
        """Everything that comes until it is quiet; the events with a number only."""
        try:
            while True:
                await self.next(quiet_s)
        except TimeoutError:
            return [frame for frame in self.heard if "seq" in frame]


def is_worker(pid: int) -> bool:
    """Whether it runs `manage.py work`; False where it has just ended."""
    with suppress(OSError):
        return b"work" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return False


def waits_for_one_of(pid: int, inodes: set[str]) -> bool:
    """Whether an epoll of the process watches one of these sockets; False where the process has just ended."""
    folder = Path(f"/proc/{pid}")
    with suppress(OSError):
        at = {int(one.name): os.readlink(one) for one in (folder / "fd").iterdir()}
        watched = {
            int(line.split()[1])
            for fd, target in at.items()
            if "eventpoll" in target
            for line in (folder / "fdinfo" / str(fd)).read_text().splitlines()
            if line.startswith("tfd:")
        }
        return any(at.get(fd) in {f"socket:[{inode}]" for inode in inodes} for fd in watched)
    return False


@contextmanager
def live(folder: Path, bot_url: str, **named: Any) -> Iterator[Live]:
    running = Live(folder, bot_url, **named)
    running.set_up()
    running.start()
    try:
        yield running
    finally:
        running.kill() if running.processes == 1 else running.stop()
        # Shown by pytest where a test fails.
        sys.stderr.write(running.log.read_text())
        running.database.drop()


@contextmanager
def served(environment: dict[str, str], *options: str) -> Iterator[str]:
    """A server without a worker on a free port, in that environment: its address."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--no-worker", *options]
    with subprocess.Popen(command, cwd=ROOT, env=environment) as server:
        try:
            wait_for_port(port, server, "The server", limit_s=60)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
