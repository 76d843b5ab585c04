"""The databases that live tests run on: a SQLite file, or a PostgreSQL where DATABASE_URL names one.

A test gets a database of its own, copied from one that is migrated and has the campaign loaded once per run.
"""

import atexit
import itertools
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from uuid import UUID

from demo.sample_bots import free_port, wait_for_port
from tests.migrated import migrated_file

ROOT = Path(__file__).resolve().parents[2]
URL = os.environ.get("DATABASE_URL", "")
IS_POSTGRES = URL.startswith("postgres")

CAMPAIGN = """
[campaign]
slug = "probe"
name = {zh = "试用评测", en = "Probe"}
preset = "smp2018"
free_choice = true
reply_deadline_s = 5
open_dialogues_per_tester = 1000
# Its one bot fails in every way there is.
pauses_failing_bots = false

[reviewing]
by = "self"

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
def folder_of_this_run() -> Path:
    folder = tempfile.mkdtemp(prefix="huace-live-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def manage(url: str, *arguments: str) -> str:
    environment = os.environ | {"DATABASE_URL": url}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def load_campaign(url: str) -> dict[str, str]:
    """Loads the campaign and gives the tokens of its people."""
    file = folder_of_this_run() / "campaign.toml"
    file.write_text(CAMPAIGN)
    return json.loads(manage(url, "load_campaign", str(file), "--print-tokens"))


# -- SQLite -----------------------------------------------------------------------------------------------------------


@cache
def prepared_file() -> tuple[Path, dict[str, str]]:
    path = folder_of_this_run() / "prepared.sqlite3"
    shutil.copy(migrated_file(), path)
    return path, load_campaign(f"sqlite:///{path}")


class SQLiteFile:
    """A database in a file of its own."""

    redis_url = ""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "live.sqlite3"
        self.url = f"sqlite:///{self.path}"
        prepared, self.tokens = prepared_file()
        shutil.copy(prepared, self.path)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._connection("?mode=ro") as connection:
            return connection.execute(sql, values).fetchall()

    def execute(self, sql: str, *values: Any) -> None:
        with self._connection() as connection:
            connection.execute(sql, values)
            connection.commit()

    @contextmanager
    def locked(self):
        """Nobody else can write."""
        with self._connection() as connection:
            connection.isolation_level = None
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.rollback()

    def n_deadlocks(self) -> int:
        return 0

    def drop(self) -> None:
        """The file goes with its folder."""

    @contextmanager
    def _connection(self, mode: str = ""):
        connection = sqlite3.connect(f"file:{self.path}{mode}", uri=True, timeout=10)
        try:
            yield connection
        finally:
            connection.close()


# -- PostgreSQL -------------------------------------------------------------------------------------------------------


class PostgresServer:
    """A PostgreSQL at `url` (of any database there) in which databases of our own are made."""

    _numbers = itertools.count(1)

    def __init__(self, url: str) -> None:
        self._url = url
        self._made: list[str] = []
        atexit.register(self.clean_up)

    @cached_property
    def template(self) -> tuple[str, dict[str, str]]:
        """The name of a database that is migrated and has the campaign loaded, and the tokens."""
        name = self.create()
        manage(self.url_of(name), "migrate", "-v0")
        return name, load_campaign(self.url_of(name))

    def create(self, *, like: str = "template1") -> str:
        name = f"huace_live_{os.getpid()}_{next(self._numbers)}"
        self.execute(self._url, f"CREATE DATABASE {name} TEMPLATE {like}")
        self._made.append(name)
        return name

    def drop(self, name: str) -> None:
        self.execute(self._url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._made.remove(name)

    def clean_up(self) -> None:
        for name in self._made[:]:
            try:
                self.drop(name)
            except Exception as gone:
                sys.stderr.write(f"The database {name} could not be dropped: {gone}\n")

    def url_of(self, name: str) -> str:
        return f"{self._url.rpartition('/')[0]}/{name}"

    @staticmethod
    def execute(url: str, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(sql, values)
            return cursor.fetchall() if cursor.description else []


class PostgresDatabase:
    """A database of its own on a PostgreSQL, read as a SQLite file is: `?` for values, keys as hexadecimal text."""

    def __init__(self, server: PostgresServer, redis_url: str) -> None:
        self._server = server
        template, self.tokens = server.template
        self.name = server.create(like=template)
        self.url, self.redis_url = server.url_of(self.name), redis_url

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        found = self._server.execute(self.url, sql.replace("%", "%%").replace("?", "%s"), *values)
        return [tuple(value.hex if isinstance(value, UUID) else value for value in row) for row in found]

    def execute(self, sql: str, *values: Any) -> None:
        self.rows(sql, *values)

    @contextmanager
    def locked(self):
        """Nobody else can write a dialogue."""
        import psycopg

        with psycopg.connect(self.url) as connection:
            connection.execute("LOCK TABLE dialogues_dialogue IN EXCLUSIVE MODE")
            yield
            connection.rollback()

    def n_deadlocks(self) -> int:
        """How many PostgreSQL found and broke up; testers must hear of none."""
        ((n_deadlocks,),) = self.rows("SELECT deadlocks FROM pg_stat_database WHERE datname = ?", self.name)
        return n_deadlocks

    def drop(self) -> None:
        self._server.drop(self.name)


class Cluster(PostgresServer):
    """A PostgreSQL that the test itself starts, restarts and ends, in a temporary folder on loopback."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="huace-cluster-", dir="/tmp"))
        self._bin = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        # PostgreSQL refuses to run as root.
        self._as_owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self._as_owner:
            shutil.chown(self._folder, "postgres")
        self.port = port = free_port()
        self._run("initdb", "-A", "trust", "-U", "huace")
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0
        self._options = f"-p {port} -c listen_addresses=127.0.0.1 -k {self._folder}"
        self._control("start")
        super().__init__(f"postgres://huace@127.0.0.1:{port}/postgres")

    def restart(self, mode: str) -> None:
        """`fast` ends every connection, `immediate` is a crash from which the next start recovers."""
        self._control("restart", "-m", mode)

    def stop(self) -> None:
        self._control("stop", "-m", "fast")

    def start(self) -> None:
        self._control("start")

    def end(self) -> None:
        self._made.clear()
        self._control("stop", "-m", "immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _control(self, *command: str) -> None:
        self._run("pg_ctl", "-l", str(self._folder / "log"), "-w", "-o", self._options, *command)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*self._as_owner, str(self._bin / program), "-D", str(self._folder / "data"), *arguments],
            check=True, cwd="/tmp", stdout=subprocess.DEVNULL,
        )  # fmt: skip


