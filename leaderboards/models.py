"""Records that came from elsewhere: published evaluations, other platforms, a reconstruction."""

from typing import ClassVar

from django.db import models

from campaigns.models import Campaign, Entry


class ImportedRecord(models.Model):
    """One record (dialogue × reviewer) as the file has it, unknown keys included."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="imported_records")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="imported_records")
    scenario = models.CharField(max_length=200)
    reviewer = models.CharField(max_length=200)
    dialogue = models.CharField(max_length=200, blank=True)
    content = models.JSONField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["campaign", "entry", "scenario", "reviewer", "dialogue"], name="record_imported_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.entry} / {self.scenario} / {self.reviewer}"
