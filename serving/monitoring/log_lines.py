"""Lines of the log as JSON, for programs that collect them: one a line, with ids, and nothing that anybody wrote.

What a library says of an error may quote a row, an address or a key. So of an error its class and its places in the program
are told, and of what a line is about only what is safe by its kind: figures, ids, and words that the program chose.
"""

import json
import logging
import re
import sys
import threading
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from serving.monitoring.request_times import request_id, route_of

FRAMES_KEPT = 12
EVENT_LIMIT = 80
logger = logging.getLogger("huace.uncaught")


class RoutesForAddresses(logging.Filter):
    """Django names the address of what it could not answer, which may open an account: the line gets its route instead."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            route = f"/{route_of(request)}"
            record.args = tuple(route if value == request.path else value for value in record.args)
        return True


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "part": record.name,
            "event": event_of(record),
            "process": record.process,
        }
        if own_id := request_id.get():
            line["request"] = own_id
        line |= getattr(record, "fields", {})
        if isinstance(request := getattr(record, "request", None), HttpRequest):
            line["route"] = route_of(request)
        if record.args:
            named = record.args if isinstance(record.args, dict) else dict(enumerate(record.args))
            line["about"] = [safe(value) for value in named.values()]
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = told(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


def event_of(record: logging.LogRecord) -> str:
    """What happened, without its values: our own lines keep them apart, libraries may have put them in."""
    template = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
    if record.name.startswith("huace.") or record.args:
        return template
    return re.split(r"[:\n]", template, maxsplit=1)[0][:EVENT_LIMIT]


def safe(value: object) -> Any:
    """Figures and ids as they are; of everything else its type."""
    if value is None or isinstance(value, bool | int | float):
        return value
    return str(value) if isinstance(value, UUID) else type(value).__name__


def told(error: BaseException) -> dict[str, Any]:
    """The class of an error and of what caused it, and the places that it passed, the innermost last."""
    frames = [
        f"{_short(frame.f_code.co_filename)}:{line} {frame.f_code.co_name}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    found: dict[str, Any] = {"kind": type(error).__name__, "frames": frames[-FRAMES_KEPT:]}
    cause = error.__cause__ or error.__context__
    if cause is not None:
        found["cause"] = type(cause).__name__
    return found


def _short(path: str) -> str:
    return "/".join(Path(path).parts[-3:])


def log_what_nobody_caught() -> None:
    """Errors that end a thread or the process become lines, too: Python itself would print what they say."""
    sys.excepthook = lambda kind, error, frames: logger.critical("The process ends.", exc_info=error)
    threading.excepthook = lambda args: logger.error("A thread ended.", exc_info=args.exc_value)
