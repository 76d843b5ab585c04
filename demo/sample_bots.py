"""Starts and stops the sample bots and the sample service as processes of their own; which ports are free, and who holds one."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from demo.tied import start_tied

PROC = Path("/proc")
LISTENING = "0A"


@dataclass(frozen=True, slots=True)
class Holder:
    pid: int
    command: str

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command})"


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def holder_of(port: int) -> Holder | None:
    """The process that listens on the port; None where the system or its user's rights do not tell."""
    wanted = {f"socket:[{inode}]" for inode in _listening_inodes(port)}
    if not wanted:
        return None
    for process in sorted(PROC.glob("[0-9]*"), key=lambda path: int(path.name)):
        with suppress(OSError):  # of another user, or gone in between
            if any(os.readlink(fd) in wanted for fd in (process / "fd").iterdir()):
                words = (process / "cmdline").read_bytes().rstrip(b"\x00").split(b"\x00")
                return Holder(int(process.name), b" ".join(words).decode("utf-8", "replace"))
    return None


def _listening_inodes(port: int) -> set[str]:
    inodes = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (PROC / "net" / table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                    inodes.add(fields[9])
    return inodes


ROOT = Path(__file__).resolve().parent.parent
EXAMPLES_DIR = ROOT / "examples"
START_LIMIT_S = 30.0


@dataclass(frozen=True, slots=True)
class SampleBot:
    """`words` come after the port. Bookings are listed at `bookings_port` where the bot's own port does not list them."""

    key: str
    file: str
    port: int
    path: str
    words: tuple[str, ...] = ()
    bookings_port: int = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.address}{self.path}"

    @property
    def bookings_address(self) -> str:
        return f"127.0.0.1:{self.bookings_port or self.port}"

    @property
    def ports(self) -> tuple[int, ...]:
        return (self.port, self.bookings_port) if self.bookings_port else (self.port,)

    @property
    def command(self) -> list[str]:
        words = [word.replace("{bookings}", str(self.bookings_port)) for word in self.words]
        return [str(EXAMPLES_DIR / self.file), "--port", str(self.port), *words]


# Ports as in demo/campaign.toml.
SAMPLE_BOTS = (
    SampleBot("booking", "bots/booking_bot.py", 8101, "/"),
    SampleBot("flights", "bots/flight_bot.py", 8102, "/v1/chat/completions"),
    SampleBot("forgetful", "bots/forgetful_bot.py", 8103, "/webhooks/rest/webhook"),
)
# A program of the command line over the bridge, and a bot that connects to the platform (demo/protocols.toml).
TERMINAL = str(EXAMPLES_DIR / "bots" / "terminal_bot.py")
BRIDGED_BOT = SampleBot(
    "bridged",
    "../participants/bridge/__main__.py",
    8106,
    "/",
    ("--lines", "json", "--shared", "--", sys.executable, TERMINAL, "--bookings", "{bookings}"),
    8107,
)
DIALLED_BOT = SampleBot("dialled", "bots/dial_out_booking.py", 8108, "")
# For examples/campaigns/: it answers from the context of its dialogue.
CONTEXT_BOT = SampleBot("context", "bots/context_bot.py", 8105, "/")
# The model of demo/models.toml.
SCRIPTED_MODEL = SampleBot("scripted", "models/scripted_model.py", 8201, "/v1")
# For the intent classification task; its port is in demo/tasks.toml.
SAMPLE_SERVICE = SampleBot("intents", "services/intent_service.py", 8104, "/smp2018_ecdt")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def on_free_ports(bots: tuple[SampleBot, ...] = SAMPLE_BOTS) -> tuple[SampleBot, ...]:
    return tuple(replace(bot, port=free_port(), bookings_port=free_port() if bot.bookings_port else 0) for bot in bots)


def dial_environment(server_port: int, key: str) -> dict[str, str]:
    """What a bot that connects to the platform has to know."""
    return {"HUACE_BOT_URL": f"ws://127.0.0.1:{server_port}/ws/bots/", "HUACE_BOT_KEY": key}


@contextmanager
def running(bots: tuple[SampleBot, ...], more: Mapping[str, str] | None = None) -> Iterator[None]:
    """The bots answer inside the block; they end with it, or with this process. Errors: `RuntimeError` if one does not come up."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(more or {})}
    processes = [start_tied(bot.command, environment) for bot in bots]
    try:
        for bot, process in zip(bots, processes, strict=True):
            wait_for_port(bot.port, process, f"The sample bot {bot.file}")
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def wait_for_port(port: int, process: "subprocess.Popen[bytes]", who: str, limit_s: float = START_LIMIT_S) -> None:
    ends_at = time.monotonic() + limit_s
    while time.monotonic() < ends_at:
        if process.poll() is not None:
            raise RuntimeError(f"{who} ended at once (status {process.returncode}): is port {port} taken?")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"{who} did not answer on port {port} within {limit_s:g} s.")
