"""When several bots failed at once, and what is read of the bots that the platform asks again by itself."""

from datetime import datetime
from typing import ClassVar

from django.db import models

from campaigns.models import Entry, PausedBy


class OutageQuerySet(models.QuerySet["Outage"]):
    def standing(self, at: datetime) -> "OutageQuerySet":
        """Those that go on, the first one first."""
        return self.filter(began_at__lte=at, until__gt=at).order_by("began_at", "pk")


class Outage(models.Model):
    """A time in which bots failed together, so that their failures are the platform's.

    It ends by itself: while they go on failing, `until` moves on.
    """

    process = models.CharField(max_length=120)
    began_at = models.DateTimeField()
    until = models.DateTimeField()

    objects = OutageQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["until"], name="outage_until")]

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S} to {self.until:%H:%M:%S}"


class ProbeQuerySet(models.QuerySet["Probe"]):
    def due(self, at: datetime) -> "ProbeQuerySet":
        """Those to be asked now. Rows of bots that go on stay, for the next time that the platform pauses them."""
        return self.filter(due_at__lte=at, entry__paused_by=PausedBy.PLATFORM, entry__withdrawn_at=None)


class Probe(models.Model):
    """That a bot which the platform paused is asked again: when next, how often it was, and what came of the last time."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="probe")
    due_at = models.DateTimeField(db_index=True)
    n_asked = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(null=True, blank=True)
    kind = models.CharField(max_length=20, blank=True)
    detail = models.JSONField(default=list, blank=True)

    objects = ProbeQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.entry_id} at {self.due_at:%H:%M:%S}"
