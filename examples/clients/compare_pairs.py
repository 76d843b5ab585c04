"""A judge of pairs in 50 lines: puts each message to two systems, reads both answers, and says which one is better.

    python compare_pairs.py http://127.0.0.1:8000 TOKEN CAMPAIGN

TOKEN is an API token of a tester of a campaign that compares live pairs. It prefers an answer that names nothing forbidden, then the
shorter one: a stand-in for a person, to try a contest out. Needs aiohttp; see docs/api.md.
"""

import asyncio
import sys

import aiohttp

SAID_SECOND = "What can I take instead of onions?"


async def talk(http: aiohttp.ClientSession, dialogue: str, lines: list[str]) -> str:
    """What one system says to these lines, one after the other; then the dialogue is ended as done."""
    heard: list[str] = []
    waiting = iter(lines)
    async with http.ws_connect(f"/ws/dialogues/{dialogue}/?after=0") as socket:
        await socket.send_json({"type": "turn.send", "key": "1", "text": next(waiting)})
        async for message in socket:
            frame = message.json()
            if frame["type"] == "reply.done":
                heard += frame["texts"]
            if frame["type"] in {"reply.done", "turn.failed"}:
                text = next(waiting, None)
                said = {"type": "turn.send", "key": str(frame["turn"] + 1), "text": text}
                await socket.send_json(said if text else {"type": "dialogue.end", "reason": "done"})
            elif frame["type"] == "dialogue.closed":
                break
    return " ".join(heard)


def better(left: str, right: str, forbidden: str) -> str:
    faults = [forbidden in text.lower() for text in (left, right)] if forbidden else [False, False]
    if faults == [True, True]:
        return "both_bad"
    if faults[0] != faults[1]:
        return "right" if faults[0] else "left"
    return "tie" if len(left) == len(right) else "left" if len(left) < len(right) else "right"


async def compare_all(base: str, token: str, campaign: str) -> None:
    async with aiohttp.ClientSession(base, headers={"Authorization": f"Token {token}"}, raise_for_status=True) as http:
        while True:
            async with http.post(f"/api/v1/campaigns/{campaign}/pairs/") as opened:
                if opened.status == 204:
                    return
                pair = f"/api/v1/pairs/{(await opened.json())['id']}/"
            async with http.get(pair) as shown:
                found = await shown.json()
            lines = [found["scenario"]["opening"], SAID_SECOND]
            sides = [talk(http, found[side]["dialogue"], lines) for side in ("left", "right")]
            left, right = await asyncio.gather(*sides)
            forbidden = str(found["scenario"]["facts"].get("kitchen", {}).get("must not have", ""))
            verdict = better(left, right, forbidden)
            async with http.post(f"{pair}vote/", json={"verdict": verdict}):
                print(f"{found['scenario']['key']}: {verdict}")


if __name__ == "__main__":
    asyncio.run(compare_all(*sys.argv[1:4]))
