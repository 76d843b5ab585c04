"""The errors that this process logged, by kind: how many, when, and where in the program; never what was said of them."""

import logging
import threading
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

from serving.monitoring.metrics import ERRORS
from serving.monitoring.request_times import route_of

KINDS_KEPT = 100
LIBRARIES = "site-packages"


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """`part` is the logger, `kind` the class of what was raised, `place` where ours was when it was: `file.py:12 function`."""

    part: str
    kind: str
    place: str


@dataclass(slots=True)
class Tally:
    n: int
    last_at: datetime


class ErrorTally(logging.Handler):
    """A handler of the root logger. What others say of an error may hold anything; the class and the place do not."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._tallies: dict[ErrorKind, Tally] = {}
        self._tallies_lock = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        kind = type(error).__name__ if error is not None else "logged"
        ERRORS.labels(kind, record.name).inc()
        self.note(ErrorKind(record.name, kind, (place_of(error) if error is not None else "") or told_by(record)))

    def note(self, kind: ErrorKind) -> None:
        with self._tallies_lock:
            # Taken out and put in again: the kinds that came last stand last, and the oldest is dropped.
            before = self._tallies.pop(kind, None)
            self._tallies[kind] = Tally((before.n if before else 0) + 1, datetime.now(UTC))
            if len(self._tallies) > KINDS_KEPT:
                del self._tallies[next(iter(self._tallies))]

    def latest(self) -> list[tuple[ErrorKind, Tally]]:
        """The kind that came last first."""
        with self._tallies_lock:
            return list(reversed(self._tallies.items()))


def told_by(record: logging.LogRecord) -> str:
    """Where the program told of it; of a request that Django answered with an error, its route."""
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest):
        return f"/{route_of(request)}"
    return f"{record.filename}:{record.lineno} {record.funcName}"


def place_of(error: BaseException) -> str:
    """The innermost line of our own program that the error passed; empty where it passed none."""
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if own := own_path(Path(frame.f_code.co_filename), Path(settings.BASE_DIR)):
            found = f"{own}:{line} {frame.f_code.co_name}"
    return found


def own_path(file: Path, base: Path) -> str:
    """The path within the program; empty for a library's file, wherever it is installed, beside the checkout included."""
    if not file.is_relative_to(base):
        return ""
    own = file.relative_to(base)
    return "" if LIBRARIES in own.parts else own.as_posix()


tally = ErrorTally()


def the_tally() -> ErrorTally:
    """For the settings of logging: the one of this process."""
    return tally
