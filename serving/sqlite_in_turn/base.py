"""SQLite where writers take turns, first come first served, over threads and processes.

SQLite itself lets waiting writers poll, up to 100 ms apart. Beside a busy writer (a group commit) a page's write, and
the group commit of a second server process, were seen to poll in vain until their timeout. So a transaction takes its
turn before it begins, and a statement that writes outside of any transaction takes one for itself. Over processes, since even
the smallest installation has two that write: the server and its worker.
"""

import fcntl
import logging
import os
import re
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from queue import SimpleQueue
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

logger = logging.getLogger("huace.sqlite_in_turn")


class TurnLock:
    """A lock that is handed from its holder to the longest waiter."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_held = False

    def acquire(self, timeout_s: float) -> bool:
        with self._mutex:
            if not self._is_held:
                self._is_held = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=timeout_s):
            return True
        with self._mutex:
            if turn not in self._waiting:
                return True  # handed over in the last moment
            self._waiting.remove(turn)
            return False

    def release(self) -> None:
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False


class FileLock:
    """A lock between processes, which the system releases when its holder dies.

    `flock` knows no timeout, and a process that polls never meets the short gap that a busy one leaves. So where the
    lock is taken, a thread of its own waits in the system's queue, and the writer waits for that thread.
    """

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # Guards the fields below. Only one thread may request the file lock: the system would grant it to both.
        self._changed = threading.Condition()
        self._orders: SimpleQueue[None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_coming = self._is_wanted = self._is_here = False

    def acquire(self, timeout_s: float) -> bool:
        with self._changed:
            if not self._is_coming:
                if self._lock_at_once():
                    return True
                self._send_for_it()
            self._is_wanted = True
            self._changed.wait_for(lambda: self._is_here, max(0.0, timeout_s))
            is_here, self._is_here, self._is_wanted = self._is_here, False, False
            return is_here

    def release(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def _lock_at_once(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _send_for_it(self) -> None:
        self._is_coming = True
        if self._thread is None:
            self._thread = threading.Thread(target=self._wait_in_line, name="sqlite-turns", daemon=True)
            self._thread.start()
        self._orders.put(None)

    def _wait_in_line(self) -> None:
        while True:
            self._orders.get()
            is_locked = self._lock_in_line()
            with self._changed:
                self._is_coming = False
                if not is_locked:
                    continue
                if self._is_wanted:
                    self._is_here = True
                    self._changed.notify()
                else:
                    # Its waiter gave up; holding it would block every other process.
                    self.release()

    def _lock_in_line(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX)
        except OSError:
            # The thread goes on, or no writer of this process would get a turn any more; this one waits in vain.
            logger.exception("The lock between processes could not be taken.")
            return False
        return True


class WriterTurns:
    """The turns of all writers to one database file: a queue in this process, a file lock between processes."""

    # After its turn a process leaves this gap, or it would take the lock again before a woken one gets to it.
    GAP_S = 0.0002

    def __init__(self, database: str) -> None:
        self._queue = TurnLock()
        self._between_processes = FileLock(f"{database}-turns")

    def take(self, timeout_s: float) -> bool:
        """True once it is the caller's turn; False if that took longer than `timeout_s` in all."""
        ends_at = time.monotonic() + timeout_s
        if not self._queue.acquire(timeout_s):
            return False
        if self._between_processes.acquire(ends_at - time.monotonic()):
            return True
        self._queue.release()
        return False

    def leave(self) -> None:
        self._between_processes.release()
        time.sleep(self.GAP_S)
        self._queue.release()


_turns: dict[str, WriterTurns] = {}
_turns_mutex = threading.Lock()


def turns_of(database: str) -> WriterTurns:
    with _turns_mutex:
        if database not in _turns:
            _turns[database] = WriterTurns(database)
        return _turns[database]


_READS = re.compile(
    r"\s*(SELECT|VALUES|PRAGMA|EXPLAIN|BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|ATTACH|DETACH)\b", re.I
)


@lru_cache(maxsize=2000)
def _with_question_marks(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class Cursor(base.SQLiteCursorWrapper):
    """Gives a writing statement its turn, and turns `%s` into `?` once per query instead of once per execution."""

    def __init__(self, connection: Any, wrapper: "DatabaseWrapper") -> None:
        super().__init__(connection)
        self._wrapper = wrapper
        self._returned: Iterator[Any] | None = None

    def execute(self, query: str, params: Any = None) -> "Cursor":
        self._returned = None
        if self._wrapper.has_turn or _READS.match(query):
            return super().execute(query, params)  # type: ignore[return-value]
        with self._wrapper.turn():
            super().execute(query, params)
            # A statement with RETURNING locks the database until its rows are read: that belongs to its turn.
            if self.description:
                self._returned = iter(super().fetchall())
        return self

    def executemany(self, query: str, param_list: Iterable[Any]) -> "Cursor":
        self._returned = None
        if self._wrapper.has_turn:
            return super().executemany(query, param_list)  # type: ignore[return-value]
        with self._wrapper.turn():
            return super().executemany(query, param_list)  # type: ignore[return-value]

    def fetchone(self) -> Any:
        return super().fetchone() if self._returned is None else next(self._returned, None)

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        return super().fetchmany(size or 1) if self._returned is None else list(islice(self._returned, size or 1))

    def fetchall(self) -> list[Any]:
        return super().fetchall() if self._returned is None else list(self._returned)

    def __next__(self) -> Any:
        return super().__next__() if self._returned is None else next(self._returned)

    def convert_query(self, query: str, *, param_names: list[str] | None = None) -> str:
        return (
            _with_question_marks(query)
            if param_names is None
            else super().convert_query(query, param_names=param_names)
        )


class DatabaseWrapper(base.DatabaseWrapper):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turns: WriterTurns | None = None
        self._is_hurried = False

    @property
    def has_turn(self) -> bool:
        return self._turns is not None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The turn of one statement outside of any transaction."""
        self._take_turn()
        try:
            yield
        finally:
            self._end_turn()

    def create_cursor(self, name: str | None = None) -> Cursor:
        return self.connection.cursor(factory=partial(Cursor, wrapper=self))

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._end_turn()
            raise

    def _take_turn(self) -> None:
        timeout_s = float(self.settings_dict["OPTIONS"].get("timeout", 5))
        ends_at = time.monotonic() + timeout_s
        turns = turns_of(str(self.settings_dict["NAME"]))
        if not turns.take(timeout_s):
            raise OperationalError("database is locked: other writers took too long")
        self._turns = turns
        left_s = ends_at - time.monotonic()
        # SQLite's own wait, for writers that take no turns, gets what is left of the one timeout.
        if left_s < 0.9 * timeout_s:
            self._is_hurried = True
            try:
                self._let_sqlite_wait(left_s)
            except BaseException:
                self._end_turn()
                raise

    def _let_sqlite_wait(self, limit_s: float) -> None:
        self.connection.execute(f"PRAGMA busy_timeout = {max(0, round(limit_s * 1000))}")

    def _end_turn(self) -> None:
        turns, self._turns = self._turns, None
        if turns is None:
            return
        turns.leave()
        if self._is_hurried and self.connection is not None:
            self._let_sqlite_wait(float(self.settings_dict["OPTIONS"].get("timeout", 5)))
        self._is_hurried = False

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._end_turn()
