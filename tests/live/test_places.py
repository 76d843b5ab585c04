"""A bot is asked as many turns at a time as it declares, whichever server processes its dialogues are in."""

import asyncio
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

import pytest

from tests.live.server import live

pytestmark = pytest.mark.server


class CountingBot(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Turn)
        self.lock, self.n_now, self.n_most = Lock(), 0, 0

    def enter(self, n):
        with self.lock:
            self.n_now += n
            self.n_most = max(self.n_most, self.n_now)


class _Turn(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.enter(1)
        time.sleep(0.2)
        self.server.enter(-1)
        body = json.dumps({"text": "ok"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *said):
        pass


@pytest.fixture
def bot():
    with CountingBot() as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


async def test_two_processes_ask_no_more_turns_at_a_time_than_the_bot_declares(tmp_path, bot):
    with live(tmp_path, f"http://127.0.0.1:{bot.server_port}/", processes=2) as server:
        server.database.execute("UPDATE campaigns_entry SET parallel = 2")

        async def one():
            async with server.socket(server.open_dialogue()) as tester:
                return [(await tester.exchange("你好"))["type"] for _ in range(2)]

        assert await asyncio.gather(*(one() for _ in range(8))) == [["reply.done"] * 2] * 8
        server.check_invariants()
    assert bot.n_most == 2
