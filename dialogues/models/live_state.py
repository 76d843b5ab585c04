"""What holds while people talk: outages, probes of paused bots, announcements, and who is there."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from accounts.models import Person
from campaigns.models import Campaign, Entry, PausedBy

ANNOUNCEMENT_LIMIT = 300


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


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def standing(self, at: datetime) -> "AnnouncementQuerySet":
        """Those that testers are shown: neither expired nor taken back, the first one first."""
        return self.filter(Q(until=None) | Q(until__gt=at), taken_back_at=None).order_by("at", "pk")


class Announcement(models.Model):
    """A sentence to all testers of a campaign, in one language or both, until it expires or is taken back."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="announcements")
    made_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="announcements")
    text_zh = models.CharField(max_length=ANNOUNCEMENT_LIMIT, blank=True)
    text_en = models.CharField(max_length=ANNOUNCEMENT_LIMIT, blank=True)
    at = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(text_zh="", text_en=""), name="announcement_says_something"),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gt=F("at")), name="announcement_lasts"),
        ]

    def __str__(self) -> str:
        return self.text_en or self.text_zh


class Presence(models.Model):
    """A tester whose console was open in that process until `seen_at`, and is open if `is_there` and the process lives."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="presences")
    process = models.CharField(max_length=120)
    seen_at = models.DateTimeField()
    is_there = models.BooleanField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "process"], name="presence_once")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.process}"
