"""Bots in a process of their own that misbehave in the ways that the last line of the standard input names, a JSON list: the n-th bot in the n-th of them, and so on in turn.

At the end of the input they write, as JSON, how often each turn was asked: its idempotency key and the number of requests.
"""

import argparse
import asyncio
import itertools
import json
import re
import sys
from collections import Counter

from tests.fakes.misbehaving import BOTS
from tests.fakes.raw_bots import RawBot

KEY = re.compile(r"^Idempotency-Key: (\S+)", re.IGNORECASE | re.MULTILINE)


class Bot(RawBot):
    """It forgets what was asked before with every change of its ways, but counts it."""

    def change(self, name: str, requests: "Counter[str]") -> None:
        requests.update(found[1] for head in self.heads if (found := KEY.search(head)))
        self.heads.clear()
        self.asked.clear()
        way = next((bot for bot in BOTS if str(bot) == name), None)
        answers = way.answers if way else ()
        self.answers = tuple(one if isinstance(one, list) else [one] for one in answers) or ([],)


async def main(ports: list[int]) -> None:
    bots = [Bot(([],)) for _ in ports]
    for bot, port in zip(bots, ports, strict=True):
        await asyncio.start_server(bot.serve, "127.0.0.1", port, limit=2**24)
    requests: Counter[str] = Counter()
    while name := await asyncio.to_thread(sys.stdin.readline):
        for bot, way in zip(bots, itertools.cycle(json.loads(name)), strict=False):
            bot.change(way, requests)
        print("changed", flush=True)
    for bot in bots:
        bot.change("", requests)
    print(json.dumps(requests), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ports", required=True)
    asyncio.run(main([int(port) for port in parser.parse_args().ports.split(",")]))
