"""The guide's code blocks as a reader would use them: which there are, and a folder in which their commands run."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demo.sample_bots import free_port, wait_for_port
from tests.live.databases import ROOT

PAGES = ("operating.md", "several-machines.md", "backups.md", "when-it-goes-wrong.md")
BLOCK = re.compile(r"^[ \t]*```(\w*)\n(.*?)^[ \t]*```$", re.MULTILINE | re.DOTALL)


def blocks(text: str) -> list[tuple[str, list[str]]]:
    """The kind of each block, and its lines without what stands behind them as a remark."""
    found = []
    for kind, body in BLOCK.findall(text):
        lines = [re.sub(r"\s+#( .*)?$", "", line).strip() for line in body.splitlines()]
        found.append((kind, [line for line in lines if line]))
    return found


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


@dataclass
class Reader:
    """Somebody with an empty folder and `huace`, here the checkout's manage.py."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    servers: list[tuple["subprocess.Popen[str]", int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "home").mkdir()
        bin_ = self.folder / "bin"
        bin_.mkdir()
        (bin_ / "huace").write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT}/manage.py "$@"\n')
        (bin_ / "huace").chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith(("HUACE_", "DATABASE_", "REDIS_"))
        }
        path = f"{self.folder / 'bin'}{os.pathsep}{clean['PATH']}"
        return clean | {"PATH": path, "HUACE_HOME": str(self.folder / "home")} | self.settings

    def runs(self, line: str, **how: Any) -> "subprocess.CompletedProcess[str]":
        how.setdefault("timeout", 300)
        return subprocess.run(
            ["bash", "-euc", line], cwd=self.folder, env=self.environment, capture_output=True, text=True, **how
        )

    def serves(self, *options: str) -> int:
        """A server in the background; gives its port."""
        port = free_port()
        command = [sys.executable, str(ROOT / "manage.py"), "serve", *options, "--port", str(port)]
        with (self.folder / f"server-{port}.log").open("w") as log:
            server = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log, text=True)
        self.servers.append((server, port))
        wait_for_port(port, server, "The server")
        return port

    def end(self) -> None:
        for server, _ in self.servers:
            server.terminate()
        for server, _ in self.servers:
            server.wait(60)
