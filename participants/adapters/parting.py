"""Tells a bot once that a dialogue is over, as one of the turns that it declared to take at a time."""

import asyncio

from participants.adapters.calls import Farewell
from participants.adapters.contract import Close
from participants.outbound import Door


async def say_goodbye(farewell: Farewell, door: Door, close: Close, limit_s: float) -> None:
    """Errors: `BotFailure`, and `TimeoutError` where it is not through with that within `limit_s` seconds of anybody's time."""
    line = door.line(limit_s)
    places = door.places_at(farewell.bot.key or farewell.bot.url, farewell.bot.parallel)
    # Around it all: what the line waits for on our side is not in its deadline.
    async with asyncio.timeout(limit_s):
        await places.take(line)
        try:
            await close(farewell, line)
        finally:
            places.give_back()
