"""SQLite where the threads of a process begin their write transactions one after the other, first come first served.

SQLite itself lets waiting writers poll; beside a busy writer (the group commit) a page's write was seen to poll in
vain until its timeout. Between processes SQLite's own lock stays in charge.
"""

import threading
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


_locks: dict[str, TurnLock] = {}


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
        self._has_turn = False

    def create_cursor(self, name: str | None = None) -> Cursor:
        return self.connection.cursor(factory=Cursor)

    def _turns(self) -> TurnLock:
        return _locks.setdefault(str(self.settings_dict["NAME"]), TurnLock())

    def _start_transaction_under_autocommit(self) -> None:
        timeout_s = float(self.settings_dict["OPTIONS"].get("timeout", 5))
        if not self._turns().acquire(timeout_s):
            raise OperationalError("database is locked: other writers of this process took too long")
        self._has_turn = True
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self._end_turn()
            raise

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self._turns().release()

    def _commit(self) -> None:
        super()._commit()
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()
        finally:
            self._end_turn()
