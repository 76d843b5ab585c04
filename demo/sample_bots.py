"""Starts and stops the sample bots and the sample service as processes of their own."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo.tied import start_tied

EXAMPLES_DIR = Path(__file__).resolve().parent.parent / "examples"
START_LIMIT_S = 10.0


@dataclass(frozen=True, slots=True)
class SampleBot:
    key: str
    file: str
    port: int
    path: str

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.address}{self.path}"


# Ports as in demo/campaign.toml.
SAMPLE_BOTS = (
    SampleBot("booking", "bots/booking_bot.py", 8101, "/"),
    SampleBot("flights", "bots/flight_bot.py", 8102, "/v1/chat/completions"),
    SampleBot("forgetful", "bots/forgetful_bot.py", 8103, "/webhooks/rest/webhook"),
)
# For examples/campaigns/: it answers from the context of its dialogue.
CONTEXT_BOT = SampleBot("context", "bots/context_bot.py", 8105, "/")
# For the intent classification task; its port is in demo/tasks.toml.
SAMPLE_SERVICE = SampleBot("intents", "services/intent_service.py", 8104, "/smp2018_ecdt")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def on_free_ports(bots: tuple[SampleBot, ...] = SAMPLE_BOTS) -> tuple[SampleBot, ...]:
    return tuple(SampleBot(bot.key, bot.file, free_port(), bot.path) for bot in bots)


@contextmanager
def running(bots: tuple[SampleBot, ...]) -> Iterator[None]:
    """The bots answer inside the block; they end with it, or with this process. Errors: `RuntimeError` if one does not come up."""
    processes = [start_tied([str(EXAMPLES_DIR / bot.file), "--port", str(bot.port)]) for bot in bots]
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
