"""A server that answers each request with what a test makes of its method and path."""

from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def answering(answer):
    """Serves what `answer` gives for a method and path: status, headers and body. Yields its URL, and the requests so far as a list."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            asked.append(f"{self.command} {self.path}")
            status, headers, body = answer(self.command, self.path)
            self.send_response_only(status)
            for name, value in {**headers, "Content-Length": len(body)}.items():
                self.send_header(name, value)
            self.end_headers()
            # Who asked may have left.
            with suppress(ConnectionError):
                self.wfile.write(body)

        do_GET = do_OPTIONS = do_POST = do_HEAD = answer

        def log_message(self, *said):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/", asked
    finally:
        running.shutdown()
        running.server_close()
