"""Requests and answers that never fill the memory.

A body that is longer than any page takes is refused while it comes, before anything of it is kept. An answer in pieces is
written as fast as its client takes it. While the server drains no connection is kept, and none becomes a socket.
"""

import asyncio
import re
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from django.utils.module_loading import import_string

TOO_LARGE = 413
# A client of any speed has read the refusal by then.
DROPPED_FOR_S = 5.0
DROPPED_BYTES = 128 << 20
REFUSAL = (
    b"HTTP/1.1 413 Content Too Large\r\nContent-Type: %s; charset=utf-8\r\nConnection: close\r\n"
    b"X-Content-Type-Options: nosniff\r\nContent-Length: %d\r\n\r\n%s"
)


def body_limit(path: str) -> int:
    """The most bytes that a body of a request for this path may have."""
    limits = settings.SERVING_BODY_LIMITS.items()
    return next((limit for pattern, limit in limits if re.fullmatch(pattern, path)), settings.BODY_LIMIT_BYTES)


def refusal(accepts: str, limit: int) -> bytes:
    """The whole answer: a page for who takes pages, a sentence for programs."""
    if "text/html" in accepts:
        kind, body = b"text/html", import_string(settings.SERVING_PAGES)(TOO_LARGE).encode()
    else:
        kind, body = b"text/plain", b"The body is longer than %d MiB." % (limit // 1024 // 1024)
    return REFUSAL % (kind, len(body), body)


class BoundedRequest(WebRequest):
    """A request of Daphne's that counts its body. A declared length is refused at once, a chunked body at the limit.

    It is the producer of its answer as well: Twisted pauses it while the client is behind.
    """

    n_received = 0
    is_refused = False
    limit = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Twisted would read and parse the whole body on the event loop for no reader.
        super().__init__(*args, **{**kwargs, "parsePOSTFormSubmission": False})
        self._may_write = asyncio.Event()
        self._may_write.set()

    def handle_reply(self, message: dict[str, Any]) -> None:
        is_body = message["type"] == "http.response.body" and self.channel is not None and not self.finished
        if is_body and message.get("more_body") and self.producer is None:
            self.registerProducer(self, True)
        elif is_body and not message.get("more_body") and self.producer is not None:
            # Before the answer is finished, or Twisted complains of a producer that is still there.
            self.unregisterProducer()
        super().handle_reply(message)

    async def until_taken(self) -> None:
        """Returns when the client has taken most of what was written, or is gone."""
        await self._may_write.wait()

    def pauseProducing(self) -> None:
        self._may_write.clear()

    def resumeProducing(self) -> None:
        self._may_write.set()

    def stopProducing(self) -> None:
        self._may_write.set()

    def connectionLost(self, reason: Any) -> None:
        self._may_write.set()
        super().connectionLost(reason)

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        # Twisted tells the request its path only after the body; its connection has read it with the first line.
        path, _, _query = getattr(self.channel, "_path", b"").partition(b"?")
        self.limit = body_limit(path.decode("latin-1")) if self._names_somebody() else settings.BODY_LIMIT_BYTES
        if length is not None and length > self.limit:
            self._refuse()

    def _names_somebody(self) -> bool:
        """Whether it comes with a login or a token; whose, and whether they hold, is looked at when the body is there."""
        return self.getCookie(settings.SESSION_COOKIE_NAME.encode()) is not None or bool(
            self.getHeader("authorization")
        )

    def handleContentChunk(self, data: bytes) -> None:
        self.n_received += len(data)
        if self.is_refused and self.n_received > self.limit + DROPPED_BYTES:
            self.channel.loseConnection()
        if self.n_received > self.limit and not self.is_refused:
            self._refuse()
        if not self.is_refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        if self.is_refused:
            self.channel.loseConnection()
            return
        if self.server.is_draining:
            # A proxy goes on over the connections that it keeps, and knows no other sign that it is to go elsewhere.
            self.channel.persistent = False
            self.setHeader("connection", "close")
            if self.requestHeaders.hasHeader("upgrade"):
                # Ended without an answer: a proxy asks anew over a connection of its own.
                self.channel.loseConnection()
                return
        super().requestReceived(command, path, version)

    def _refuse(self) -> None:
        """The answer goes out at once; what still comes of the body is dropped for a while.

        A connection that is closed while a proxy writes to it is reset, and the proxy tells of a bad gateway instead.
        """
        self.is_refused = True
        self.channel.transport.write(refusal(self.getHeader("accept") or "", self.limit))
        self.channel.transport.loseWriteConnection()
        asyncio.get_running_loop().call_later(DROPPED_FOR_S, self.channel.loseConnection)


class BoundedHTTPFactory(HTTPFactory):
    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = BoundedRequest
        return protocol
