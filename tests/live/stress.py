"""Randomised clients against the real server: double sends, same keys, two sockets, retries, reconnects, two processes.

python -m tests.live.stress [--whole]     (make stress: robustness P2 with its whole figure, and processes killed in it)

On SQLite, or on the PostgreSQL that DATABASE_URL names, with a Redis of its own.
"""

import argparse
import asyncio
import os
import random
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import websockets

from tests.fakes.bots import fake_bot
from tests.live.server import Client, Live, live
from tests.waiting import soon

# A frame that is answered later than this would be a finding of its own.
ANSWER_LIMIT_S = 60
KILL_EVERY_S = (4.0, 9.0)
SHOW_EVERY_S = 15
TEXTS = ("你好", "订票", "!500", "!once {}", "!two", "好的")


@dataclass
class Heard:
    """What the server acknowledged: (dialogue, turn) → (key, text); `wrong` collects contradictions."""

    accepted: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    n_operations: int = 0

    def note(self, dialogue: str, frame: dict) -> None:
        if frame["type"] == "error":
            self.errors[frame["code"]] += 1
        if frame["type"] != "turn.accepted":
            return
        said = (frame["key"], frame["text"])
        if self.accepted.setdefault((dialogue, frame["turn"]), said) != said:
            self.wrong.append(f"{dialogue}/{frame['turn']} was two turns: {said}")


class Slot:
    """One of the dialogues that the clients share; a new one is opened when it closes."""

    def __init__(self, server: Live, scenario: str) -> None:
        self._server, self._scenario = server, scenario
        self.dialogue = server.open_dialogue(scenario)
        self.keys: list[tuple[str, str]] = []

    async def renew(self, closed: str) -> None:
        if closed == self.dialogue:
            self.dialogue = "opening"
            self.dialogue = await self._open()
            self.keys = []
        while self.dialogue == "opening":
            await asyncio.sleep(0.01)

    async def _open(self) -> str:
        """Asks again while a process that was killed, or a database that is away, does not answer."""
        ends_at = time.monotonic() + ANSWER_LIMIT_S
        while True:
            try:
                return await asyncio.to_thread(self._server.open_dialogue, self._scenario)
            except (OSError, AssertionError):
                if time.monotonic() > ends_at:
                    raise
                await asyncio.sleep(0.3)


async def listen(client: Client, dialogue: str, heard: Heard, closed: asyncio.Event, answered: asyncio.Event) -> None:
    with suppress(websockets.ConnectionClosed, TimeoutError):
        while True:
            frame = await client.next(timeout=60)
            heard.note(dialogue, frame)
            if frame["type"] == "dialogue.closed":
                closed.set()
            elif frame["type"] == "pong":
                answered.set()
    # Nobody waits for an answer on a socket that has ended.
    answered.set()


async def operate(client: Client, slot: Slot, rng: random.Random) -> None:
    """One random thing that a person, a page or a broken network might do."""
    dice = rng.random()
    if dice < 0.5 or not slot.keys:
        key, text = secrets.token_hex(6), rng.choice(TEXTS).format(secrets.token_hex(3))
        slot.keys.append((key, text))
        await client.say(text, key)
        if rng.random() < 0.3:
            await client.say(text, key)
    elif dice < 0.65:
        key, text = rng.choice(slot.keys)
        await client.say(text, key)
    elif dice < 0.85:
        await client.send(type="turn.retry", turn=rng.randint(1, 8))
    elif dice < 0.87:
        await client.send(type="subtask.close", subtask=rng.randint(1, 2), finished=rng.random() < 0.5)
    elif dice < 0.873:
        await client.send(type="dialogue.end", reason="done")
    else:
        await client.socket.send(rng.choice(["{", "[]", '{"type": "ping"}', '{"type": "turn.send"}']))


async def run_client(server: Live, slot: Slot, heard: Heard, n_operations: int, rng: random.Random) -> None:
    while heard.n_operations < n_operations:
        dialogue, closed = slot.dialogue, asyncio.Event()
        if dialogue == "opening":
            await asyncio.sleep(0.02)
            continue
        # A killed process ends sockets, and those that are just being opened.
        with suppress(websockets.WebSocketException, OSError, EOFError, TimeoutError):
            async with server.socket(dialogue) as client:
                answered = asyncio.Event()
                listening = asyncio.create_task(listen(client, dialogue, heard, closed, answered))
                try:
                    for _ in range(rng.randint(3, 30)):
                        if closed.is_set() or heard.n_operations >= n_operations:
                            break
                        heard.n_operations += 1
                        await operate(client, slot, rng)
                        await until_answered(client, answered)
                        await asyncio.sleep(rng.random() * 0.6)
                    await asyncio.sleep(0.05)
                finally:
                    listening.cancel()
        if closed.is_set():
            await slot.renew(dialogue)


async def until_answered(client: Client, answered: asyncio.Event) -> None:
    """Frames of a socket are taken in order, so after the pong all before it is done: nobody sends faster than that."""
    answered.clear()
    await client.send(type="ping")
    await asyncio.wait_for(answered.wait(), ANSWER_LIMIT_S)


