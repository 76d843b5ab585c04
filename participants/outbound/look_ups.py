"""Name look-ups through the guard: a few per name at once, and none waits for a thread unseen."""

import asyncio
import socket
from weakref import WeakValueDictionary

from aiohttp.abc import AbstractResolver, ResolveResult

from participants.outbound.address_guard import AddressGuard
from participants.outbound.line import Places, current_line

# As many as the guard has threads, so that what would wait for one of them waits here, where the bot's clock is stopped.
LOOK_UPS_AT_ONCE = 8
# A name that resolves slowly leaves threads to the others.
LOOK_UPS_PER_NAME = 2


class LookUps(AbstractResolver):
    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        self._threads = Places(LOOK_UPS_AT_ONCE, "thread for the look-up of the bot's name")
        self._of_name: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The checked addresses. To wait behind look-ups of the same name is the bot's time, for a thread ours."""
        line = current_line.get()
        line.is_looking_up = True
        of_name = self._of_name.setdefault(host, asyncio.Semaphore(LOOK_UPS_PER_NAME))
        await of_name.acquire()
        try:
            await self._threads.take(line)
        except BaseException:
            of_name.release()
            raise

        def ended(look_up: "asyncio.Task[list[ResolveResult]]") -> None:
            self._threads.give_back()
            of_name.release()
            # Looked at here, or asyncio complains of an error that nobody waited for any more.
            _ = look_up.cancelled() or look_up.exception()

        # A thread stays busy when its caller gives up: only the end of the look-up gives the places back.
        look_up = asyncio.create_task(self._guard.resolve(host, port, family))
        look_up.add_done_callback(ended)
        addresses = await asyncio.shield(look_up)
        line.is_looking_up = False
        return addresses

    async def close(self) -> None:
        """Nothing of its own to close; the guard is the door's."""
