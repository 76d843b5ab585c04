"""What leaderboards keep: the figures computed last, and records that came from elsewhere."""

from datetime import datetime
from typing import ClassVar

from django.db import models

from campaigns.models import Campaign, Entry


class StoredBoardQuerySet(models.QuerySet["StoredBoard"]):
    def free(self, at: datetime) -> "StoredBoardQuerySet":
        """Those that nobody computes at the moment or computed just now."""
        return self.filter(models.Q(next_at=None) | models.Q(next_at__lte=at))


class StoredBoard(models.Model):
    """The figures of one board of a campaign as they were computed last; pages show these and compute nothing.

    `rows` holds `{"n": …, "figures": {…}}` by the key of a row. `scores_version` is the campaign's when they were computed:
    the board is up to date as long as both are equal. Nobody computes it again before `next_at`.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="stored_boards")
    key = models.CharField(max_length=60)
    rows = models.JSONField(default=dict)
    scores_version = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)

    objects = StoredBoardQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "key"], name="board_stored_once")]

    def __str__(self) -> str:
        return f"{self.campaign}/{self.key} v{self.scores_version}"

    @property
    def is_outdated(self) -> bool:
        return self.scores_version != self.campaign.scores_version


class ImportedRecord(models.Model):
    """One record (dialogue × reviewer) from elsewhere (a published evaluation, another platform) as the file has it, unknown keys included."""

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