@contextmanager
def cluster():
    running = Cluster()
    try:
        yield running
    finally:
        running.end()


class RedisServer:
    """A Redis that keeps nothing, on a port of its own."""

    def __init__(self, port: int | None = None) -> None:
        self.port = port or free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: Any = None

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--save", "", "--loglevel", "warning", "--dir", "/tmp"]
        self._process = subprocess.Popen(command, start_new_session=True)
        wait_for_port(self.port, self._process, "Redis")

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait()
            self._process = None

    def send(self, which: signal.Signals) -> None:
        self._process.send_signal(which)

    def restart(self, away_s: float = 0.0) -> None:
        self.stop()
        time.sleep(away_s)
        self.start()

    def client(self) -> Any:
        """As processes talk to it about their leases."""
        from serving.leases import client_of

        return client_of(self.url)


@cache
def redis_of_this_run() -> RedisServer:
    running = RedisServer()
    running.start()
    atexit.register(running.stop)
    return running


@cache
def postgres_of_this_run() -> PostgresServer:
    return PostgresServer(URL)


def new_database(folder: Path) -> "SQLiteFile | PostgresDatabase":
    """A database for one live server, on what DATABASE_URL names."""
    if IS_POSTGRES:
        return PostgresDatabase(postgres_of_this_run(), redis_of_this_run().url)
    return SQLiteFile(folder)
