"""A receiver of webhooks on a real socket: it keeps what it got, and answers with the next of the statuses that it is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

from standardwebhooks import Webhook


@dataclass
class Receiver:
    """`got` are the headers, with names in lower case, and bodies, in order. The last status stays. Held answers wait for `release`."""

    port: int = 0
    statuses: list[int] = field(default_factory=lambda: [204])
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    _released: Event = field(default_factory=Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def verified(self, key: str) -> list[dict]:
        """The messages, each with its signature checked by the library of the specification. Errors: `WebhookVerificationError`."""
        return [Webhook(key).verify(body, headers) for headers, body in self.got]

    def release(self) -> None:
        self._released.set()

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _body in self.got]


@contextmanager
def receiver(*statuses: int, holds_first: bool = False) -> Iterator[Receiver]:
    kept = Receiver(statuses=list(statuses) or [204])

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            if holds_first and len(kept.got) == 1:
                kept._released.wait(60)
            status = kept.statuses.pop(0) if len(kept.statuses) > 1 else kept.statuses[0]
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_words) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    kept.port = server.server_address[1]
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield kept
    finally:
        server.shutdown()
        server.server_close()
