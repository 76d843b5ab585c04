"""A Chainlit app before the bot that is measured: `python chainlit_chat.py PORT BOT`, with a Python that has Chainlit."""

import logging
import os
import sys
import tempfile

# Read when it is imported; it writes its settings there.
os.environ.setdefault("CHAINLIT_APP_ROOT", tempfile.mkdtemp(prefix="huace-bench-chainlit-"))
os.environ |= {"CHAINLIT_PORT": sys.argv[1], "CHAINLIT_HOST": "127.0.0.1"}

import chainlit
import httpx
from chainlit.cli import run_chainlit
from chainlit.config import config

BOT = sys.argv[2]
client = httpx.AsyncClient(limits=httpx.Limits(max_connections=None, max_keepalive_connections=None))


@chainlit.on_message
async def answer(message: chainlit.Message) -> None:
    response = await client.post(BOT, json={"text": message.content})
    await chainlit.Message(content=str(response.json()["text"])).send()


if __name__ == "__main__":
    config.run.headless = True
    # It logs at INFO, and a line a request would count as its cost.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    # It imports this file once more, as its app.
    run_chainlit(__file__)
