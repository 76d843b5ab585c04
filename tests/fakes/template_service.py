"""An independent service in the official protocol of SMP2018-ECDT Task 1, as a team would write it in a few lines.

It shares no code with the platform. `labels` maps a sentence to its label; what is asked is kept. Misbehaviour is
scripted: `before(number of the call)` may sleep, raise, or give the raw results instead.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiohttp import web


@dataclass
class Service:
    labels: dict[str, str]
    before: Callable[[int, list], object] | None = None
    port: int = 0
    asked: list[list[dict]] = field(default_factory=list)
    # Whoever does not send it as a bearer token is refused, and the refusal repeats what was sent.
    secret: str = ""
    said: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/smp2018_ecdt"

    async def answer(self, request: web.Request) -> web.Response:
        self.said.append(request.headers.get("Authorization", ""))
        if self.secret and self.said[-1] != f"Bearer {self.secret}":
            return web.Response(status=401, text=f"not {self.said[-1]}")
        sentences = (await request.json())["sentencesList"]
        self.asked.append(sentences)
        if self.before is not None:
            scripted = self.before(len(self.asked), sentences)
            if asyncio.iscoroutine(scripted):
                scripted = await scripted
            if isinstance(scripted, web.Response):
                return scripted
            if scripted is not None:
                return web.json_response({"resultsList": scripted})
        results = [{"id": row["id"], "result": self.labels.get(row["content"], "chat")} for row in sentences]
        return web.json_response({"resultsList": results})


@contextmanager
def template_service(labels: dict[str, str], before=None, secret=""):
    service = Service(labels, before, secret=secret)
    loop = asyncio.new_event_loop()
    app = web.Application()
    app.router.add_post("/smp2018_ecdt", service.answer)
    runner = web.AppRunner(app)

    async def start() -> None:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        service.port = site._server.sockets[0].getsockname()[1]

    loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(5)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()
