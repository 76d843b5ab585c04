"""The bridge's two ends: a native bot on loopback that is called, or a socket of its own to the platform."""

import asyncio
import hmac
import json
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import aiohttp
from aiohttp import web

from participants.bridge.line_forms import Json
from participants.bridge.processes import NoReply
from participants.bridge.talks import Bot

HOST = "127.0.0.1"
REQUEST_LIMIT_BYTES = 16 << 20
RECONNECT_PAUSE_S = 1.0
# How long an answer may be asked for again: the platform gives a bot 10 s to connect again.
ANSWER_KEPT_S = 60.0
# The key has ended; another program has connected with it.
SENT_AWAY = (4401, 4409)


def application_of(bot: Bot, secret: str) -> web.Application:
    async def answer(request: web.Request) -> web.Response:
        if not is_allowed(request, secret):
            return error(401, "The secret is not the one that this bridge was started with.")
        try:
            return web.json_response(await answer_to(request_in(await request.read()), bot))
        except NoReply as none:
            return error(none.status, none.message)

    async def about(request: web.Request) -> web.Response:
        return web.json_response({"protocol": "huace/1", "bridge": True})

    application = web.Application(client_max_size=REQUEST_LIMIT_BYTES)
    application.add_routes([web.post("/", answer), web.get("/", about)])
    return application


async def answer_to(request: Json, bot: Bot) -> Json:
    """Errors: `NoReply`."""
    if not is_close(request):
        return await bot.answer(request)
    await bot.close(request["dialogue"])
    return {}


def is_close(request: Json) -> bool:
    """The end of a dialogue, as platforms tell it that were asked to (`options.close`)."""
    return request.get("close") is True


def is_allowed(request: web.Request, secret: str) -> bool:
    said = request.headers.get("Authorization", "")
    return not secret or hmac.compare_digest(said.encode(), f"Bearer {secret}".encode())


def request_in(body: bytes | str) -> Json:
    """Errors: `NoReply` with status 400."""
    try:
        request = json.loads(body)
    except (ValueError, RecursionError) as bad:
        raise NoReply(400, f"The request is not JSON: {bad}") from bad
    if not isinstance(request, dict) or not isinstance(request.get("dialogue"), str):
        raise NoReply(400, "A request has a dialogue.")
    if not isinstance(request.get("text"), str) and not is_close(request):
        raise NoReply(400, "A request has a text, or closes its dialogue.")
    return request


def error(status: int, message: str) -> web.Response:
    print(f"{status}: {message}", file=sys.stderr, flush=True)
    # Every place is in use: the platform asks once more after a second.
    headers = {"Retry-After": "1"} if status == 503 else {}
    return web.json_response({"error": message}, status=status, headers=headers)


class Called:
    """A native bot on 127.0.0.1."""

    def __init__(self, bot: Bot, port: int, secret: str) -> None:
        self._runner = web.AppRunner(application_of(bot, secret), access_log=None)
        self._port = port

    async def run(self) -> None:
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, HOST, self._port).start()
            print(f"The bridge listens on http://{HOST}:{self._port}/", file=sys.stderr, flush=True)
            await asyncio.Event().wait()
        finally:
            await self._runner.cleanup()


class Dialling:
    """Connects to the platform as the protocol dial-out says (docs/dial-out.md), and again whenever the socket breaks."""

    def __init__(self, bot: Bot, url: str, key: str) -> None:
        self._bot, self._url, self._headers = bot, url, {"Authorization": f"Bearer {key}"}
        self._answers: dict[str, asyncio.Task[Json]] = {}
        self._working: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Errors: `SystemExit` where the platform does not want it any more."""
        async with aiohttp.ClientSession() as session:
            while True:
                try:
                    async with session.ws_connect(self._url, headers=self._headers, heartbeat=20) as socket:
                        print(f"The bridge is connected to {self._url}", file=sys.stderr, flush=True)
                        await self._talk(socket)
                    if socket.close_code in SENT_AWAY:
                        raise SystemExit("The key has ended, or another program connected with it.")
                except (aiohttp.ClientError, OSError) as away:
                    print(f"Not connected: {away}", file=sys.stderr, flush=True)
                await asyncio.sleep(RECONNECT_PAUSE_S)

    async def _talk(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Until the socket breaks. What is being answered goes on: the next socket must be there within seconds."""
        async for message in socket:
            frame = json.loads(message.data) if message.type is aiohttp.WSMsgType.TEXT else {}
            if frame.get("type") == "turn":
                self._begin(self._answer(socket, frame))
            elif frame.get("type") == "close":
                self._begin(self._bot.close(frame["dialogue"]))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        working = asyncio.create_task(work)
        self._working.add(working)
        working.add_done_callback(self._working.discard)

    async def _answer(self, socket: aiohttp.ClientWebSocketResponse, frame: dict[str, Any]) -> None:
        turn_id = frame["id"]
        try:
            said = {"type": "reply"} | await asyncio.shield(self._answer_to(turn_id, frame))
        except NoReply as none:
            print(none.message, file=sys.stderr, flush=True)
            said = {"type": "error", "message": none.message}
        # A socket that broke: the turn is handed over again, and the answer is there. In ASCII, which holds half a character too.
        with suppress(ConnectionError):
            await socket.send_str(json.dumps(said | {"id": turn_id}))

    def _answer_to(self, turn_id: str, frame: dict[str, Any]) -> asyncio.Task[Json]:
        """What is handed over again under an id that is known is not put to the command again."""
        if turn_id not in self._answers:
            self._answers[turn_id] = asyncio.create_task(self._bot.answer(frame))
            self._answers[turn_id].add_done_callback(lambda task: self._forget_later(turn_id, task))
        return self._answers[turn_id]

    def _forget_later(self, turn_id: str, answer: asyncio.Task[Json]) -> None:
        if not answer.cancelled():
            answer.exception()
        asyncio.get_running_loop().call_later(ANSWER_KEPT_S, self._answers.pop, turn_id, None)
