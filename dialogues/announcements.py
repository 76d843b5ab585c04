"""What organizers tell all testers of a campaign, and what is read of it."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q

from accounts.models import Person
from campaigns.models import Campaign

ANNOUNCEMENT_LIMIT = 300


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
            models.CheckConstraint(condition=Q(until=None) | Q(until__gt=models.F("at")), name="announcement_lasts"),
        ]

    def __str__(self) -> str:
        return self.text_en or self.text_zh
