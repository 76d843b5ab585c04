"""However the socket of a wall ends, nothing goes on counting it."""

import asyncio

import pytest

from organizing.wall import consumers
from organizing.wall.consumers import WallConsumer
from serving.server.close_codes import CLOSE_TOO_FAST
from testing_console.live.admission import SocketAdmission
from testing_console.live.socket_limits import SocketCounts

SCOPE = {
    "type": "websocket",
    "headers": [],
    "query_string": b"",
    "client": ("192.0.2.1", 999),
    "url_route": {"kwargs": {"slug": "small"}},
}


class Walls:
    """A process's walls; what is named in `fails` does."""

    def __init__(self, *fails):
        self.fails, self.joined = fails, set()

    def join(self, campaign_id, viewer):
        if "join" in self.fails:
            raise RuntimeError("no wall")
        self.joined.add(viewer)

    def leave(self, campaign_id, viewer):
        if "leave" in self.fails:
            raise RuntimeError("no leaving")
        self.joined.discard(viewer)


@pytest.fixture
def counts(monkeypatch):
    """A person may hold one socket here."""

    async def look_up(query, *arguments):
        return SocketAdmission(person_id=7), 1

    async def nothing():
        pass

    made = SocketCounts(1, 0)
    monkeypatch.setattr(consumers, "counts", made)
    monkeypatch.setattr(consumers, "look_up", look_up)
    monkeypatch.setattr("channels.consumer.aclose_old_connections", nothing)
    monkeypatch.setattr("channels.generic.websocket.aclose_old_connections", nothing)
    return made


async def socket(*messages):
    """One socket from its first frame on; gives what it was sent, and what it failed with."""
    coming, sent = asyncio.Queue(), []
    for message in ("websocket.connect", *messages):
        coming.put_nowait({"type": message, "code": 1001})

    async def send(message):
        sent.append(message)

    try:
        await WallConsumer()(SCOPE, coming.get, send)
    except RuntimeError as failed:
        return sent, str(failed)
    return sent, ""


@pytest.mark.parametrize(
    ("fails", "failed"),
    [((), ""), (("leave",), "no leaving"), (("join",), "no wall"), (("join", "leave"), "no leaving")],
)
async def test_a_socket_that_ended_gives_its_place_back(counts, monkeypatch, fails, failed):
    walls = Walls(*fails)
    monkeypatch.setattr(consumers.live, "current", lambda: walls)
    assert (await socket("websocket.disconnect"))[1] == failed
    walls.fails = ()
    sent, _ = await socket("websocket.disconnect")
    assert [message["type"] for message in sent] == ["websocket.accept"]


async def test_a_socket_that_is_cancelled_gives_its_place_back(counts, monkeypatch):
    walls = Walls()
    monkeypatch.setattr(consumers.live, "current", lambda: walls)
    first = asyncio.ensure_future(socket())
    while not walls.joined:
        await asyncio.sleep(0)
    sent, _ = await socket("websocket.disconnect")
    assert sent[-1]["code"] == CLOSE_TOO_FAST
    first.cancel()
    await asyncio.wait([first])
    assert not walls.joined
    sent, _ = await socket("websocket.disconnect")
    assert [message["type"] for message in sent] == ["websocket.accept"]
