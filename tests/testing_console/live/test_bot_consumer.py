"""The socket of a bot that connects: who is let in, what it may say, and that hostile frames hurt nobody."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from participants.adapters import BotAddress, BotCall
from participants.adapters.dial_out import ADAPTER
from participants.dial_out import exchange as exchanges
from participants.dial_out.exchange import Exchange
from participants.outbound import Door
from serving.commits.group_commit import Unavailable
from testing_console.live import bot_consumer
from testing_console.live.bot_consumer import BotConsumer
from testing_console.live.socket_limits import TooManyTries

KEY = "huace-bot-right"
BOT = "dial-out:1"


class Bots:
    """What a floor has of bots' sockets, with one key."""

    def __init__(self):
        self.is_away, self.networks = False, []

    async def admit(self, key, network):
        self.networks.append(network)
        if network == "192.0.2.66":
            raise TooManyTries
        if self.is_away:
            raise Unavailable("away")
        return ("c1", BOT, "一号") if key == KEY else None

    def enter(self, guest):
        exchanges.current().enter(guest.bot, guest)

    def leave(self, guest):
        exchanges.current().leave(guest.bot, guest)


async def nothing():
    """Here is no connection to a database that could be closed."""


@pytest.fixture
async def bots(monkeypatch):
    made = Bots()
    monkeypatch.setattr(exchanges, "_exchange", Exchange())
    monkeypatch.setattr("channels.generic.websocket.aclose_old_connections", nothing)
    monkeypatch.setattr(bot_consumer.floor, "current", lambda: SimpleNamespace(bots=made))
    return made


class Socket:
    """A bot's end of its socket, as the server's protocol would be."""

    def __init__(self, authorization=f"Bearer {KEY}", address="192.0.2.1"):
        headers = [(b"authorization", authorization.encode())] if authorization else []
        self._to_server, self._from_server = asyncio.Queue(), asyncio.Queue()
        scope = {"type": "websocket", "headers": headers, "client": [address, 999]}
        serving = BotConsumer.as_asgi()(scope, self._to_server.get, self._from_server.put)
        self.serving = asyncio.create_task(serving)
        self._to_server.put_nowait({"type": "websocket.connect"})

    async def heard(self):
        async with asyncio.timeout(5):
            return await self._from_server.get()

    async def next(self):
        message = await self.heard()
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])

    def say_text(self, text):
        said = {"bytes": b"\x00"} if text is None else {"text": text}
        self._to_server.put_nowait({"type": "websocket.receive", **said})

    def say(self, **frame):
        self.say_text(json.dumps(frame))

    async def hang_up(self):
        self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1006})
        async with asyncio.timeout(5):
            await self.serving

    async def accepted(self):
        assert (await self.heard())["type"] == "websocket.accept"
        return self

    async def ready(self):
        await self.accepted()
        assert await self.next() == {"type": "ready", "protocol": "huace/1", "bot": "一号"}
        return self

    async def closed_with(self):
        while (message := await self.heard())["type"] != "websocket.close":
            pass
        return message["code"]


def asking(text="订票", deadline_s=5.0):
    call = BotCall(BotAddress("dial-out", BOT), "d-1", 1, text, "d-1:1", deadline_s=deadline_s)
    return asyncio.create_task(ADAPTER.send(call, Door().line(deadline_s), lambda part: None))


@pytest.mark.parametrize("authorization", ["", "Bearer wrong", "Token huace-bot-right", "Bearer", f"Bearer {KEY} x"])
async def test_nobody_gets_in_without_a_key(bots, authorization):
    socket = await Socket(authorization).accepted()
    assert await socket.closed_with() == 4401


async def test_a_network_that_tried_too_many_keys_is_turned_away(bots):
    socket = await Socket(address="192.0.2.66").accepted()
    assert await socket.closed_with() == 4429
    await Socket().ready()
    assert bots.networks == ["192.0.2.66", "192.0.2.1"]


async def test_a_bot_comes_again_while_the_database_is_away(bots):
    bots.is_away = True
    socket = await Socket().accepted()
    assert await socket.closed_with() == 4503


