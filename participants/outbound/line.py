"""The bot's time in one turn, which stands while the turn waits for something of ours, and while our loop stands still."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Any

from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind, Wire
from participants.outbound.answer import Answer
from participants.outbound.connections import Method
from participants.outbound.traffic import Traffic
from participants.outbound.web_socket import WebSocket
from reading.findings import Finding, sentence
from serving.monitoring.loop_watch import LOOK_EVERY_S, LoopWatch

# How long one turn may wait for us, all its waits together.
OWN_WAIT_LIMIT_S = 30.0
# Event loops round their timers to it: one that fires early by less would only be set again.
CLOCK_RESOLUTION_S = 0.001

NO_HEADERS: Mapping[str, str] = {}

# Whether the turn waits for something of ours.
OnWait = Callable[[bool], None]


def unheard(is_waiting: bool) -> None:
    """For who need not know."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request. With `is_any_status_an_answer` the asker reads the status, too; else all but a plain 200 is a failure."""

    method: Method
    url: str
    headers: Mapping[str, str]
    content: bytes = b""
    is_any_status_an_answer: bool = False


Ask = Callable[["Line", Question], AbstractAsyncContextManager[Answer]]
OpenSocket = Callable[["Line", str, Mapping[str, str]], AbstractAsyncContextManager[WebSocket]]


class Line:
    """What one turn has of the door: all its requests share one deadline, which is the bot's time alone.

    The clock runs from when the line is made and is stopped while the turn waits for something of ours, or `watch` sees the
    loop stand still (docs/decisions/0004-the-bots-time.md); `on_wait` hears of waits. `is_looking_up` and `is_on_new_connection` are about the latest request:
    its name was not resolved (yet); it went out on a connection that was opened for it.
    """

    def __init__(
        self, deadline_s: float, ask: Ask, open_socket: OpenSocket, watch: LoopWatch, on_wait: OnWait = unheard
    ) -> None:
        self.deadline_s = deadline_s
        self._on_wait = on_wait
        self.is_looking_up = False
        self.is_on_new_connection = False
        self._ask = ask
        self._open_socket = open_socket
        self._loop = asyncio.get_running_loop()
        self._watch = watch
        self._now = watch.time
        self._began = self._now()
        self._began_by_the_loop = self._loop.time()
        # What the latest request was on the wire, and its answer, if one began.
        self.traffic = Traffic(self._now)
        self._heard_before: float | None = None
        self.answer: Answer | None = None
        # What the adapter learnt in one try of the turn and needs in the next.
        self.noted: Any = None
        self._waited_s = 0.0
        self._ended: float | None = None
        self._limit: asyncio.Timeout | None = None
        self._timer: asyncio.TimerHandle | None = None

    def post(
        self, url: str, content: bytes, headers: Mapping[str, str], *, is_any_status_an_answer: bool = False
    ) -> AbstractAsyncContextManager[Answer]:
        """Posts `content` (JSON bytes) and gives the 200 answer, which is to be read within the block.

        Errors: `BotFailure` of every kind but `bad_json`, `bad_shape`, `empty` and `other_dialogue`, which adapters find.
        """
        return self._put(Question("POST", url, headers, content, is_any_status_an_answer))

    def get(
        self, url: str, headers: Mapping[str, str] = NO_HEADERS, *, is_any_status_an_answer: bool = False
    ) -> AbstractAsyncContextManager[Answer]:
        """Asks for what is at `url`; otherwise as `post`."""
        return self._put(Question("GET", url, headers, is_any_status_an_answer=is_any_status_an_answer))

    def options(
        self, url: str, headers: Mapping[str, str] = NO_HEADERS, *, is_any_status_an_answer: bool = False
    ) -> AbstractAsyncContextManager[Answer]:
        """Asks what may be done at `url`; otherwise as `post`."""
        return self._put(Question("OPTIONS", url, headers, is_any_status_an_answer=is_any_status_an_answer))

    def socket(self, url: str, headers: Mapping[str, str] = NO_HEADERS) -> AbstractAsyncContextManager[WebSocket]:
        """A WebSocket to `url` (http, https, ws or wss) within the same deadline. Errors: `BotFailure`."""
        self._begin()
        return self._open_socket(self, url, headers)

    def _put(self, question: Question) -> AbstractAsyncContextManager[Answer]:
        self._begin()
        return self._ask(self, question)

    def begin_traffic(self) -> Traffic:
        """What the request that goes out now is on the wire."""
        self._heard_before = self.traffic.heard_at or self._heard_before
        self.traffic = Traffic(self._now)
        return self.traffic

    @property
    def heard_ago_s(self) -> float | None:
        """Since when nothing more came from the bot, over all requests of the turn; None where nothing ever did."""
        heard_at = self.traffic.heard_at or self._heard_before
        return None if heard_at is None else monotonic() - heard_at

    def _begin(self) -> None:
        self._ended = None
        self.is_looking_up = self.is_on_new_connection = False
        self.answer = None

    @property
    def spent_s(self) -> float:
        """The bot's time so far."""
        now = self._now() if self._ended is None else self._ended
        return max(0.0, now - self._began - self._waited_s)

    @property
    def wire(self) -> Wire:
        return self.traffic.measured(self._waited_s)

    @property
    def left_s(self) -> float:
        return max(0.0, self.deadline_s - self.spent_s)

    @property
    def is_just_out_of_a_standstill(self) -> bool:
        """Whether our loop stood still within this turn until just now: what is found now may have happened in it."""
        ended_at = self._watch.last_standstill_ended_at()
        return ended_at > self._began_by_the_loop and self._loop.time() - ended_at < LOOK_EVERY_S

    def answered(self) -> None:
        """The bot has said everything: its time ends here, and its deadline cannot pass while we read on."""
        self._ended = self._now()
        self._stop_timer()

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """The deadline, around everything from a request's start to the end of its answer. Errors: `TimeoutError`."""
        # An adapter may ask for one thing while it reads another.
        outer = self._limit
        self._stop_timer()
        async with asyncio.timeout(None) as self._limit:
            self._look_at_clock()
            try:
                yield
            finally:
                self._stop_timer()
                self._limit = outer
                self._look_at_clock()

    def _look_at_clock(self) -> None:
        """Ends the request once no time is left; after a standstill there is some more, and what came meanwhile is read."""
        if self._limit is None or self._limit.expired():
            return
        if self.left_s < CLOCK_RESOLUTION_S:
            self._limit.reschedule(self._loop.time())
        else:
            self._timer = self._loop.call_later(self.left_s, self._look_at_clock)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def wait_for_us(self, ours: Awaitable[object], what: Finding) -> None:
        """Waits while the clock is stopped. Errors: `BotFailure`, the platform's, when the turn has waited too long."""
        began = self._now()
        self._stop_timer()
        self._on_wait(True)
        try:
            async with asyncio.timeout(max(0.0, OWN_WAIT_LIMIT_S - self._waited_s)):
                await ours
        except TimeoutError as late:
            detail = sentence(sentences.NOTHING_FREE, what=what, seconds=f"{OWN_WAIT_LIMIT_S:g}")
            raise BotFailure(FailureKind.INTERRUPTED, detail, reached_bot=False) from late
        finally:
            self._on_wait(False)
            self._waited_s += self._now() - began
            self._look_at_clock()


# The line whose request is being sent: aiohttp hands nothing of ours through to the look-up and the socket.
current_line: ContextVar[Line] = ContextVar("current_line")
