"""The queue of a Gradio app with a chat function, as gradio 4.44, 5.50 and 6.31 were seen to write it, in a few lines of aiohttp.

`versions` differ in prefix, name and visibility of the function. The app remembers per session how often it was asked. What the
text asks for: `!edits` (the text is rewritten), `!error`, `!full`, `!broken` (the stream ends early), `!others` (messages of another event first).
"""

import json
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

PREFIX = {4: "", 5: "/gradio_api", 6: "/gradio_api"}
COMPONENTS = [
    {"id": 1, "type": "chatbot", "props": {"type": "messages", "value": []}},
    {"id": 8, "type": "textbox", "props": {"value": None}},
    {"id": 12, "type": "json", "props": {}},
    {"id": 15, "type": "state", "props": {}},
    {"id": 20, "type": "slider", "props": {"value": 0.7}},
]
CHAT = {"id": 18, "inputs": [8, 15, 20], "outputs": [12, 15]}
HIDDEN = {"id": 0, "inputs": [8], "outputs": [8]}
SAID_OF = {
    4: ({"api_name": "chat", "show_api": True}, {"api_name": "_clear", "show_api": False}),
    5: ({"api_name": "chat", "show_api": True}, {"api_name": "_clear", "show_api": False}),
    6: ({"api_name": "answer", "api_visibility": "public"}, {"api_name": "_clear", "api_visibility": "undocumented"}),
}


@dataclass
class GradioBot:
    version: int
    port: int = 0
    more: list[dict] = field(default_factory=list)
    joined: list[dict] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    waiting: dict[str, tuple[str, str]] = field(default_factory=dict)
    turns: Counter = field(default_factory=Counter)
    # So often the stream of events is refused.
    n_busy: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def config(self, request: web.Request) -> web.Response:
        self.paths.append(request.path)
        chat, hidden = SAID_OF[self.version]
        told = {
            "version": f"{self.version}.1.0",
            "components": COMPONENTS,
            "dependencies": [HIDDEN | hidden, CHAT | chat, *self.more],
        }
        return web.json_response(told | ({"api_prefix": PREFIX[self.version]} if PREFIX[self.version] else {}))

    async def join(self, request: web.Request) -> web.Response:
        self.paths.append(request.path)
        asked = await request.json()
        self.joined.append(asked)
        event = f"e{len(self.joined)}"
        text = next(one for one in asked["data"] if isinstance(one, str))
        self.waiting[asked["session_hash"]] = event, text
        return web.json_response({"event_id": event})

    async def data(self, request: web.Request) -> web.StreamResponse:
        self.paths.append(request.path)
        if self.n_busy:
            self.n_busy -= 1
            return web.Response(status=503, headers={"Retry-After": "0"})
        session = request.query["session_hash"]
        event, text = self.waiting.pop(session)
        self.turns[session] += 1
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await stream.prepare(request)
        for message in messages_for(text, f"{self.turns[session]}:{text}", event):
            await stream.write(b"data: %s\n\n" % json.dumps(message, ensure_ascii=False).encode())
        return stream


def messages_for(text: str, answer: str, event: str):
    yield {"msg": "estimation", "event_id": event, "rank": 0}
    if text == "!full":
        yield {"msg": "queue_full", "event_id": event}
        return
    if text == "!others":
        yield {"msg": "process_completed", "event_id": "other", "output": {"data": ["not mine", None]}, "success": True}
    yield {"msg": "process_starts", "event_id": event}
    if text == "!error":
        yield {"msg": "process_completed", "event_id": event, "output": {"error": "no GPU"}, "success": False}
        return

    def generating(*data):
        return {"msg": "process_generating", "event_id": event, "output": {"data": [*data, None]}, "success": True}

    yield generating(answer[:1])
    if text == "!edits":
        yield generating([["append", [], "wrong"]])
        yield generating([["replace", [], answer[:1]]])
        yield generating([])
    yield generating([["append", [], part] for part in answer[1:3]])
    yield {"msg": "heartbeat"}
    yield generating([["append", [], answer[3:]]])
    if text != "!broken":
        yield {"msg": "process_completed", "event_id": event, "output": {"data": [answer, None]}, "success": True}
        yield {"msg": "close_stream", "event_id": None}


@asynccontextmanager
async def gradio_bot(version: int):
    bot, app = GradioBot(version), web.Application()
    app.add_routes(
        [
            web.get("/config", bot.config),
            web.post(f"{PREFIX[version]}/queue/join", bot.join),
            web.get(f"{PREFIX[version]}/queue/data", bot.data),
        ]
    )
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    bot.port = site._server.sockets[0].getsockname()[1]
    try:
        yield bot
    finally:
        await runner.cleanup()
