"""SQLite where write transactions begin one after the other, first come first served, over threads and processes.

SQLite itself lets waiting writers poll, up to 100 ms apart. Beside a busy writer (a group commit) a page's write, and
the group commit of a second server process, were seen to poll in vain until their timeout.
"""

import fcntl
import os
import threading
import time
from collections import deque
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError


class TurnLock:
    """A lock that is handed from its holder to whoever has waited longest."""

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


class WriterTurns:
    """The turns of all writers to one database file: a queue in this process, a file lock between processes.

    The file lock is let go by the system when its process dies.
    """

    # After its turn a process leaves this gap, or it would take the lock again before a woken one gets to it.
    GAP_S = 0.0002

    def __init__(self, database: str) -> None:
        self._queue = TurnLock()
        self._file = os.open(f"{database}-turns", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def take(self, timeout_s: float) -> bool:
        if not self._queue.acquire(timeout_s):
            return False
        fcntl.flock(self._file, fcntl.LOCK_EX)
        return True

    def leave(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
        time.sleep(self.GAP_S)
        self._queue.release()


_turns: dict[str, WriterTurns] = {}
_turns_mutex = threading.Lock()


def turns_of(database: str) -> WriterTurns:
    with _turns_mutex:
        if database not in _turns:
            _turns[database] = WriterTurns(database)
        return _turns[database]


@lru_cache(maxsize=2000)
def _with_question_marks(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class Cursor(base.SQLiteCursorWrapper):
    """Turns `%s` into `?` once a query instead of once an execution."""

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

    def create_cursor(self, name: str | None = None) -> Cursor:
        return self.connection.cursor(factory=Cursor)

    def _start_transaction_under_autocommit(self) -> None:
        timeout_s = float(self.settings_dict["OPTIONS"].get("timeout", 5))
        turns = turns_of(str(self.settings_dict["NAME"]))
        if not turns.take(timeout_s):
            raise OperationalError("database is locked: other writers of this process took too long")
        self._turns = turns
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._end_turn()
            raise

    def _end_turn(self) -> None:
        turns, self._turns = self._turns, None
        if turns is not None:
            turns.leave()

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
