"""Servers from the package index, each in an environment of its own, kept in `REAL_BOTS_DIR` (default var/real-bots)."""

import hashlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
APPS = HERE / "apps"
CACHE = Path(os.environ.get("REAL_BOTS_DIR") or HERE.parents[1] / "var" / "real-bots").resolve()
INSTALL_LIMIT_S, START_LIMIT_S = 900, 180


def installed_python(name: str, *packages: str) -> Path:
    """The bin directory of an environment with these packages; made anew when they change. Skips the test where it cannot be made."""
    home = CACHE / f"{name}-{hashlib.sha256(' '.join(packages).encode()).hexdigest()[:8]}"
    if not (home / "installed").exists():
        shutil.rmtree(home, ignore_errors=True)
        uv = shutil.which("uv")
        make = (
            [uv, "venv", "-q", "--python", sys.executable, str(home)]
            if uv
            else [sys.executable, "-m", "venv", str(home)]
        )
        _run(f"make an environment for {name}", *make)
        pip = (
            [uv, "pip", "install", "-q", "--python", f"{home}/bin/python"]
            if uv
            else [f"{home}/bin/python", "-m", "pip", "install", "-q"]
        )
        _run(f"install {name}", *pip, *packages)
        (home / "installed").touch()
    return home / "bin"


def installed_node(name: str, *packages: str) -> Path:
    """A directory with these npm packages. Skips the test without Node.js."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("Node.js is not installed (apt-get install nodejs npm)")
    home = CACHE / f"{name}-{hashlib.sha256(' '.join(packages).encode()).hexdigest()[:8]}"
    if not (home / "installed").exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        (home / "package.json").write_text('{"private": true}')
        _run(f"install {name}", "npm", "install", "--silent", "--no-audit", "--no-fund", *packages, cwd=home)
        (home / "installed").touch()
    return home


def _run(what: str, *command: str, cwd: Path | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=INSTALL_LIMIT_S, check=False)
    if done.returncode:
        pytest.skip(f"Could not {what}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")


@contextmanager
def running(*command: str | Path, cwd: Path | None = None, wait_for: str = "/") -> Iterator[int]:
    """The port of a server that `command` starts; `{port}` in it is a free one. It is up when it answers at `wait_for`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    CACHE.mkdir(parents=True, exist_ok=True)
    said = CACHE / f"server-{port}.log"
    # Some servers look for themselves through a proxy of the environment, and do not find themselves.
    surroundings = os.environ | {"NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}
    with said.open("wb") as log:
        filled = [str(word).replace("{port}", str(port)) for word in command]
        server = subprocess.Popen(filled, cwd=cwd, stdout=log, stderr=log, env=surroundings)
        try:
            _wait(server, port, wait_for, said)
            yield port
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(10)
    said.unlink()


def _wait(server: subprocess.Popen, port: int, path: str, said: Path) -> None:
    ends_at = time.monotonic() + START_LIMIT_S
    while time.monotonic() < ends_at:
        assert server.poll() is None, f"The server ended: {said.read_text()[-2000:]}"
        try:
            with socket.create_connection(("127.0.0.1", port), 5) as connection:
                connection.settimeout(30)
                connection.sendall(
                    f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
                )
                if connection.recv(12).startswith(b"HTTP/1."):
                    return
        except OSError:
            time.sleep(0.3)
    raise AssertionError(f"The server did not start: {said.read_text()[-2000:]}")