async def run_clients(
    server: Live, *, n_clients: int, n_dialogues: int, n_operations: int, seed: int, heard: Heard | None = None
) -> Heard:
    """What the clients hear is noted in `heard` as they hear it."""
    heard = heard or Heard()
    slots = [Slot(server, "short" if number % 2 else "long") for number in range(n_dialogues)]
    async with asyncio.TaskGroup() as group:
        for number in range(n_clients):
            rng = random.Random(f"{seed}:{number}")
            group.create_task(run_client(server, slots[number % n_dialogues], heard, n_operations, rng))
    return heard


async def kill_processes(server: Live, rng: random.Random, killed: list[int]) -> None:
    """Kills one of the server's processes again and again (the supervisor starts another), never all at once.

    All have to accept connections before: on a busy machine, where a start takes longer than the pause, none would be left.
    """
    while True:
        await asyncio.sleep(rng.uniform(*KILL_EVERY_S))
        running = server.processes_that_accept()
        if len(running) == server.processes:
            killed.append(rng.choice(running))
            os.kill(killed[-1], signal.SIGKILL)


async def show_progress(heard: Heard, killed: list[int], n_operations: int) -> None:
    while True:
        await asyncio.sleep(SHOW_EVERY_S)
        print(
            f"{heard.n_operations:9,} of {n_operations:,} operations, {len(killed)} kills", file=sys.stderr, flush=True
        )


async def run_clients_with_kills(server: Live, *, seed: int, n_operations: int, **how_many: int) -> tuple[Heard, int]:
    """What the clients heard, and how many processes were killed meanwhile."""
    heard = Heard()
    killed: list[int] = []
    beside = [
        asyncio.create_task(kill_processes(server, random.Random(seed), killed)),
        asyncio.create_task(show_progress(heard, killed, n_operations)),
    ]
    try:
        await run_clients(server, seed=seed, n_operations=n_operations, heard=heard, **how_many)
    finally:
        for task in beside:
            task.cancel()
    return heard, len(killed)


def lost_turns(server: Live, heard: Heard) -> list[tuple[str, int]]:
    """I1: what some client saw accepted and the database does not hold with that key and text."""
    stored = {
        (dialogue, number): (key, text)
        for dialogue, number, key, text in server.rows("SELECT dialogue_id, number, key, text FROM dialogues_turn")
    }
    return [
        place for place, said in heard.accepted.items() if stored.get((place[0].replace("-", ""), place[1])) != said
    ]


def check_acknowledged(server: Live, heard: Heard) -> None:
    """Nothing that somebody saw is lost, and the operator's own check finds nothing either."""
    server.manage("check_data")
    lost = lost_turns(server, heard)
    assert not lost, f"{len(lost)} acknowledged turns are not stored: {lost[:5]}"
    assert not heard.wrong, heard.wrong[:5]


def check_no_deadlock_reached_anybody(server: Live) -> None:
    """ "busy" hides none: what was given up, or ended a page, is an error in the server's log."""
    assert server.deadlocks_that_reached_somebody() == []


async def until_nothing_waits(server: Live, limit_s: float = 30) -> None:
    """I3: a turn whose process was killed is failed by another one."""
    await soon(lambda: not server.rows("SELECT 1 FROM dialogues_turn WHERE status = 'waiting'"), limit_s)


def report(server: Live, heard: Heard, n_killed: int) -> dict[str, int]:
    broken = {name: len(rows) for name, rows in server.broken_rules().items()}
    return {
        "operations": heard.n_operations,
        "acknowledged": len(heard.accepted),
        "kills": n_killed,
        "deadlocks broken up": server.database.n_deadlocks(),
        "told unavailable": heard.errors["unavailable"],
        **broken,
        "two turns under one number": len(heard.wrong),
        "lost": len(lost_turns(server, heard)),
        "deadlocks that reached a tester": len(server.deadlocks_that_reached_somebody()),
    }


# What the report may count without anything being wrong.
HARMLESS = {"operations", "acknowledged", "kills", "deadlocks broken up", "told unavailable"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whole", action="store_true", help="100,000 operations instead of 10,000")
    n_operations = 100_000 if parser.parse_args().whole else 10_000
    with tempfile.TemporaryDirectory() as folder, fake_bot() as bot, live(Path(folder), bot.url, processes=2) as server:
        started = time.monotonic()
        heard, n_killed = asyncio.run(
            run_clients_with_kills(server, n_clients=200, n_dialogues=20, n_operations=n_operations, seed=1)
        )
        seconds = time.monotonic() - started
        asyncio.run(until_nothing_waits(server))
        figures = report(server, heard, n_killed)
        print(f"200 clients on 20 dialogues and 2 server processes, {type(server.database).__name__}, {seconds:.0f} s:")
        for name, figure in figures.items():
            print(f"{figure:9,}  {name}", flush=True)
        server.log.write_text("")
    if any(figure for name, figure in figures.items() if name not in HARMLESS):
        sys.exit("A rule was broken.")


if __name__ == "__main__":
    main()
