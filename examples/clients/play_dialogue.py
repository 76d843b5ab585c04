"""A tester in 40 lines: opens a dialogue over the API, talks over its socket, hands in the scores.

    python play_dialogue.py http://127.0.0.1:8000 TOKEN CAMPAIGN

TOKEN is an API token of a tester of the campaign (your account, "API tokens"). Needs aiohttp; see docs/api.md.
"""

import asyncio
import sys

import aiohttp


async def play(base: str, token: str, campaign: str) -> None:
    async with aiohttp.ClientSession(base, headers={"Authorization": f"Token {token}"}, raise_for_status=True) as http:

        async def ask(method: str, path: str, body: object = None) -> dict:
            async with http.request(method, f"/api/v1/{path}", json=body) as answer:
                return await answer.json()

        if drawn := await ask("GET", f"assignments/?campaign={campaign}&state=to_do"):
            chosen = {"assignment": drawn[0]["id"]}
        elif (choices := await ask("GET", f"campaigns/{campaign}/choices/"))["bots"]:
            chosen = {"campaign": campaign, "bot": choices["bots"][0], "scenario": choices["scenarios"][0]}
        else:
            print("Nothing is left to do.")
            return
        dialogue = await ask("POST", "dialogues/", chosen)
        card = await ask("GET", f"dialogues/{dialogue['id']}/card/")
        async with http.ws_connect(f"{dialogue['socket']}?after=0") as socket:
            turns = iter([card["opening"]["zh"] or "你好", "好的", "谢谢"])
            await socket.send_json({"type": "turn.send", "key": "1", "text": next(turns)})
            async for message in socket:
                frame = message.json()
                if frame["type"] == "reply.done":
                    print(f"{frame['turn']}: {' '.join(frame['texts'])}")
                if frame["type"] in {"reply.done", "turn.failed"}:
                    text = next(turns, None)
                    said = {"type": "turn.send", "key": str(frame["turn"] + 1), "text": text}
                    await socket.send_json(said if text else {"type": "dialogue.end", "reason": "gave_up"})
                elif frame["type"] == "dialogue.closed":
                    break
        sheet = await ask("GET", f"dialogues/{dialogue['id']}/review/sheet/")
        ratings = {
            f"{one['key']}{place}": one["points"][0]["score"] for one in sheet["criteria"] for place in one["places"]
        }
        await ask("POST", f"dialogues/{dialogue['id']}/review/", {"ratings": ratings})


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:4]))
