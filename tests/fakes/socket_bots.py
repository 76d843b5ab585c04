"""Bots that serve WebSockets, by aiohttp: another implementation than the platform's."""

from contextlib import asynccontextmanager

from aiohttp import web

from participants.outbound import Door


@asynccontextmanager
async def socket_bot(serve):
    """A bot whose sockets are served by `serve(socket, request)`, and a door that may go to it."""

    async def opened(request):
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await serve(socket, request)
        return socket

    app = web.Application()
    app.router.add_get("/live", opened)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    door = Door(frozenset({("127.0.0.1", port)}))
    try:
        yield door, f"127.0.0.1:{port}"
    finally:
        await door.close()
        await runner.cleanup()
