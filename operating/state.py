"""How the installation stands: versions, sizes, what waits, the last backup. For the operator, without a person's name."""

import os
import platform
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.db.models import Count, Min

from audit.models import TrailLine
from automatic_tasks.models import Run
from automatic_tasks.models.runs import RunState
from automatic_tasks.runs.queue import workers_there
from conformance.models import Check
from dialogues.models import Dialogue
from operating.acts import BACKED_UP
from operating.data_checks import waiting_turns
from operating.health import looked
from publication.bundle.writing import product_version
from publication.models import FreezeOrder

# Older than this, a backup costs a morning.
BACKUP_EVERY = timedelta(hours=24)


def state(at: datetime) -> dict[str, Any]:
    """By subject; what is wrong stands under `wrong`, and is empty where all is well."""
    is_ready, wrong = looked()
    backup = last_backup()
    if backup is None or at - backup["at"] > BACKUP_EVERY:
        wrong["backup"] = "none was made yet" if backup is None else f"the last is of {backup['at']:%Y-%m-%d %H:%M} UTC"
    disk = shutil.disk_usage(settings.VAR_DIR)
    return {
        "at": at,
        "ready": is_ready,
        "wrong": wrong,
        "versions": {"huace": product_version(), "python": platform.python_version(), "django": django.get_version()},
        "database": {"kind": connection.vendor, "bytes": database_bytes()},
        "disk": {"free_bytes": disk.free, "bytes": disk.total},
        "redis": bool(settings.REDIS_URL),
        "workers": [
            {"name": one.name, "seen_at": one.seen_at, "troubles": one.n_troubles} for one in workers_there(at)
        ],
        "dialogues": {"open": Dialogue.everything.open().count()},
        "waiting": waiting(),
        "backup": backup,
    }


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
