"""Waiting for what happens by itself: the check is made again and again, and a limit ends a hang."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

EVERY_S = 0.05


def until(check: Callable[[], Any], limit_s: float = 60, pause: Callable[[float], Any] = time.sleep) -> Any:
    """What the check gives once it is something; a page pauses by its own loop, which else would hear nothing."""
    ends_at = time.monotonic() + limit_s
    while not (found := check()):
        assert time.monotonic() < ends_at, f"it did not happen within {limit_s} s"
        pause(EVERY_S)
    return found


async def soon(check: Callable[[], Any], limit_s: float = 60) -> Any:
    """The same beside a running event loop."""
    async with asyncio.timeout(limit_s):
        while not (found := check()):
            await asyncio.sleep(EVERY_S)
    return found
