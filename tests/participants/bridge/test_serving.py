"""The bridge as a native bot on loopback, as a program of its own, and as a bot that connects itself."""

import asyncio
import json
import signal
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from demo.sample_bots import free_port, wait_for_port
from participants.adapters import BotAddress, BotCall
from participants.adapters.calls import Farewell
from participants.adapters.native import farewell_of
from participants.bridge import serving
from participants.bridge.__main__ import arguments_of
from participants.bridge.processes import NoReply
from participants.bridge.serving import Dialling, application_of
from tests.participants.talking import reply_to

ROOT = Path(__file__).resolve().parents[3]


class Bot:
    """Answers by the text alone."""

    def __init__(self):
        self.asked, self.closed = [], []
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def answer(self, request):
        self.asked.append(request["text"])
        if request["text"].startswith("5"):
            raise NoReply(int(request["text"]), "no reply")
        await asyncio.sleep(0.05)
        await self.may_answer.wait()
        return {"text": request["text"][::-1]}

    async def close(self, dialogue):
        self.closed.append(dialogue)

    async def end(self):
        pass


@asynccontextmanager
async def client_of(bot, secret=""):
    async with TestClient(TestServer(application_of(bot, secret))) as client:
        yield client


async def test_a_request_is_answered_and_an_error_says_why():
    async with client_of(Bot()) as client:
        answer = await client.post("/", json={"dialogue": "d", "text": "好的"})
        assert (answer.status, await answer.json()) == (200, {"text": "的好"})
        full = await client.post("/", json={"dialogue": "d", "text": "503"})
        assert (full.status, full.headers["Retry-After"], await full.json()) == (503, "1", {"error": "no reply"})
        assert (await (await client.get("/")).json())["protocol"] == "huace/1"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"dialogue":1,"text":"x"}', b'{"dialogue":"d"}', b"\xff", b"[" * 9999]
)
async def test_what_is_no_request_is_refused(body):
    bot = Bot()
    async with client_of(bot) as client:
        assert (await client.post("/", data=body)).status == 400
    assert not bot.asked


async def test_the_end_of_a_dialogue_is_passed_on_and_puts_nothing_to_the_command():
    bot = Bot()
    farewell = farewell_of(Farewell(BotAddress("huace/1", ""), "d-1"))
    async with client_of(bot) as client:
        assert (await client.post("/", data=farewell)).status == 200
        assert (await client.post("/", json={"dialogue": "d-2", "close": 1})).status == 400
    assert (bot.asked, bot.closed) == ([], ["d-1"])


async def test_whoever_calls_has_to_know_the_secret():
    async with client_of(Bot(), "s3cret") as client:
        said = {"dialogue": "d", "text": "x"}
        assert (await client.post("/", json=said)).status == 401
        assert (await client.post("/", json=said, headers={"Authorization": "Bearer s3cret"})).status == 200


@pytest.mark.parametrize(
    "words", [[], ["--shared", "--", "cat"], ["--dial-out", "ws://x/", "--", "cat"], ["--lines", "xml", "cat"]]
)
def test_options_that_make_no_sense_are_refused(words, capsys):
    with pytest.raises(SystemExit) as refused:
        arguments_of(words)
    assert refused.value.code == 2


def test_everything_after_two_dashes_is_the_command():
    assert arguments_of(["--port", "1", "--", "python", "bot.py", "--port", "2"]).command == [
        "python",
        "bot.py",
        "--port",
        "2",
    ]


def test_the_bridge_needs_no_django():
    code = "import sys, participants.bridge.__main__; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@contextmanager
def program(port, *command):
    words = [sys.executable, "-m", "participants.bridge", "--port", str(port), "--", *command]
    running = subprocess.Popen(words, cwd=ROOT)
    try:
        wait_for_port(port, running, "The bridge")
        yield running
    finally:
        running.kill()
        running.wait()


def test_as_a_program_it_is_a_native_bot_that_ends_with_its_command(tmp_path):
    """The command notes its number, so that its end can be seen."""
    port, noted = free_port(), tmp_path / "pid"
    script = f'echo $$ > {noted}; while read line; do echo "您说：$line"; done'
    with program(port, "sh", "-c", script) as bridge:
        call = BotCall(BotAddress("huace/1", f"http://127.0.0.1:{port}/"), "d", 1, "你好", "d:1")
        assert asyncio.run(reply_to(call, ("127.0.0.1", port))).texts == ("您说：你好",)
        bridge.send_signal(signal.SIGTERM)
        assert bridge.wait(10) == 0
        assert not Path(f"/proc/{noted.read_text().strip()}").exists()


# -- connecting out ---------------------------------------------------------------------------------------------------


@asynccontextmanager
async def platform(play):
    """A platform that plays so with each socket that comes; gives its URL."""
    came = []

    async def socket_of(request):
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        came.append(request.headers.get("Authorization"))
        await play(socket, len(came))
        return socket

    application = web.Application()
    application.add_routes([web.get("/ws/bots/", socket_of)])
    async with TestServer(application) as server:
        yield str(server.make_url("/ws/bots/")), came


