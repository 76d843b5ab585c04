"""A number of places that turns wait for in the order in which they came: at a bot, among connections, among threads."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary, WeakValueDictionary

from participants import failure_sentences as sentences
from participants.outbound.line import Line
from participants.outbound.shared_places import LockFile, SharedPlaces
from reading.findings import Finding, sentence

logger = logging.getLogger("huace.places")

# Who waits is told again and again: whoever connects meanwhile has heard nothing yet.
TOLD_EVERY_S = 1.0
# How often those who wait look for a place that another process gave back.
LOOK_EVERY_S = 0.02
# What a waiting turn is told: its place in the row from 1, and 0 when it has got one.
Told = Callable[[int], None]


def untold(place: int) -> None:
    """For who need not know."""


@dataclass(slots=True, eq=False)
class _Waiting:
    got: "asyncio.Future[None]"
    tell: Told


class Places:
    """`shared` are the same places as all processes have them; without it they are this event loop's alone."""

    def __init__(self, n_places: int, what: Finding, shared: SharedPlaces | None = None) -> None:
        self.n_places = n_places
        self._n_taken = 0
        self._what = what
        self._shared = shared
        self._row: deque[_Waiting] = deque()
        self._telling: asyncio.TimerHandle | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._is_put_off = False

    @property
    def n_waiting(self) -> int:
        return len(self._row)

    async def take(self, line: Line, tell: Told = untold) -> None:
        """A place, which the caller gives back. Errors: `BotFailure` of the platform's where none was free for too long."""
        if not self._row and self._begin():
            return
        waiting = _Waiting(asyncio.get_running_loop().create_future(), tell)
        self._row.append(waiting)
        self._tell_row_later()
        self._look_again_later()
        tell(len(self._row))
        try:
            await line.wait_for_us(waiting.got, self._what)
        except BaseException:
            # A place that was given at the moment at which the wait ended would be lost.
            if waiting.got.done() and not waiting.got.cancelled():
                self.give_back()
            # Whoever gave a place back after the wait was cancelled has passed over it already.
            elif waiting in self._row:
                self._row.remove(waiting)
            raise
        tell(0)

    def give_back(self) -> None:
        self._n_taken -= 1
        if self._shared is not None:
            self._shared.release()
            # Handed on in here, it would never reach them.
            if self._shared.do_others_wait():
                self._let_others_look()
                return
        self._give()

    def have(self, n_places: int) -> None:
        """From now on so many; who has one of more keeps it."""
        self.n_places = n_places
        if self._shared is not None:
            self._shared.have(n_places)
        self._give()

    def _begin(self) -> bool:
        if self._n_taken >= self.n_places or not (self._shared is None or self._shared.claim()):
            return False
        self._n_taken += 1
        return True

    def _give(self) -> None:
        while self._row:
            if not self._row[0].got.done():
                if not self._begin():
                    break
                self._row[0].got.set_result(None)
            self._row.popleft()
        self._look_again_later()

    def _look_again_later(self, after_s: float = LOOK_EVERY_S) -> None:
        """Nobody tells of a place that another process gives back."""
        if self._shared is None:
            return
        self._shared.wait(is_waiting=bool(self._row))
        if self._row and self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(after_s, self._look_again)

    def _look_again(self) -> None:
        self._looking, self._is_put_off = None, False
        self._give()

    def _let_others_look(self) -> None:
        """All of them look before ours do again; put off once, or with places that keep coming back it would never come."""
        if self._is_put_off:
            return
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        self._look_again_later(2 * LOOK_EVERY_S)
        self._is_put_off = self._looking is not None

    def _tell_row_later(self) -> None:
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TOLD_EVERY_S, self._tell_row)

    def _tell_row(self) -> None:
        self._telling = None
        for place, waiting in enumerate(self._row, start=1):
            waiting.tell(place)
        if self._row:
            self._tell_row_later()


class _Rows:
    """The places of one event loop, by bot. Bots are forgotten when their last call has ended."""

    def __init__(self) -> None:
        self.of: WeakValueDictionary[str, Places] = WeakValueDictionary()
        self._file = _opened()

    def begun(self, bot: str, n_places: int) -> Places:
        shared = None if self._file is None else self._file.places_of(bot, n_places)
        return Places(n_places, sentence(sentences.PLACE_AT_BOT, n=n_places), shared)


# How an event loop opens the file of all processes; none where each process gives places of its own.
lock_file: Callable[[], LockFile] | None = None
# Of each event loop, not of each door: turns, checks and fingerprints of a process have doors of their own, and a bot that
# declares one turn at a time means all of them.
_rows: WeakKeyDictionary[asyncio.AbstractEventLoop, _Rows] = WeakKeyDictionary()


def _opened() -> LockFile | None:
    try:
        return lock_file() if lock_file is not None else None
    except OSError as closed:
        logger.warning("This event loop gives places of its own at bots: %s", closed)
        return None


def places_at(bot: str, n_places: int) -> Places:
    """The places of all calls with a bot, of which this event loop takes some; `n_places` is what it declares now."""
    loop = asyncio.get_running_loop()
    rows = _rows.get(loop)
    if rows is None:
        rows = _rows[loop] = _Rows()
    places = rows.of.get(bot)
    if places is None:
        places = rows.of[bot] = rows.begun(bot, n_places)
    elif places.n_places != n_places:
        places.have(n_places)
    return places


def share_places(path: str, name: str) -> None:
    """From now on the processes that name the same file and installation share the places at each bot."""
    global lock_file
    try:
        with LockFile(path, name) as file:
            file.prove()
    except OSError as closed:
        logger.warning("Each process gives places of its own at bots: %s cannot be locked: %s", path, closed.strerror)
    else:
        lock_file = partial(LockFile, path, name)
