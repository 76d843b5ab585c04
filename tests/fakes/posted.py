"""A bot on a real socket that answers each POST with what a function makes of it, on threads of its own."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class PostedBot:
    """What it was asked, in order: the path and the body."""

    port: int = 0
    asked: list[tuple[str, Any]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@contextmanager
def posted_bot(answer_to) -> Iterator[PostedBot]:
    """`answer_to(path, body)` gives an object that is sent as JSON; what it raises is a 500."""
    bot = PostedBot()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            bot.asked.append((self.path, body))
            try:
                status, answer = 200, answer_to(self.path, body)
            except Exception as error:
                status, answer = 500, {"error": repr(error)}
            content = json.dumps(answer, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_words) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    bot.port = server.server_address[1]
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield bot
    finally:
        server.shutdown()
        server.server_close()
