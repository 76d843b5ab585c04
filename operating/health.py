"""Whether this installation can serve now: what a proxy, a watcher and `status` ask.

Each look gives nothing where all is well, and a few words where it is not, in the reader's language; none of them names
a host, a path or a person.
"""

import shutil
import threading
import time
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from automatic_tasks.runs.queue import has_worker
from serving.machines import CLOCK_TOLERANCE, clock_apart, hindrances, others_there, shares_database
from serving.stored_files import LEAST_FREE_BYTES, stored_files

KEY = "operating.health"
KEPT_S = 1.0


def database() -> str:
    try:
        with connection.cursor() as cursor:
            # A table, not a bare 1: SQLite opens no file for that.
            cursor.execute("SELECT 1 FROM django_migrations")
            cursor.fetchone()
    except DatabaseError:
        return _("does not answer")
    return ""


def disk() -> str:
    try:
        free = shutil.disk_usage(settings.VAR_DIR).free
    except OSError:
        return _("cannot be looked at")
    if free >= LEAST_FREE_BYTES:
        return ""
    text = _("%(free)d MiB are free, fewer than %(least)d")
    return text % {"free": free >> 20, "least": LEAST_FREE_BYTES >> 20}


def storage() -> str:
    """Whether files can be written where bundles stand."""
    refusal = stored_files().refusal()
    return _(refusal) if refusal else ""


def redis() -> str:
    """Limits and wake-ups between processes; nothing is lost without it, and a site without REDIS_URL needs none."""
    if not settings.REDIS_URL:
        return ""
    try:
        cache.set(KEY, 1, timeout=10)
    except Exception:
        # Whatever the client raises: it is not there.
        return _("does not answer: limits hold on each machine for itself")
    return ""


def machines() -> str:
    """Whether other machines are there beside which this one cannot work: several began at once, or one was changed."""
    try:
        others = others_there()
        return ", ".join(dict.fromkeys(_(found.words) for found in hindrances(others))) if others else ""
    except DatabaseError:
        return ""


def clock() -> str:
    """Whether the clock of this machine is that of the database's."""
    try:
        apart = clock_apart() if shares_database() else timedelta(0)
    except DatabaseError:
        return ""
    if apart <= CLOCK_TOLERANCE:
        return ""
    return _("is %(seconds).0f s apart from the database's") % {"seconds": apart.total_seconds()}


# Without one of these, as without the database, nobody can talk or score here.
NEEDED: Mapping[str, Callable[[], str]] = {"disk": disk, "storage": storage, "clock": clock}


def worker() -> str:
    """Whether a worker scores automatic tasks."""
    try:
        return "" if has_worker(timezone.now()) else _("none is there: runs wait")
    except DatabaseError:
        return ""


# What the site goes on without, more slowly or partly: a proxy sends people here all the same.
MISSED: Mapping[str, Callable[[], str]] = {"redis": redis, "worker": worker, "machines": machines}
CHECKS = ("database", *NEEDED, *MISSED)


def looked() -> tuple[bool, dict[str, str]]:
    """Whether the site can serve, and what is wrong, by name."""
    if wrong := database():
        # Each other look at it would wait as long.
        return False, {"database": wrong}
    found = {name: wrong for name, look in {**NEEDED, **MISSED}.items() if (wrong := look())}
    return not (found.keys() & NEEDED.keys()), found


_lock = threading.Lock()
_kept: tuple[float, tuple[bool, dict[str, str]]] | None = None


def looked_lately() -> tuple[bool, dict[str, str]]:
    """The same for programs, in English: a process looks once a second, and requests meanwhile wait for that look."""
    global _kept
    with _lock:
        if _kept is None or time.monotonic() - _kept[0] >= KEPT_S:
            with override("en"):
                found = looked()
            # Counted from its end: after a slow look, each of those who waited for it would look again in turn.
            _kept = (time.monotonic(), found)
        return _kept[1]
