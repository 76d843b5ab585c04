"""Name look-ups through the guard: one per name at a time, kept for seconds, and no name waits for another's."""

import asyncio
import socket

from aiohttp.abc import AbstractResolver, ResolveResult

from participants import failure_sentences as sentences
from participants.outbound.address_guard import LOOK_UPS_AT_ONCE, AddressGuard
from participants.outbound.line import current_line
from participants.outbound.places import Places
from reading.findings import sentence

# How long found addresses serve: a bot that is asked by hundreds at once is looked up once.
KEPT_S = 5.0

# The last is the generation of what staff allow: a revoked name is looked up again.
Name = tuple[str, int, socket.AddressFamily, int]
LookUp = asyncio.Task[list[ResolveResult]]


class LookUps(AbstractResolver):
    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        self._threads = Places(LOOK_UPS_AT_ONCE, sentence(sentences.LOOK_UP))
        self._running: dict[Name, LookUp] = {}
        self._found: dict[Name, tuple[float, list[ResolveResult]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The checked addresses; whatever they are, the guard checks each again when its socket is made.

        To wait for the look-up of the own name is the bot's time, to wait for a thread ours.
        """
        line = current_line.get()
        line.is_looking_up = True
        name = (host.lower(), port, family, self._guard.generation)
        addresses = self._known(name)
        if addresses is None:
            if name not in self._running:
                await self._threads.take(line)
                self._begin(name)
            # A thread stays busy when its caller gives up; the next one waits for the same look-up.
            addresses = await asyncio.shield(self._running[name])
        line.is_looking_up = False
        return addresses

    def _known(self, name: Name) -> list[ResolveResult] | None:
        until, addresses = self._found.get(name, (0.0, None))
        return addresses if asyncio.get_running_loop().time() < until else None

    def _begin(self, name: Name) -> None:
        """Has the thread that was taken look the name up; another caller may have begun meanwhile."""
        if name in self._running:
            self._threads.give_back()
            return
        look_up = asyncio.create_task(self._guard.resolve(*name[:3]))
        self._running[name] = look_up

        def ended(look_up: LookUp) -> None:
            self._threads.give_back()
            del self._running[name]
            # Its error is looked at here, or asyncio complains of one that nobody waited for any more.
            if not look_up.cancelled() and look_up.exception() is None:
                now = asyncio.get_running_loop().time()
                self._found = {one: found for one, found in self._found.items() if now < found[0]}
                self._found[name] = now + KEPT_S, look_up.result()

        look_up.add_done_callback(ended)

    async def close(self) -> None:
        """Nothing of its own to close; the guard is the door's."""
