"""Gradio's ChatInterface before the bot that is measured: `python gradio_chat.py PORT BOT`, with a Python that has Gradio and httpx."""

import sys

import gradio
import httpx

PORT, BOT = int(sys.argv[1]), sys.argv[2]
client = httpx.AsyncClient(limits=httpx.Limits(max_connections=None, max_keepalive_connections=None))


async def answer(message: str, history: list[object]) -> str:
    response = await client.post(BOT, json={"text": message})
    return str(response.json()["text"])


# Its queue asks one at a time where nothing else is said.
chat = gradio.ChatInterface(answer, api_name="chat", concurrency_limit=None)
chat.queue(max_size=None, default_concurrency_limit=None).launch(server_name="127.0.0.1", server_port=PORT, quiet=True)
