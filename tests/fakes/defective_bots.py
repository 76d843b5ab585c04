"""A bot of huace/1 that remembers names, and what is wrong with it where `defect` says so. It shares no code with the platform.

Healthy, it knows its dialogues by their ids, answers `我的名字是X。` and `我的名字是什么？`, refuses broken requests with 400, and gives a
repeated Idempotency-Key the same answer.
"""

import asyncio
import json
import re
import threading
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

NAME = re.compile(r"我的名字是([^。？什么]+)。")
ASK_NAME = "我的名字是什么？"
PLAIN = {
    "html-error-page": ("500 Internal Server Error", b"<html><h1>Internal Server Error</h1></html>", ()),
    "html-page": ("200 OK", b"<!doctype html><title>It works!</title>", ("Content-Type: text/html",)),
    "created": ("201 Created", b'{"text": "hello"}', ()),
    "gzip": ("200 OK", b"\x1f\x8b", ("Content-Encoding: gzip",)),
    "truncated-json": ("200 OK", b'{"text": "hel', ()),
    "null-text": ("200 OK", b'{"text": null}', ()),
    "redirect": ("307 Temporary Redirect", b"", ("Location: http://127.0.0.1:1/",)),
    "gbk": ("200 OK", '{"text": "您好，很高兴"}'.encode("gbk"), ()),
    "other-shape": ("200 OK", b'{"answer": "hello"}', ()),
}


@dataclass
class DefectiveBot:
    """`slow_s` is how long it thinks where the defect says that it is slow; `busy_from` how many requests at once are too many."""

    defect: str = ""
    slow_s: float = 0.08
    busy_from: int = 4
    port: int = 0
    n_at_once: int = 0
    is_dead: bool = False
    names: dict[str, str] = field(default_factory=dict)
    n_turns: Counter = field(default_factory=Counter)
    answered: dict[str, dict] = field(default_factory=dict)
    methods: Counter = field(default_factory=Counter)
    bodies: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def answer(self, request: dict, key: str) -> dict:
        if key in self.answered and self.defect != "no-idempotency":
            return self.answered[key]
        text = request["text"]
        said = self.say(request["dialogue"], text, request["turn"])
        # What runs at the same time sees what this one has stored for all of them.
        await asyncio.sleep(0.03 if self.defect == "mixed-up-under-load" else 0.002)
        if self.defect == "mixed-up-under-load" and text == ASK_NAME:
            said = f"您叫{self.names['latest']}。"
        if self.defect == "no-idempotency":
            self.n_turns["all"] += 1
            said += f"（第{self.n_turns['all']}次）"
        self.answered[key] = {"text": said}
        return self.answered[key]

    def say(self, dialogue: str, text: str, turn: int) -> str:
        place = "all" if self.defect in {"shared-state", "never-resets"} else dialogue
        if self.defect == "mojibake":
            return text.encode().decode("latin-1")
        if self.defect == "question-marks":
            return text.encode("ascii", "replace").decode()
        if self.defect == "empty-on-long" and len(text) > 1000:
            return ""
        if match := NAME.search(text):
            self.names["latest"] = match[1]
            if self.defect != "forgets" or ASK_NAME in text:
                self.names[place] = match[1]
        if ASK_NAME in text:
            known = self.names.get(place)
            return f"您叫{known}。" if known else "您还没有告诉我您的名字。"
        return f"好的，我听到了{len(text)}个字，请您继续说，我会一直在这里回答您的问题。"


def http(status: str, body: bytes, *extra: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *extra, "", ""]).encode() + body