async def test_a_turn_goes_over_the_socket_and_back(bots):
    socket = await Socket().ready()
    asked = asking()
    turn = await socket.next()
    assert (turn["type"], turn["text"]) == ("turn", "订票")
    socket.say(type="ping")
    socket.say(type="reply", id=turn["id"], text="好的")
    assert await socket.next() == {"type": "pong"}
    assert (await asked).texts == ("好的",)


async def test_a_turn_waits_for_the_bot_and_comes_after_the_first_frame(bots):
    asked = asking()
    socket = await Socket().ready()
    socket.say(type="reply", id=(await socket.next())["id"], text="好的")
    assert (await asked).texts == ("好的",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "bad_json"),
        ('{"type":"reply","type":"ping"}', "bad_json"),
        ("[" * 5000, "bad_json"),
        ("NaN", "bad_json"),
        ("7", "bad_frame"),
        ('{"type":"turn","id":"x"}', "bad_frame"),
        ('{"type":"reply","text":"x"}', "bad_frame"),
        ('{"type":"reply","id":"no-such-turn","text":"x"}', "unknown_turn"),
        (None, "bad_frame"),
    ],
)
async def test_a_frame_that_makes_no_sense_is_answered_and_the_turn_goes_on(bots, text, code):
    socket = await Socket().ready()
    asked = asking()
    turn = await socket.next()
    socket.say_text(text)
    error = await socket.next()
    assert (error["type"], error["code"]) == ("error", code)
    socket.say(type="reply", id=turn["id"], text="好的")
    assert (await asked).texts == ("好的",)


async def test_a_frame_knows_how_long_it_was():
    text = '{"type":"delta","id":"t1","text":"好"}'
    assert (await bot_consumer.frame_in(text)).n_characters == len(text) == 37


async def test_a_bot_that_sends_nothing_but_nonsense_is_closed(bots, monkeypatch):
    monkeypatch.setattr(bot_consumer, "BAD_FRAME_BURST", 5)
    socket = await Socket().ready()
    for _ in range(6):
        socket.say_text("nonsense")
    assert await socket.closed_with() == 4429
    assert not exchanges.current()._sockets


async def test_a_thousand_frames_at_once_are_read_one_after_the_other_and_no_reply_is_lost(bots, monkeypatch):
    """Read later, never refused: among them is the reply."""
    paused = []

    async def pause(seconds):
        paused.append(seconds)

    monkeypatch.setattr(bot_consumer, "FRAME_BURST", 100)
    monkeypatch.setattr(bot_consumer.asyncio, "sleep", pause)
    socket = await Socket().ready()
    asked = asking()
    turn = await socket.next()
    for number in range(1000):
        socket.say(type="delta", id=turn["id"] if number % 2 else "of-nobody", text="x")
    socket.say(type="reply", id=turn["id"], text="好的")
    assert (await asked).texts == ("好的",)
    assert len(paused) > 800


async def test_the_newer_socket_takes_over_and_the_older_hears_why(bots):
    older = await Socket().ready()
    asked = asking()
    turn = await older.next()
    newer = await Socket().ready()
    again = await newer.next()
    assert (again["id"], again["again"]) == (turn["id"], True)
    assert await older.closed_with() == 4409
    await older.hang_up()
    newer.say(type="reply", id=turn["id"], text="好的")
    assert (await asked).texts == ("好的",)


async def test_a_bot_whose_key_ended_is_heard_no_more(bots):
    socket = await Socket().ready()
    asked = asking(deadline_s=0.3)
    turn = await socket.next()
    (guest,) = exchanges.current()._sockets.values()
    guest.expel()
    assert await socket.closed_with() == 4401
    socket.say(type="reply", id=turn["id"], text="好的")
    assert isinstance((await asyncio.wait([asked]))[0].pop().exception(), Exception)


async def test_a_bot_that_hangs_up_has_left(bots):
    socket = await Socket().ready()
    await socket.hang_up()
    assert not exchanges.current()._sockets
