#!/usr/bin/env python3
"""A bot behind a firewall: it connects to Huace and answers the turns that come. Needs the package websockets.

HUACE_BOT_KEY=huace-bot-… python dial_out.py wss://huace.example.org/ws/bots/
"""

import asyncio
import json
import os
import sys

import websockets

REPLIED = {}  # by the id of the turn: what is handed over again is not done again
KEPT_S = 600  # longer than any turn takes, and the 10 s in which a lost connection may come back


async def reply_to(turn):
    """Yours: the reply to `turn["text"]`; `history` has what was said before, `context` what the scenario tells the bot."""
    return f"您说的是：{turn['text']}" if turn["text"] else "您好，我能帮您什么？"


def close(dialogue):
    """Yours: the dialogue with this id is over; drop what you remember of it."""


async def answer(socket, turn):
    if turn["id"] not in REPLIED:
        REPLIED[turn["id"]] = asyncio.create_task(reply_to(turn))
        asyncio.get_running_loop().call_later(KEPT_S, REPLIED.pop, turn["id"])
    try:
        said = {"type": "reply", "text": await asyncio.shield(REPLIED[turn["id"]])}
    except Exception as failed:
        said = {"type": "error", "message": repr(failed)}
    await socket.send(json.dumps(said | {"id": turn["id"]}))


async def main(url, key):
    working = set()
    while True:
        try:
            async with websockets.connect(url, additional_headers={"Authorization": f"Bearer {key}"}) as socket:
                async for frame in (json.loads(text) async for text in socket):
                    if frame["type"] == "turn":
                        working.add(task := asyncio.create_task(answer(socket, frame)))
                        task.add_done_callback(working.discard)
                    elif frame["type"] == "close":
                        close(frame["dialogue"])
                    else:
                        print(frame["type"], frame.get("message", ""), flush=True)
        except (OSError, websockets.WebSocketException) as away:
            print(away, flush=True)
            if getattr(getattr(away, "rcvd", None), "code", 0) in (4401, 4409):
                raise SystemExit("The key has ended, or another program connected with it.") from away
        await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], os.environ["HUACE_BOT_KEY"]))
