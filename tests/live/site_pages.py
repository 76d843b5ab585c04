"""A page of docs/ played as a reader would: its files saved, its commands run in a shell, its servers left running.

A block ```` ```sh ```` is run to its end; with a title ("Second terminal") it goes on while later blocks run. A block
with a file's name as its title is saved under it. A block ```` ```text ```` behind a command holds what its output has, line by line.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from demo.sample_bots import free_port, wait_for_port
from tests.live.databases import ROOT

# Only ends a hang.
LIMIT_S = 60
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
# The reader's machine has it already, or it needs a machine of its own.
SET_UP_ELSEWHERE = ("make install", "make demo", "make site")
PORTS = ("8000", *(str(port) for port in range(8101, 8130)))


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its title or nothing, and its lines."""

    language: str
    title: str
    text: str

    @property
    def is_file(self) -> bool:
        return self.language != "sh" and "." in self.title

    @property
    def stays(self) -> bool:
        return self.language == "sh" and bool(self.title)


def blocks_of(page: Path) -> list[Block]:
    return [Block(*found) for found in BLOCK.findall(page.read_text())]


@dataclass
class Reader:
    """A folder that looks like a checkout, a home of its own, and the terminals that stay open."""

    folder: Path
    ports: dict[str, str] = field(default_factory=lambda: {one: str(free_port()) for one in PORTS})
    terminals: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.ports['8000']}"

    @property
    def environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
        return own | {"HUACE_HOME": str(self.folder / "var"), "PYTHONUNBUFFERED": "1"}

    def on_free_ports(self, text: str) -> str:
        return re.sub(r"\b(?:8000|81[0-2]\d)\b", lambda found: self.ports.get(found[0], found[0]), text)

    def play(self, page: Path) -> None:
        """Errors: `AssertionError` with the command and what it said."""
        said = ""
        for block in blocks_of(page):
            if block.is_file:
                (self.folder / block.title).write_text(self.on_free_ports(block.text))
            elif block.stays:
                self.leave_running(self.on_free_ports(block.text))
            elif block.language == "sh":
                said = self.run(page.name, block.text)
                self.put_on_free_ports()
            elif block.language == "text":
                for line in block.text.splitlines():
                    assert line in said, f"{page.name} says “{line}”, the command said:\n{said}"

    def run(self, page: str, text: str) -> str:
        lines = [line for line in text.splitlines(keepends=True) if not line.startswith(SET_UP_ELSEWHERE)]
        command = self.on_free_ports("".join(lines))
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_S * 15,
        )
        assert done.returncode == 0, f"{page}:\n{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def put_on_free_ports(self) -> None:
        """What a command copied from the examples."""
        for path in self.folder.glob("*.toml"):
            if not path.is_symlink():
                path.write_text(self.on_free_ports(path.read_text()))

    def leave_running(self, command: str) -> None:
        terminal = subprocess.Popen(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.terminals.append(terminal)
        named = re.findall(r"--port (\d+)", command)
        for script in re.findall(r"python (\w+\.py)", command):
            named += re.findall(r'"127\.0\.0\.1", (\d+)\)', (self.folder / script).read_text())
        for port in named:
            wait_for_port(int(port), terminal, command)

    def close(self) -> None:
        for terminal in self.terminals:
            os.killpg(terminal.pid, signal.SIGTERM)
            terminal.wait(timeout=LIMIT_S)


@contextmanager
def reader(folder: Path) -> Iterator[Reader]:
    for path in ROOT.iterdir():
        if path.name not in {"var", ".git"}:
            (folder / path.name).symlink_to(path)
    if not (folder / ".venv").exists():
        (folder / ".venv" / "bin").mkdir(parents=True)
        (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    found = Reader(folder)
    try:
        yield found
    finally:
        found.close()
