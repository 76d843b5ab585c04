"""Requests whose body is longer than any page takes are refused while they come, before anything of them is kept."""

from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings

REFUSAL = (
    b"HTTP/1.1 413 Content Too Large\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s"
)


class BoundedRequest(WebRequest):
    """A request of Daphne's that counts its body. A declared length is refused at once, a chunked body at the limit."""

    n_received = 0
    is_refused = False

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        if length is not None and length > settings.BODY_LIMIT_BYTES:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:
        self.n_received += len(data)
        if self.n_received > settings.BODY_LIMIT_BYTES and not self.is_refused:
            self._refuse()
        if not self.is_refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        if not self.is_refused:
            super().requestReceived(command, path, version)

    def _refuse(self) -> None:
        self.is_refused = True
        message = b"The body is longer than %d MiB." % (settings.UPLOAD_LIMIT_BYTES // 1024 // 1024)
        self.channel.transport.write(REFUSAL % (len(message), message))
        self.channel.loseConnection()


class BoundedHTTPFactory(HTTPFactory):
    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = BoundedRequest
        return protocol
