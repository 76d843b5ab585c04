"""Carries committed ledger lines to the sockets of this process; the database stays the truth.

Actions call `announce` from any thread. Where no event loop listens (a management command), nothing happens: whoever
connects later reads the ledger. Other processes look into the ledger themselves (other_processes.py).
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol
from uuid import UUID

from serving.loop_post import LoopPost
from testing_console.live.admission import SocketAdmission

Told = Sequence[tuple[int, str]]


class Listener(Protocol):
    admission: SocketAdmission

    def tell(self, told: Told) -> None: ...

    def tell_passing(self, frame: str) -> None: ...

    def expel(self) -> None: ...


class Switchboard:
    """The open sockets of this process by dialogue. Touched on the event loop only, but for `announce`."""

    def __init__(self, post: LoopPost) -> None:
        self._post = post
        self._listeners: dict[UUID, set[Listener]] = defaultdict(set)
        self.on_announce: Callable[[UUID, int], None] | None = None

    def join(self, dialogue_id: UUID, listener: Listener) -> None:
        self._listeners[dialogue_id].add(listener)

    def leave(self, dialogue_id: UUID, listener: Listener) -> None:
        listeners = self._listeners.get(dialogue_id)
        if listeners is not None:
            listeners.discard(listener)
            if not listeners:
                del self._listeners[dialogue_id]

    def has_listeners(self, dialogue_id: UUID) -> bool:
        return dialogue_id in self._listeners

    def dialogues(self) -> list[UUID]:
        return list(self._listeners)

    def listeners(self) -> list[tuple[UUID, Listener]]:
        return [(dialogue_id, listener) for dialogue_id, some in self._listeners.items() for listener in some]

    def tell(self, dialogue_id: UUID, told: Told) -> None:
        for listener in tuple(self._listeners.get(dialogue_id, ())):
            listener.tell(told)

    def tell_passing(self, dialogue_id: UUID, frame: str) -> None:
        for listener in tuple(self._listeners.get(dialogue_id, ())):
            listener.tell_passing(frame)

    def announce(self, dialogue_id: UUID, told: Told) -> None:
        self._post.post(lambda: self._announced(dialogue_id, told))

    def _announced(self, dialogue_id: UUID, told: Told) -> None:
        self.tell(dialogue_id, told)
        if self.on_announce is not None and told:
            self.on_announce(dialogue_id, told[-1][0])


_current: Switchboard | None = None


def connect(switchboard: Switchboard | None) -> None:
    """Makes `switchboard` the one that this process announces on."""
    global _current
    _current = switchboard


def announce(dialogue_id: UUID, told: Told) -> None:
    if _current is not None:
        _current.announce(dialogue_id, told)
