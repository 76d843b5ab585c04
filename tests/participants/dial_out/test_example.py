"""The client that bots behind a firewall begin from: what is handed over again is not done again, and nothing grows."""

import asyncio
import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import websockets

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "bots" / "dial_out.py"


@pytest.fixture
def client():
    spec = spec_from_file_location("dial_out_example", EXAMPLE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Heard:
    """A socket that remembers what was sent."""

    def __init__(self):
        self.frames = []

    async def send(self, frame):
        self.frames.append(json.loads(frame))


async def test_a_turn_that_is_handed_over_again_is_replied_to_once_and_then_forgotten(client, monkeypatch):
    asked = []

    async def reply_to(turn):
        asked.append(turn["text"])
        return "好的"

    monkeypatch.setattr(client, "reply_to", reply_to)
    monkeypatch.setattr(client, "KEPT_S", 0.05)
    socket = Heard()
    for _ in range(2):
        await client.answer(socket, {"id": "t1", "text": "订票"})
    assert (asked, socket.frames) == (["订票"], [{"type": "reply", "text": "好的", "id": "t1"}] * 2)
    async with asyncio.timeout(60):
        while client.REPLIED:
            await asyncio.sleep(0.01)


async def test_it_hears_that_a_dialogue_is_over_and_goes_on(client, monkeypatch):
    closed, said = [], []
    monkeypatch.setattr(client, "close", closed.append)

    async def platform(socket):
        await socket.send(json.dumps({"type": "close", "dialogue": "d-1", "close": True}))
        await socket.send(json.dumps({"type": "turn", "id": "t1", "dialogue": "d-2", "text": "订票"}))
        said.append(json.loads(await socket.recv()))
        await socket.close(4409)

    async with websockets.serve(platform, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(SystemExit):
            async with asyncio.timeout(60):
                await client.main(f"ws://127.0.0.1:{port}/", "k")
    assert closed == ["d-1"]
    assert said == [{"type": "reply", "text": "您说的是：订票", "id": "t1"}]
