"""What the load says to other programs to chat in, and what it takes for their answer."""

import json

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from bench.load import PEERS


async def chainlit(request):
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    await socket.send_str('0{"sid":"x"}')
    assert json.loads((await socket.receive_str()).removeprefix("40"))["clientType"] == "webapp"
    await socket.send_str('40{"sid":"y"}')
    assert await socket.receive_str() == '42["connection_successful"]'
    await socket.send_str('42["task_end",{}]')
    for is_wrong in (False, True):
        _, said = json.loads((await socket.receive_str()).removeprefix("42"))
        await socket.send_str("2")
        assert await socket.receive_str() == "3"
        answer = json.dumps({"type": "assistant_message", "isError": is_wrong}, separators=(",", ":"))
        for frame in ('["task_start",{}]', json.dumps(["new_message", said["message"]]), f'["new_message",{answer}]'):
            await socket.send_str("42" + frame)
        await socket.send_str('42["task_end",{}]')
    await socket.receive()
    return socket


def gradio():
    events = iter(["complete", "error"])

    async def take(request):
        return web.json_response({"event_id": "e"})

    async def tell(request):
        return web.Response(text=f"event: {next(events)}\ndata: []\n\n")

    return [web.post("/gradio_api/call/chat", take), web.get("/gradio_api/call/chat/e", tell)]


@pytest.mark.parametrize(
    ("name", "routes"), [("chainlit", [web.get("/ws/socket.io/", chainlit)]), ("gradio", gradio())]
)
async def test_an_answer_of_a_peer_is_a_turn_and_an_error_is_none(name, routes):
    application = web.Application()
    application.add_routes(routes)
    async with TestServer(application) as server, ClientSession(base_url=server.make_url("/")) as http:
        say = await PEERS[name](http)
        assert await say() == ""
        assert "rror" in await say()
