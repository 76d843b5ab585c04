"""What each process of the product says of itself, so that one page knows all of them, on whatever machine."""

from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models
from django.utils.translation import gettext_lazy as _

REPORT_EVERY_S = 10.0
# One that is silent for longer is dead, or stands still.
PRESENT_FOR = timedelta(seconds=3 * REPORT_EVERY_S)
# What it met is still worth knowing the day after.
KEPT_FOR = timedelta(days=1)


class ProcessReportQuerySet(models.QuerySet["ProcessReport"]):
    def there(self, at: datetime) -> Self:
        return self.filter(seen_at__gt=at - PRESENT_FOR)


class ProcessReport(models.Model):
    """A server process or a worker: its last report. `errors` and `routes` hold words of the program and figures alone.

    `errors` are `{part, kind, place, n, last_at}`, since the process began, the latest first; `routes` are `{route, n, total_s,
    worst_s}` of this hour and the one before.
    """

    class Kind(models.TextChoices):
        SERVER = "server", _("server")
        WORKER = "worker", _("worker")

    name = models.CharField(max_length=80, unique=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.SERVER)
    version = models.CharField(max_length=40)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField(db_index=True)
    memory_bytes = models.BigIntegerField()
    errors: Any = models.JSONField(default=list)
    routes: Any = models.JSONField(default=list)

    objects = ProcessReportQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
