"""Work on large texts from outside, done beside the event loop.

The second line of defence: such work is linear in the length of the text, and above `LARGE` it runs in a thread, so
that even a slow step costs other dialogues time slices instead of a standstill. Threads of their own, because those of
the database must never wait for a text.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from reading.strict_json import loads

LARGE = 64 * 1024

P = ParamSpec("P")
T = TypeVar("T")

_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="large-text")


async def apart(size: int, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of `work`, a plain function on a text of `size` characters or bytes."""
    if size <= LARGE:
        return work(*arguments, **named)
    return await asyncio.get_running_loop().run_in_executor(_threads, lambda: work(*arguments, **named))


async def loads_apart(content: bytes | str) -> Any:
    """Strict JSON, as `reading.strict_json.loads` reads it."""
    return await apart(len(content), loads, content)
