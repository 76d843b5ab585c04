"""Randomised clients against the real server: double sends, same keys, two sockets, retries, reconnects, two processes.

python -m tests.live.stress [--whole]     (make stress: robustness P2 with its whole figure, and kills at each point)
"""

import argparse
import asyncio
import random
import secrets
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import websockets

from tests.fakes.bots import fake_bot
from tests.live.server import Client, Live, live

TEXTS = ("你好", "订票", "!500", "!once {}", "!two", "好的")


@dataclass
class Heard:
    """What the server acknowledged: (dialogue, turn) → (key, text); `wrong` collects contradictions."""

    accepted: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    n_operations: int = 0

    def note(self, dialogue: str, frame: dict) -> None:
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
            self.dialogue = await asyncio.to_thread(self._server.open_dialogue, self._scenario)
            self.keys = []
        while self.dialogue == "opening":
            await asyncio.sleep(0.01)


async def listen(client: Client, dialogue: str, heard: Heard, closed: asyncio.Event) -> None:
    with suppress(websockets.ConnectionClosed, TimeoutError):
        while True:
            frame = await client.next(timeout=60)
            heard.note(dialogue, frame)
            if frame["type"] == "dialogue.closed":
                closed.set()


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
        with suppress(websockets.ConnectionClosed, OSError, TimeoutError):
            async with server.socket(dialogue) as client:
                listening = asyncio.create_task(listen(client, dialogue, heard, closed))
                for _ in range(rng.randint(3, 30)):
                    if closed.is_set() or heard.n_operations >= n_operations:
                        break
                    heard.n_operations += 1
                    await operate(client, slot, rng)
                    await asyncio.sleep(rng.random() * 0.6)
                await asyncio.sleep(0.05)
                listening.cancel()
        if closed.is_set():
            await slot.renew(dialogue)


async def run_clients(server: Live, *, n_clients: int, n_dialogues: int, n_operations: int, seed: int) -> Heard:
    heard = Heard()
    slots = [Slot(server, "short" if number % 2 else "long") for number in range(n_dialogues)]
    async with asyncio.TaskGroup() as group:
        for number in range(n_clients):
            rng = random.Random(f"{seed}:{number}")
            group.create_task(run_client(server, slots[number % n_dialogues], heard, n_operations, rng))
    return heard


def check_acknowledged(server: Live, heard: Heard) -> None:
    """I1: every turn that any client saw accepted is in the database with that key and text."""
    stored = {
        (dialogue, number): (key, text)
        for dialogue, number, key, text in server.rows(
            "SELECT dialogue_id, number, key, text FROM testing_console_turn"
        )
    }
    lost = [
        place for place, said in heard.accepted.items() if stored.get((place[0].replace("-", ""), place[1])) != said
    ]
    assert not lost, f"{len(lost)} acknowledged turns are not stored: {lost[:5]}"
    assert not heard.wrong, heard.wrong[:5]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whole", action="store_true", help="100,000 operations instead of 10,000")
    n_operations = 100_000 if parser.parse_args().whole else 10_000
    with tempfile.TemporaryDirectory() as folder, fake_bot() as bot, live(Path(folder), bot.url, processes=2) as server:
        started = time.monotonic()
        heard = asyncio.run(run_clients(server, n_clients=200, n_dialogues=20, n_operations=n_operations, seed=1))
        seconds = time.monotonic() - started
        time.sleep(2)
        server.check_invariants()
        check_acknowledged(server, heard)
        ((n_turns,),) = server.rows("SELECT count(*) FROM testing_console_turn")
        print(
            f"{heard.n_operations} operations by 200 clients on 20 dialogues and 2 server processes in {seconds:.0f} s: "
            f"{n_turns} turns, {len(heard.accepted)} seen accepted; 0 over cap, 0 duplicates, 0 holes, 0 lost."
        )


if __name__ == "__main__":
    main()
