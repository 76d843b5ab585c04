"""The bare relay that Huace is measured against: WebSocket in, bot call, WebSocket out; nothing is stored or checked.

Raw ASGI under Daphne; httpx over a pool of constant cost (single-connection transports in a LIFO list).
"""

import argparse
import json
import socket

import httpx
from daphne.server import Server

BOT_URL = ""
FREE: list[httpx.AsyncHTTPTransport] = []
SSL_CONTEXT = httpx.create_ssl_context(trust_env=False)


async def ask(text: str) -> str:
    transport = (
        FREE.pop()
        if FREE
        else httpx.AsyncHTTPTransport(
            verify=SSL_CONTEXT, trust_env=False, limits=httpx.Limits(max_connections=1, max_keepalive_connections=1)
        )
    )
    request = httpx.Request("POST", BOT_URL, json={"text": text})
    response = await transport.handle_async_request(request)
    try:
        body = json.loads(await response.aread())
    finally:
        await response.aclose()
    FREE.append(transport)
    return body["text"]


async def application(scope, receive, send):
    """Speaks as much of the wire protocol as the load generator needs."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    state = {"type": "dialogue.state", "status": "open", "last_seq": 0}
    await send({"type": "websocket.send", "text": json.dumps(state)})
    turn = 0
    while (message := await receive())["type"] == "websocket.receive":
        frame = json.loads(message["text"])
        turn += 1
        accepted = {"type": "turn.accepted", "turn": turn, "key": frame["key"], "text": frame["text"]}
        await send({"type": "websocket.send", "text": json.dumps(accepted, ensure_ascii=False)})
        texts = [await ask(frame["text"])]
        done = {"type": "reply.done", "turn": turn, "texts": texts}
        await send({"type": "websocket.send", "text": json.dumps(done, ensure_ascii=False)})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--bot", required=True)
    arguments = parser.parse_args()
    BOT_URL = arguments.bot
    socket.setdefaulttimeout(None)
    endpoint = f"tcp:{arguments.port}:interface=127.0.0.1:backlog=1024"
    Server(application, endpoints=[endpoint], signal_handlers=True, verbosity=0, websocket_timeout=-1).run()
