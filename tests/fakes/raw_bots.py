"""A bot on a real socket that answers with raw bytes, piece by piece: what a server writes, byte for byte."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

CLOSE = "close"  # ends the connection in good order
RESET = "reset"  # ends it with a reset


def is_json(body: bytes) -> bool:
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


@dataclass
class RawBot:
    """`answers[n]` is what the n-th request gets, the last one again from then on: bytes are written, numbers slept."""

    answers: tuple[list, ...]
    port: int = 0
    n_connections: int = 0
    asked: list[dict] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    serving: list[asyncio.Task] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.n_connections += 1
        self.serving.append(asyncio.current_task())
        try:
            while True:
                await self._hear(reader)
                for piece in self.answers[min(len(self.asked), len(self.answers)) - 1]:
                    if piece == CLOSE:
                        return
                    if piece == RESET:
                        writer.transport.abort()
                        return
                    await self._say(piece, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        _, _, length = head.lower().partition(b"content-length: ")
        self.heads.append(head.decode("latin-1"))
        self.paths.append(head.split(b" ")[1].decode())
        # A GET asks without a body.
        body = await reader.readexactly(int(length.split(b"\r\n")[0])) if length else b"{}"
        self.asked.append(json.loads(body) if is_json(body) else {})

    @staticmethod
    async def _say(piece: bytes | float, writer: asyncio.StreamWriter) -> None:
        if isinstance(piece, bytes):
            writer.write(piece)
            await writer.drain()
        else:
            await asyncio.sleep(piece)


def http(body: bytes, *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


@asynccontextmanager
async def raw_bot(*answers: bytes | list, port: int = 0) -> AsyncIterator[RawBot]:
    """The bot on `port`, by default a free one. An answer that is bytes alone is written at once, and the connection stays open."""
    bot = RawBot(tuple(answer if isinstance(answer, list) else [answer] for answer in answers))
    server = await asyncio.start_server(bot.serve, "127.0.0.1", port, limit=2**24)
    bot.port = server.sockets[0].getsockname()[1]
    try:
        yield bot
    finally:
        server.close()
        for task in bot.serving:
            task.cancel()
