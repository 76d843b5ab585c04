"""The load: many dialogues at once, each a WebSocket that sends its next turn when the last one is answered."""

import asyncio
import json
import random
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import aiohttp

CONNECT_AT_ONCE = 50
TEXT = "帮我订一张明天上午从北京到上海的经济舱机票"


@dataclass
class Measured:
    """What the clients saw: seconds from sending a turn to its reply, and how many turns in how much time."""

    latencies_s: list[float] = field(default_factory=list)
    n_turns: int = 0
    seconds: float = 0.0
    errors: list[str] = field(default_factory=list)


# How long a tester thinks before a turn, in seconds.
Thinks = Callable[[random.Random], float]


async def talk(socket, measured: Measured, ends_at: float, thinks: Thinks | None, rng: random.Random) -> None:
    async def think() -> None:
        # Not beyond the end: the longest of many pauses would be measured as time in which nothing was answered.
        if thinks:
            await asyncio.sleep(min(thinks(rng), ends_at - time.perf_counter()))

    turn = 0
    await think()
    while time.perf_counter() < ends_at:
        turn += 1
        sent = time.perf_counter()
        await socket.send_str(json.dumps({"type": "turn.send", "key": f"k{turn}", "text": TEXT}))
        while True:
            message = await socket.receive()
            if message.type is not aiohttp.WSMsgType.TEXT:
                measured.errors.append(f"closed: {message.data}")
                return
            if '"reply.done"' in message.data:
                break
            if '"error"' in message.data or '"turn.failed"' in message.data:
                measured.errors.append(message.data)
                return
        measured.latencies_s.append(time.perf_counter() - sent)
        measured.n_turns += 1
        await think()


async def connect_all(http: aiohttp.ClientSession, urls: list[str]) -> list[aiohttp.ClientWebSocketResponse]:
    gate = asyncio.Semaphore(CONNECT_AT_ONCE)

    async def connect(url: str) -> aiohttp.ClientWebSocketResponse:
        async with gate:
            socket = await http.ws_connect(url, compress=0, max_msg_size=0)
            await socket.receive()
            return socket

    return await asyncio.gather(*map(connect, urls))


async def run_load(
    urls: list[str], headers: dict[str, str], seconds: float, thinks: Thinks | None, *, measured: Measured | None = None
) -> Measured:
    """Opens a socket per URL, then lets all of them talk for `seconds`. To watch, pass the `measured` that is filled."""
    measured = measured or Measured()
    async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=0)) as http:
        sockets = await connect_all(http, urls)
        await talk_on(sockets, seconds, thinks, measured)
        await asyncio.gather(*(socket.close() for socket in sockets))
    return measured


async def talk_on(
    sockets: list[aiohttp.ClientWebSocketResponse], seconds: float, thinks: Thinks | None, measured: Measured
) -> None:
    """Lets all of the open sockets talk for `seconds`."""
    rng, started = random.Random(1), time.perf_counter()
    await asyncio.gather(*(talk(socket, measured, started + seconds, thinks, rng) for socket in sockets))
    measured.seconds = time.perf_counter() - started


# Says the text in a dialogue of a peer; gives what went wrong, nothing where it was answered.
Say = Callable[[], Awaitable[str]]


async def gradio_dialogue(http: aiohttp.ClientSession) -> Say:
    """With a ChatInterface, over the API that its own page and client use."""

    async def say() -> str:
        async with http.post("/gradio_api/call/chat", json={"data": [TEXT]}) as taken:
            event = (await taken.json())["event_id"]
        async with http.get(f"/gradio_api/call/chat/{event}") as told:
            answer = await told.text()
        return "" if "event: complete" in answer else answer

    return say


async def chainlit_dialogue(http: aiohttp.ClientSession) -> Say:
    """With a Chainlit app, over the Socket.IO that its own page uses: `4` is a message of Engine.IO, `40` connects, `42` is an event."""
    socket = await http.ws_connect("/ws/socket.io/?EIO=4&transport=websocket", compress=0, max_msg_size=0)

    async def until(*starts: str) -> str:
        while not (frame := await socket.receive_str()).startswith(starts):
            if frame == "2":
                await socket.send_str("3")
        return frame

    async def emit(event: str, *details: object) -> None:
        await socket.send_str("42" + json.dumps([event, *details]))

    async def say() -> str:
        message = {"id": str(uuid.uuid4()), "name": "user", "type": "user_message", "output": TEXT, "createdAt": None}
        await emit("client_message", {"message": message})
        answer = await until('42["new_message"')
        while '"assistant_message"' not in answer:
            answer = await until('42["new_message"')
        await until('42["task_end"')
        return answer if '"isError":true' in answer else ""

    await until("0")
    await socket.send_str("40" + json.dumps({"sessionId": str(uuid.uuid4()), "clientType": "webapp"}))
    await until("40")
    await emit("connection_successful")
    await until('42["task_end"')
    return say


PEERS = {"gradio": gradio_dialogue, "chainlit": chainlit_dialogue}


async def run_peer_load(name: str, base: str, n_dialogues: int, seconds: float) -> Measured:
    measured = Measured()

    async def talk_by(say: Say, ends_at: float) -> None:
        while time.perf_counter() < ends_at:
            sent = time.perf_counter()
            if wrong := await say():
                measured.errors.append(wrong[:200])
                return
            measured.latencies_s.append(time.perf_counter() - sent)
            measured.n_turns += 1

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), base_url=base) as http:
        dialogues = await asyncio.gather(*(PEERS[name](http) for _ in range(n_dialogues)))
        started = time.perf_counter()
        await asyncio.gather(*(talk_by(say, started + seconds) for say in dialogues))
        measured.seconds = time.perf_counter() - started
    return measured