async def _serve(bot: DefectiveBot, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            method, _, rest = head.partition(b" ")
            bot.methods[method.decode()] += 1
            headers = {
                name.lower(): value.strip()
                for name, _, value in (line.partition(":") for line in rest.decode("latin-1").split("\r\n"))
            }
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            if method != b"POST":
                writer.write(http("405 Method Not Allowed", b""))
                continue
            bot.bodies.append(body)
            bot.n_at_once += 1
            try:
                if not await _post(bot, body, headers.get("idempotency-key", ""), reader, writer):
                    return
            finally:
                bot.n_at_once -= 1
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
        pass
    finally:
        writer.close()


async def _post(bot, body, key, reader, writer) -> bool:
    """Answers one request; False where the connection is to be closed."""
    if bot.is_dead:
        await asyncio.sleep(60)
    try:
        request = json.loads(body)
    except ValueError:
        if bot.defect == "dies-of-garbage":
            bot.is_dead = True
            return False
        writer.write(
            http("200 OK", b'{"text": "?"}') if bot.defect == "takes-garbage" else http("400 Bad Request", b"{}")
        )
        return True
    if bot.defect in PLAIN:
        status, content, extra = PLAIN[bot.defect]
        writer.write(http(status, content, *extra))
        return True
    if bot.defect == "hangs":
        await asyncio.sleep(60)
    if bot.defect == "slow":
        await asyncio.sleep(bot.slow_s)
    if bot.defect.endswith("-under-load"):
        # Long enough for requests that were sent at the same time to meet here.
        await asyncio.sleep(0.05)
    if bot.defect == "drops-under-load" and bot.n_at_once >= bot.busy_from:
        writer.transport.abort()
        return False
    if bot.defect == "busy-under-load" and bot.n_at_once >= bot.busy_from:
        writer.write(http("500 Internal Server Error", b"too many connections"))
        return True
    if bot.defect == "crashes-on-empty" and not request["text"]:
        return False
    if bot.defect == "breaks-at-turn-20" and request["turn"] >= 20:
        writer.write(http("500 Internal Server Error", b"context length exceeded"))
        return True
    if bot.defect == "dies-after-cancel" and len(request["text"]) > 1000:
        gone = asyncio.create_task(reader.read(1))
        await asyncio.wait({gone}, timeout=0.1)
        if gone.done():
            bot.is_dead = True
            return False
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
    answer = await bot.answer(request, key)
    writer.write(http("200 OK", json.dumps(answer, ensure_ascii=False).encode()))
    await writer.drain()
    return True


@contextmanager
def serving(serve):
    """Serves connections with `serve(reader, writer)` on a free port, in a thread of its own; gives the port."""
    loop, is_up, ports = asyncio.new_event_loop(), threading.Event(), []

    async def main() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**20, backlog=512)
        ports.append(server.sockets[0].getsockname()[1])
        is_up.set()
        await stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    stop = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(main()), daemon=True)
    thread.start()
    is_up.wait(5)
    try:
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(5)
        loop.close()


@contextmanager
def defective_bot(defect: str = "", **settings):
    bot = DefectiveBot(defect, **settings)
    with serving(lambda reader, writer: _serve(bot, reader, writer)) as port:
        bot.port = port
        yield bot


LONG_REPLY = "我可以帮您订机票、火车票和酒店，也可以回答问题，请您随时告诉我您需要什么。"


@contextmanager
def streaming_bot(defect: str = ""):
    """Chat completions: a stream of pieces; `one-piece` sends a stream of one, `whole` ignores that a stream was asked for."""

    def event(delta: dict, finish=None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return b"data: %b\n\n" % json.dumps({"choices": [choice]}).encode()

    async def serve(reader, writer) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = re.search(rb"content-length: (\d+)", head.lower())
                await reader.readexactly(int(length[1]) if length else 0)
                if not head.startswith(b"POST"):
                    writer.write(http("405 Method Not Allowed", b""))
                    continue
                if defect == "whole":
                    message = {"role": "assistant", "content": LONG_REPLY}
                    content = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
                    writer.write(http("200 OK", json.dumps(content).encode(), "Content-Type: application/json"))
                    continue
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
                size = len(LONG_REPLY) if defect == "one-piece" else 8
                for start in range(0, len(LONG_REPLY), size):
                    writer.write(event({"content": LONG_REPLY[start : start + size]}))
                    await asyncio.sleep(0.005)
                writer.write(event({}, "stop") + b"data: [DONE]\n\n")
                return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    with serving(serve) as port:
        yield f"http://127.0.0.1:{port}/v1/chat/completions"


@contextmanager
def answering_bot(body: bytes):
    """The same answer to whatever it is asked."""

    async def serve(reader, writer) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = re.search(rb"content-length: (\d+)", head.lower())
                await reader.readexactly(int(length[1]) if length else 0)
                writer.write(http("200 OK", body, "Content-Type: application/json"))
        writer.close()

    with serving(serve) as port:
        yield f"http://127.0.0.1:{port}/"
