"""What leaderboards keep: the figures computed last, and records that came from elsewhere."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from campaigns.models import Campaign, Entry
from leaderboards.computations import Computed


class StoredBoard(Computed):
    """The figures of one board of a campaign as they were computed last; pages show these and compute nothing.

    `rows` holds what was computed for each row, by its key. `scores_version` is the campaign's when they were computed:
    the board is up to date as long as both are equal.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="stored_boards")
    key = models.CharField(max_length=60)
    rows = models.JSONField(default=dict)
    scores_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "key"], name="board_stored_once")]

    def __str__(self) -> str:
        return f"{self.campaign}/{self.key} v{self.scores_version}"

    @property
    def is_outdated(self) -> bool:
        return self.scores_version != self.campaign.scores_version

    def rows_beside(self, figures: "StoredBoard") -> dict[str, Any]:
        """What may stand beside those figures: `rows`, where both are of the same scores; else nothing."""
        return self.rows if self.scores_version == figures.scores_version else {}

    def awaited_since(self, figures: "StoredBoard") -> datetime | None:
        """Since when this is awaited beside those figures: since they were computed. None where both are of the same scores."""
        return None if self.scores_version == figures.scores_version else figures.computed_at


class ImportedRecordQuerySet(models.QuerySet["ImportedRecord"]):
    def with_shares(self) -> models.QuerySet[Any]:
        """`n_sharing`: the number of records of the same dialogue; without its id, of the same system and scenario."""
        of_dialogue = [models.F("entry"), models.F("scenario"), models.F("dialogue")]
        return self.annotate(n_sharing=models.Window(models.Count("pk"), partition_by=of_dialogue))


class ImportedRecord(models.Model):
    """One record (dialogue × reviewer) from elsewhere (a published evaluation, another platform) as the file has it, unknown keys included."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="imported_records")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="imported_records")
    scenario = models.CharField(max_length=200)
    reviewer = models.CharField(max_length=200)
    dialogue = models.CharField(max_length=200, blank=True)
    content = models.JSONField()

    objects = ImportedRecordQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["campaign", "entry", "scenario", "reviewer", "dialogue"], name="record_imported_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.entry} / {self.scenario} / {self.reviewer}"
