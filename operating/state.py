"""How the installation stands, for the operator and without a person's name: one set of facts for `status`, page and `/metrics`."""

import os
import platform
import re
import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count, F, Min
from django.utils.translation import gettext as _

from audit.models import TrailLine
from automatic_tasks.models import Run
from automatic_tasks.models.runs import RunState
from automatic_tasks.runs.queue import workers_there
from conformance.models import Check
from dialogues.models import Dialogue
from leaderboards.live_board import LIVE
from leaderboards.models import StoredBoard
from operating.data_checks import waiting_turns
from operating.health import database, looked
from operating.models import KEPT_FOR, ProcessReport
from operating.trail_acts import BACKED_UP
from publication.models import FreezeOrder
from serving.machines import beats_there, host_of
from serving.monitoring.request_times import RouteTime
from serving.versions import code_version

# Older than this, a backup costs a morning.
BACKUP_EVERY = timedelta(hours=24)
ERRORS_SHOWN = 20
PAGES_SHOWN = 10


def state(at: datetime, look: Callable[[], tuple[bool, dict[str, str]]] = looked) -> dict[str, Any]:
    """By subject; what is wrong stands under `wrong`, in the reader's language, and is empty where all is well.

    Without a database, or before its migrations, that is all.
    """
    is_ready, wrong = look()
    if "database" not in wrong:
        try:
            facts = facts_of(at)
        except DatabaseError:
            is_ready, wrong = False, {"database": database() or _("lacks tables: run `manage.py migrate`")}
        else:
            return {"at": at, "ready": is_ready, "wrong": wrong | wrong_of_backup(facts["backup"], at), **facts}
    return {"at": at, "ready": is_ready, "wrong": wrong, "versions": versions()}


def wrong_of_backup(backup: dict[str, Any] | None, at: datetime) -> dict[str, str]:
    if backup is None:
        return {"backup": _("none was made yet")}
    if at - backup["at"] <= BACKUP_EVERY:
        return {}
    return {"backup": _("the last is of %(at)s UTC") % {"at": f"{backup['at'].astimezone(UTC):%Y-%m-%d %H:%M}"}}


def versions() -> dict[str, str]:
    return {"huace": code_version(), "python": platform.python_version(), "django": django.get_version()}


def facts_of(at: datetime) -> dict[str, Any]:
    """How the installation stands, without a judgement."""
    return {
        "versions": versions(),
        "database": {"kind": connection.vendor, "bytes": database_bytes()},
        "disk": disk(),
        "redis": bool(settings.REDIS_URL),
        "machines": machines(),
        "workers": [
            {"name": one.name, "seen_at": one.seen_at, "troubles": one.n_troubles} for one in workers_there(at)
        ],
        "processes": processes(at),
        "dialogues": {"open": Dialogue.everything.open().count()},
        "waiting": waiting(),
        "boards": boards(at),
        "backup": last_backup(),
        "errors": errors(at),
        "pages": slowest_pages(at),
    }


def disk() -> dict[str, int]:
    """Zeros where it cannot be looked at, which `wrong` says."""
    try:
        usage = shutil.disk_usage(settings.VAR_DIR)
    except OSError:
        return {"free_bytes": 0, "bytes": 0}
    return {"free_bytes": usage.free, "bytes": usage.total}


def machines() -> list[dict[str, Any]]:
    """Each machine whose server processes beat, and its version; none on SQLite, which is one machine's."""
    of_each = Counter((beat.place, host_of(beat), beat.version) for beat in beats_there())
    return [{"host": host, "processes": n, "version": version} for (_, host, version), n in of_each.items()]


def processes(at: datetime) -> list[dict[str, Any]]:
    """The server processes and workers that reported lately, of all machines."""
    there = ProcessReport.objects.there(at).order_by("started_at", "name")
    return [dict(one) for one in there.values("name", "kind", "version", "started_at", "seen_at", "memory_bytes")]


def errors(at: datetime) -> list[dict[str, Any]]:
    """What processes logged as errors within a day, by kind, the latest first; also of processes that ended since."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for report in ProcessReport.objects.values_list("errors", flat=True):
        for one in report:
            last_at = datetime.fromisoformat(one["last_at"])
            if last_at < at - KEPT_FOR:
                # Of a process that lives for longer.
                continue
            kind = found.setdefault((one["part"], one["kind"], one["place"]), one | {"n": 0, "last_at": last_at})
            kind["n"] += one["n"]
            kind["last_at"] = max(kind["last_at"], last_at)
    return sorted(found.values(), key=lambda one: one["last_at"], reverse=True)[:ERRORS_SHOWN]


def slowest_pages(at: datetime) -> list[dict[str, Any]]:
    """The routes that took longest on average in this hour and the one before, over the processes that are there."""
    found: dict[str, RouteTime] = {}
    for report in ProcessReport.objects.there(at).values_list("routes", flat=True):
        for one in report:
            told = RouteTime(one["n"], one["total_s"], one["worst_s"])
            found[one["route"]] = told.with_earlier(found.get(one["route"], RouteTime()))
    slowest = sorted(found.items(), key=lambda one: one[1].mean_s, reverse=True)[:PAGES_SHOWN]
    return [
        {
            "route": f"/{readable(route)}",
            "n": one.n,
            "mean_ms": round(one.mean_s * 1000),
            "worst_ms": round(one.worst_s * 1000),
        }
        for route, one in slowest
    ]


def readable(route: str) -> str:
    """A pattern of the program as an address: `campaigns/{slug}/`."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)


def boards(at: datetime) -> dict[str, Any]:
    """How many live leaderboards lag behind their scores, and how old the figures of the oldest are."""
    outdated = StoredBoard.objects.filter(key=LIVE).exclude(scores_version=F("campaign__scores_version"))
    counted = outdated.aggregate(n=Count("pk"), oldest=Min("computed_at"))
    age_s = (at - counted["oldest"]).total_seconds() if counted["oldest"] else 0.0
    return {"outdated": counted["n"], "oldest_s": round(age_s, 1)}


def waiting() -> dict[str, dict[str, Any]]:
    """How much of each kind waits, and since when the first does."""
    asked = [since for _, since in waiting_turns()]
    turns = {"n": len(asked), "since": min(asked, default=None)}
    runs = Run.objects.filter(state=RunState.QUEUED).aggregate(n=Count("pk"), since=Min("submitted_at"))
    checks = Check.objects.open().aggregate(n=Count("pk"), since=Min("asked_at"))
    orders = FreezeOrder.objects.under_way().aggregate(n=Count("pk"), since=Min("asked_at"))
    return {"turns": turns, "runs": runs, "checks": checks, "publications": orders}


def last_backup() -> dict[str, Any] | None:
    line = TrailLine.objects.of_act(BACKED_UP.key).latest_first().first()
    return {"at": line.at, "file": line.about, **line.details} if line else None


def database_bytes() -> int:
    if connection.vendor == "sqlite":
        file = str(settings.DATABASES["default"]["NAME"])
        return sum(Path(f"{file}{end}").stat().st_size for end in ("", "-wal") if os.path.exists(f"{file}{end}"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])
