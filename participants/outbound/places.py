"""A number of places that turns wait for in the order in which they came: at a bot, among connections, among threads."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary, WeakMethod, WeakValueDictionary

from participants import failure_sentences as sentences
from participants.outbound.line import Line
from participants.outbound.shared_places import LockFile, SharedPlaces
from reading.findings import Finding, sentence
from serving.leases import Lease, call_on, leases

logger = logging.getLogger("huace.places")

# The wait is reported repeatedly: a socket that connects meanwhile has heard nothing yet.
TOLD_EVERY_S = 1.0
# A place that Redis grants comes within a round trip: who has it by then has not waited.
FIRST_WORD_S = 0.1
# How often those who wait look for a place that another process gave back.
LOOK_EVERY_S = 0.02
# What a waiting turn is told: its place in the row from 1, and 0 when it has got one.
Told = Callable[[int], None]


def untold(place: int) -> None:
    """For who need not know."""


@dataclass(slots=True, eq=False)
class _Waiting:
    got: "asyncio.Future[None]"
    to_tell: Told
    is_told: bool = False

    def tell(self, place: int) -> None:
        self.is_told = True
        self.to_tell(place)


class Places:
    """`shared` are the same places as all processes of this machine have them, and `leased` those of all machines.

    Without either they are this event loop's alone. A turn needs a place in each: while Redis is away, those of the machine hold.
    """

    def __init__(
        self, n_places: int, what: Finding, shared: SharedPlaces | None = None, leased: Lease | None = None
    ) -> None:
        self.n_places = n_places
        self._n_taken = 0
        self._what = what
        self._shared = shared
        self._lease = leased
        if leased is not None:
            leased.on_news = self._hear_of_grants()
        self._row: deque[_Waiting] = deque()
        self._telling: asyncio.TimerHandle | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._is_put_off = False

    @property
    def n_taken(self) -> int:
        return self._n_taken

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
        if self._lease is None:
            waiting.tell(len(self._row))
        else:
            asyncio.get_running_loop().call_later(FIRST_WORD_S, self._tell, waiting)
        try:
            await line.wait_for_us(waiting.got, self._what)
        except BaseException:
            # A place that was given at the moment at which the wait ended would be lost.
            if waiting.got.done() and not waiting.got.cancelled():
                self.give_back()
            # A place returned after the wait was cancelled has already skipped this waiter.
            elif waiting in self._row:
                self._row.remove(waiting)
                self._want()
            raise
        if waiting.is_told:
            tell(0)

    def give_back(self) -> None:
        self._n_taken -= 1
        if self._lease is not None:
            self._lease.give_back()
        if self._shared is not None:
            self._shared.release()
            # A local waiter would starve the other processes.
            if self._shared.do_others_wait():
                self._let_others_look()
                return
        self._give()

    def have(self, n_places: int) -> None:
        """Applies to new places; holders beyond the limit keep theirs."""
        self.n_places = n_places
        if self._shared is not None:
            self._shared.have(n_places)
        if self._lease is not None:
            self._lease.have(n_places)
        self._give()

    def _begin(self) -> bool:
        if self._n_taken >= self.n_places or not (self._lease is None or self._lease.take()):
            return False
        if self._shared is not None and not self._shared.claim():
            if self._lease is not None:
                self._lease.put_off()
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

    def _want(self) -> None:
        if self._lease is not None:
            self._lease.want(len(self._row))

    def _hear_of_grants(self) -> Callable[[], None]:
        """Called in the thread of the leases, which must not hold what nobody uses any more."""
        loop, hear = asyncio.get_running_loop(), WeakMethod(self._give)

        def hear_on_loop() -> None:
            if (give := hear()) is not None:
                give()

        return partial(call_on, loop, hear_on_loop)

    def _look_again_later(self, after_s: float = LOOK_EVERY_S) -> None:
        """Polls: other processes of this machine announce no returned place."""
        self._want()
        if self._shared is None:
            return
        self._shared.wait(is_waiting=bool(self._row))
        if self._row and self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(after_s, self._look_again)

    def _look_again(self) -> None:
        self._looking, self._is_put_off = None, False
        self._give()

    def _let_others_look(self) -> None:
        """Let other processes poll first; defer ours only once, or frequent returns would starve them."""
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

    def _tell(self, waiting: _Waiting) -> None:
        if waiting in self._row and not waiting.is_told:
            waiting.tell(self._row.index(waiting) + 1)

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
        over_all = leases()
        leased = None if over_all is None else Lease(over_all, f"places {bot}", n_places)
        return Places(n_places, sentence(sentences.PLACE_AT_BOT, n=n_places), shared, leased)


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


def levels_of_places() -> tuple[int, int]:
    """How many places at bots this event loop has taken, and how many calls wait for one."""
    rows = _rows.get(asyncio.get_running_loop())
    found = list(rows.of.values()) if rows is not None else []
    return sum(one.n_taken for one in found), sum(one.n_waiting for one in found)


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
