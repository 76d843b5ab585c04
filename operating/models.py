"""What each server process says of itself, so that one page knows all of them, on whatever machine."""

from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models

REPORT_EVERY_S = 10.0
# One that has not reported for so long is gone, or stands still.
PRESENT_FOR = timedelta(seconds=3 * REPORT_EVERY_S)
# What it met is still worth knowing the day after.
KEPT_FOR = timedelta(days=1)


class ProcessReportQuerySet(models.QuerySet["ProcessReport"]):
    def there(self, at: datetime) -> Self:
        return self.filter(seen_at__gt=at - PRESENT_FOR)


class ProcessReport(models.Model):
    """A process of some server: its last report. `errors` and `routes` hold words of the program and figures alone.

    `errors` are `{part, kind, place, n, last_at}`, since the process began, the latest first; `routes` are `{route, n, total_s,
    worst_s}` of this hour and the one before.
    """

    name = models.CharField(max_length=80, unique=True)
    version = models.CharField(max_length=40)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField(db_index=True)
    memory_bytes = models.BigIntegerField()
    errors: Any = models.JSONField(default=list)
    routes: Any = models.JSONField(default=list)

    objects = ProcessReportQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
