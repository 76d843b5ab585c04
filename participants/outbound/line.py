"""The bot's time in one turn, and the places that a turn waits for on our side, where the bot's clock is stopped."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar

from participants.failures import BotFailure, FailureKind
from participants.outbound.answer import Answer

# How long one turn may wait for us, all its waits together.
OWN_WAIT_LIMIT_S = 30.0

Post = Callable[["Line", str, bytes, Mapping[str, str]], AbstractAsyncContextManager[Answer]]


class Line:
    """What one turn has of the door: all its requests share one deadline, which is the bot's time alone.

    The clock runs from when the line is made and is stopped while the turn waits for something of ours (see
    docs/decisions/0010-the-bots-time.md). `is_looking_up` and `is_on_new_connection` are about the latest request:
    its name was not resolved (yet); it went out on a connection that was opened for it.
    """

    def __init__(self, deadline_s: float, post: Post) -> None:
        self.deadline_s = deadline_s
        self.is_looking_up = False
        self.is_on_new_connection = False
        self._post = post
        self._now = asyncio.get_running_loop().time
        self._began = self._now()
        self._waited_s = 0.0
        self._ended: float | None = None
        self._limit: asyncio.Timeout | None = None

    def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> AbstractAsyncContextManager[Answer]:
        """Posts `content` (JSON bytes) and gives the 200 answer, which is to be read within the block.

        Errors: `BotFailure` of every kind but `bad_json`, `bad_shape` and `empty`, which adapters find.
        """
        self._limit = self._ended = None
        self.is_looking_up = self.is_on_new_connection = False
        return self._post(self, url, content, headers)

    @property
    def spent_s(self) -> float:
        """The bot's time so far."""
        now = self._now() if self._ended is None else self._ended
        return now - self._began - self._waited_s

    def answered(self) -> None:
        """The bot has said everything: its time ends here, and its deadline cannot pass while we read on."""
        self._ended = self._now()
        self._move_limit(None)

    @property
    def left_s(self) -> float:
        return max(0.0, self.deadline_s - self.spent_s)

    def limit(self) -> asyncio.Timeout:
        """The deadline, around everything from a request's start to the end of its answer. Errors: `TimeoutError`."""
        self._limit = asyncio.timeout_at(self._ends_at())
        return self._limit

    async def wait_for_us(self, ours: Awaitable[object], what: str) -> None:
        """Waits while the clock is stopped. Errors: `BotFailure`, the platform's, when the turn has waited too long."""
        began = self._now()
        self._move_limit(None)
        try:
            async with asyncio.timeout(max(0.0, OWN_WAIT_LIMIT_S - self._waited_s)):
                await ours
        except TimeoutError as late:
            detail = f"Nothing was sent: no {what} was free within {OWN_WAIT_LIMIT_S:g} s."
            raise BotFailure(FailureKind.INTERRUPTED, detail, reached_bot=False) from late
        finally:
            self._waited_s += self._now() - began
            self._move_limit(self._ends_at())

    def _ends_at(self) -> float:
        return self._began + self._waited_s + self.deadline_s

    def _move_limit(self, at: float | None) -> None:
        if self._limit is not None and not self._limit.expired():
            self._limit.reschedule(at)


# The line whose request is being sent: aiohttp hands nothing of ours through to the look-up and the socket.
current_line: ContextVar[Line] = ContextVar("current_line")


class Places:
    """A number of places, given in the order in which lines came for them."""

    def __init__(self, n_places: int, what: str) -> None:
        self.n_waiting = 0
        self._free = asyncio.Semaphore(n_places)
        self._what = what

    async def take(self, line: Line) -> None:
        if not self._free.locked():
            await self._free.acquire()
            return
        self.n_waiting += 1
        try:
            await line.wait_for_us(self._free.acquire(), self._what)
        finally:
            self.n_waiting -= 1

    def give_back(self) -> None:
        self._free.release()