def turn(turn_id, text, **more):
    return {"type": "turn", "id": turn_id, "again": False, "dialogue": "d", "turn": 1, "text": text, **more}


async def dial(bot, play):
    """Dials until it is sent away; gives the keys that came."""
    async with platform(play) as (url, came):
        with pytest.raises(SystemExit):
            async with asyncio.timeout(60):
                await Dialling(bot, url, "k3y").run()
    return came


async def test_it_answers_turns_over_a_socket_of_its_own_until_it_is_sent_away():
    said = []

    async def play(socket, number):
        await socket.send_json({"type": "ready"})
        for turn_id, text in (("t1", "一二"), ("t2", "500")):
            await socket.send_json(turn(turn_id, text))
        said.extend([json.loads((await socket.receive()).data) for _ in range(2)])
        await socket.close(code=4401)

    assert await dial(Bot(), play) == ["Bearer k3y"]
    assert {one["id"]: one for one in said} == {
        "t1": {"type": "reply", "text": "二一", "id": "t1"},
        "t2": {"type": "error", "message": "no reply", "id": "t2"},
    }


async def test_a_turn_that_is_handed_over_again_is_not_put_to_the_command_again(monkeypatch):
    monkeypatch.setattr(serving, "RECONNECT_PAUSE_S", 0.01)
    said = []

    async def play(socket, number):
        await socket.send_json(turn("t1", "一二", again=number > 1))
        if number == 1:
            await asyncio.sleep(0.01)
            await socket.close(code=1001)
        else:
            said.append(json.loads((await socket.receive()).data))
            await socket.close(code=4409)

    bot = Bot()
    assert len(await dial(bot, play)) == 2
    assert (said, bot.asked) == ([{"type": "reply", "text": "二一", "id": "t1"}], ["一二"])


async def test_it_connects_again_while_the_command_still_works_on_its_answers(monkeypatch):
    monkeypatch.setattr(serving, "RECONNECT_PAUSE_S", 0.01)
    bot, said = Bot(), []
    bot.may_answer = asyncio.Event()

    async def play(socket, number):
        await socket.send_json(turn("t1", "一二", again=number > 1))
        if number == 1:
            await asyncio.sleep(0.05)
            await socket.close(code=1001)
            return
        bot.may_answer.set()
        said.append(json.loads((await socket.receive()).data))
        await socket.close(code=4409)

    assert len(await dial(bot, play)) == 2
    assert (said, bot.asked) == ([{"type": "reply", "text": "二一", "id": "t1"}], ["一二"])


class BreakingSocket:
    """Hands over one turn, and breaks while the answer is sent."""

    closed = False

    def __init__(self):
        self.messages = [SimpleNamespace(type=aiohttp.WSMsgType.TEXT, data=json.dumps(turn("t1", "一二")))]
        self.has_broken = asyncio.Event()

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.messages:
            return self.messages.pop()
        await self.has_broken.wait()
        raise StopAsyncIteration

    async def send_str(self, text):
        self.has_broken.set()
        raise aiohttp.ClientConnectionResetError("Cannot write to closing transport")


async def test_a_socket_that_breaks_while_an_answer_is_sent_is_no_end_and_the_answer_is_kept():
    bot = Bot()
    dialling = Dialling(bot, "ws://x/", "k")
    for _ in range(2):
        async with asyncio.timeout(60):
            await dialling._talk(BreakingSocket())
    assert bot.asked == ["一二"]


async def test_answers_that_nobody_asks_for_again_are_forgotten(monkeypatch):
    monkeypatch.setattr(serving, "ANSWER_KEPT_S", 0.01)
    dialling = Dialling(Bot(), "ws://x/", "k")
    await dialling._talk(BreakingSocket())
    async with asyncio.timeout(60):
        while dialling._answers:
            await asyncio.sleep(0.01)


async def test_a_platform_that_is_not_there_is_tried_again(monkeypatch, capsys):
    monkeypatch.setattr(serving, "RECONNECT_PAUSE_S", 0.01)
    dialling = asyncio.create_task(Dialling(Bot(), f"http://127.0.0.1:{free_port()}/ws/bots/", "k").run())
    printed = ""
    async with asyncio.timeout(60):
        while printed.count("Not connected") < 2:
            printed += capsys.readouterr().err
            await asyncio.sleep(0.01)
    dialling.cancel()


async def test_the_end_of_a_dialogue_is_passed_on_from_its_own_socket_too():
    async def play(socket, number):
        await socket.send_json({"type": "close", "dialogue": "d", "close": True})
        await asyncio.sleep(0.05)
        await socket.close(code=4401)

    bot = Bot()
    await dial(bot, play)
    assert (bot.closed, bot.asked) == (["d"], [])
