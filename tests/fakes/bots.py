"""A bot on a real socket that behaves as the text asks: `!500`, `!hang`, `!drip`, `!reset` …, else it echoes."""

import asyncio
import json
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class FakeBot:
    """What it was asked; `opening` is what it answers where it is to speak first."""

    port: int = 0
    opening: str = "!greet"
    requests: list[dict] = field(default_factory=list)
    headers: list[dict] = field(default_factory=list)
    seen: Counter = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


def http(body: bytes, status: str = "200 OK", *extra: str, length: int | None = None) -> bytes:
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *extra]
    return "\r\n".join([*head, "", ""]).encode() + body


def text_body(text: str) -> bytes:
    return json.dumps({"text": text}, ensure_ascii=False).encode()


ANSWERS = {
    "!500": http(b"oops", "500 Internal Server Error"),
    "!404": http(b"gone", "404 Not Found"),
    "!201": http(text_body("made"), "201 Created"),
    "!redirect": http(b"", "302 Found", "Location: http://127.0.0.1:1/"),
    "!html": http(b"<html>error</html>"),
    "!nan": http(b'{"text": NaN}'),
    "!twice": http(b'{"text": "a", "text": "b"}'),
    "!deep": http(b"[" * 5000 + b"]" * 5000),
    "!latin": http('{"text": "é"}'.encode("latin-1")),
    "!surrogate": http(b'{"text": "\\ud800"}'),
    "!number": http(b'{"text": 3}'),
    "!null": http(b'{"text": null}'),
    "!list": http(b"[1, 2]"),
    "!without": http(b'{"answer": "x"}'),
    "!no-body": http(b""),
    "!no-texts": http(b'{"texts": []}'),
    "!blank": http(text_body("  ")),
    "!end": http(b'{"text": "bye", "end": true}'),
    "!greet": http(text_body("您好，请问要订什么？")),
    "!choices": http(json.dumps({"text": "去哪里？", "choices": ["北京", "上海"]}).encode()),
    "!two": http(json.dumps({"texts": ["一", "二"]}).encode()),
    "!gzip": http(b"\x1f\x8b", "200 OK", "Content-Encoding: gzip"),
    "!big": http(text_body("x" * 300_000)),
    "!long": http(text_body("长" * 9000)),
    "!short": http(text_body("cut off"), length=500),
    "!garbage": b"this is not HTTP\r\n\r\n",
    "!headers": b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % i for i in range(5000)) + b"\r\n{}",
    "!quotes": http(b"[]" * 41 + b'"' + b'\\"' * 130_000),
    "!brackets": http(b"[]" * 131_000),
    "!names": http(text_body("Team Alpha" * 26_000)),
    "!maker": http(text_body("我是 Team Alpha 的系统")),
    "!script": http(text_body("<script>document.title='x'</script><b>粗</b> \u202eabc\u202c http://example.org")),
}


def lowered(line: str) -> tuple[str, str]:
    name, value = line.split(": ", 1)
    return name.lower(), value


async def _serve(bot: FakeBot, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            headers = dict(lowered(line.decode("latin-1")) for line in head.split(b"\r\n")[1:] if b": " in line)
            request = json.loads(await reader.readexactly(int(headers.get("content-length", 0))))
            bot.requests.append(request)
            bot.headers.append(headers)
            text = request["text"]
            bot.seen[text] += 1
            if not await _answer(bot, text, writer):
                return
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def _answer(bot: FakeBot, text: str, writer: asyncio.StreamWriter) -> bool:
    """Answers; False when the connection is to be closed."""
    word = text.split()[0] if text else bot.opening
    if word == "!hang":
        await asyncio.sleep(60)
        return False
    if word == "!drip":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(100):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.3)
        return False
    if word == "!reset":
        writer.transport.abort()
        return False
    if word == "!close":
        return False
    if word == "!slow":
        await asyncio.sleep(float(text.split()[1]))
    if word.startswith("!once") and bot.seen[text] == 1:
        writer.write(ANSWERS["!500"])
        return True
    if word == "!once-then-slow":
        await asyncio.sleep(1.5)
    if word == "!later" and bot.seen[text] == 1:
        writer.write(http(b"", "503 Service Unavailable", "Retry-After: 1"))
        return True
    writer.write(ANSWERS.get(word) or http(text_body(f"收到：{text}")))
    await writer.drain()
    return word not in {"!short", "!garbage", "!headers"}


@contextmanager
def fake_bot():
    """The bot on a free port, in a thread of its own."""
    bot, loop, is_up = FakeBot(), asyncio.new_event_loop(), threading.Event()

    async def main() -> None:
        server = await asyncio.start_server(lambda r, w: _serve(bot, r, w), "127.0.0.1", 0, limit=2**20)
        bot.port = server.sockets[0].getsockname()[1]
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
        yield bot
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(5)
