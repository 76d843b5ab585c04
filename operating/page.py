"""The operator's page: the facts of `manage.py status`, for staff."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from accounts.access import for_staff
from operating.models import ProcessReport
from operating.state import state

# By the names that /readyz and `status` give them.
CHECKS: dict[str, Promise] = {
    "database": _("Database"),
    "disk": _("Disk"),
    "storage": _("File storage"),
    "clock": _("Clock"),
    "redis": _("Redis"),
    "worker": _("Worker"),
    "machines": _("Servers"),
    "backup": _("Backup"),
}
DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
QUEUES: dict[str, Promise] = {
    "turns": _("Turns that wait for a system"),
    "runs": _("Runs to be scored"),
    "checks": _("Checks of systems"),
    "publications": _("Leaderboards being frozen"),
}


@for_staff
@require_GET
def operate(request: HttpRequest) -> HttpResponse:
    found = state(timezone.now())
    page = {"found": found, "wrong": [(CHECKS.get(name, name), words) for name, words in found["wrong"].items()]}
    return render(request, "operating/operate.html", page | _facts(found))


def _facts(found: dict[str, Any]) -> dict[str, Any]:
    """What the page adds to the facts; nothing without a database."""
    if "database" not in found:
        return {}
    return {
        "kind": DATABASES.get(found["database"]["kind"], found["database"]["kind"]),
        "queues": [one | {"label": QUEUES.get(name, name)} for name, one in found["waiting"].items()],
        "processes": [
            one | _where(one["name"]) | {"label": ProcessReport.Kind(one["kind"]).label} for one in found["processes"]
        ],
    }


def _where(name: str) -> dict[str, str]:
    """Machine and number of a process, of the name under which it holds what it works on."""
    return {"machine": name.partition(":")[0], "number": name.rpartition(":")[2]}
