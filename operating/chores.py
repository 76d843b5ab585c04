"""Each process reports on itself, so that the operator's page and `status` know all of them."""

import resource
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import timezone

from operating.actions import report_process
from operating.models import REPORT_EVERY_S, ProcessReport
from participants.allowed_addresses import renew_openings
from serving.database_threads import DatabaseThread, look_again_and_again
from serving.monitoring.error_tally import tally
from serving.monitoring.request_times import route_times
from serving.processes import ProcessName
from serving.versions import code_version

# A report is one row: the rest of the routes are quick.
ROUTES_TOLD = 20
ERRORS_TOLD = 50


# So late is the latest process when staff allow an address, or take it back.
OPENINGS_EVERY_S = 2.0


async def keep_openings() -> None:
    """At once and then periodically: until they are read, each address that staff allow is refused, and its system blamed."""
    thread = DatabaseThread("allowed addresses at first")
    try:
        await thread.run(renew_openings)
    finally:
        thread.end()
    await look_again_and_again(renew_openings, every_s=OPENINGS_EVERY_S, name="allowed addresses")


async def keep_report_of_server() -> None:
    await _keep_report(ProcessReport.Kind.SERVER)


async def keep_report_of_worker() -> None:
    await _keep_report(ProcessReport.Kind.WORKER)


async def _keep_report(kind: str) -> None:
    """Reports for as long as the process runs."""
    # Restarted after each absence of the database, it is still this process: another name would count its errors twice.
    name, started_at = this_process()

    def report() -> None:
        report_process(name=name, at=timezone.now(), report={"kind": kind, **own_report(started_at)})

    await look_again_and_again(report, every_s=REPORT_EVERY_S, name="report")


@cache
def this_process() -> tuple[str, datetime]:
    """Its name, and when it first reported."""
    return ProcessName().name, timezone.now()


def own_report(started_at: datetime) -> dict[str, Any]:
    times = sorted(route_times.all().items(), key=lambda one: one[1].mean_s, reverse=True)
    return {
        "version": code_version(),
        "started_at": started_at,
        "memory_bytes": memory_bytes(),
        "errors": [
            {"part": one.part, "kind": one.kind, "place": one.place, "n": met.n, "last_at": met.last_at.isoformat()}
            for one, met in tally.latest()[:ERRORS_TOLD]
        ],
        "routes": [
            {"route": route, "n": one.n, "total_s": round(one.total_s, 4), "worst_s": round(one.worst_s, 4)}
            for route, one in times[:ROUTES_TOLD]
        ],
    }


def memory_bytes() -> int:
    """What the process holds now; where the system does not say, the most that it ever held."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
