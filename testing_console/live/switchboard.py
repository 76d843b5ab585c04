"""Carries committed ledger lines to the sockets of this process; the database stays the truth.

It follows every commit of this process. Other processes look into the ledger themselves (other_processes.py).
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Protocol
from uuid import UUID

from dialogues.actions.ledger import Lines, Outcome
from testing_console.live.admission import SocketAdmission


class Listener(Protocol):
    admission: SocketAdmission

    def tell(self, lines: Lines) -> None: ...

    def tell_passing(self, frame: str) -> None: ...

    def expel(self) -> None: ...

    def hand_over(self) -> None: ...


class Switchboard:
    """The open sockets of this process by dialogue. Touched on the event loop only."""

    def __init__(self) -> None:
        self._listeners: dict[UUID, set[Listener]] = defaultdict(set)
        self.on_commit: Callable[[UUID, int], None] | None = None

    def join(self, dialogue_id: UUID, listener: Listener) -> None:
        """Lets the listener hear every line committed from now on.

        Join before reading the ledger: a line committed between reading and joining would reach nobody.
        """
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

    def follow(self, outcome: Any) -> None:
        """Tells the lines of a commit, and notes them for the other processes."""
        if not isinstance(outcome, Outcome):
            return
        for told in outcome.told:
            self.tell(told.dialogue_id, told.lines)
            if self.on_commit is not None:
                self.on_commit(told.dialogue_id, told.lines[-1][0])

    def tell(self, dialogue_id: UUID, lines: Lines) -> None:
        # A copy: a listener whose socket is gone leaves during the loop.
        for listener in tuple(self._listeners.get(dialogue_id, ())):
            listener.tell(lines)

    def tell_passing(self, dialogue_id: UUID, frame: str) -> None:
        for listener in tuple(self._listeners.get(dialogue_id, ())):
            listener.tell_passing(frame)
