"""Boards that join figures of people and of automatic tasks."""

from typing import ClassVar

from django.db import models

from campaigns.models import Campaign
from leaderboards.computations import Computed
from measures.live import MEAN_TURNS
from participants.limits import NAME_LIMIT
from rubrics.bilingual import Bilingual

# Stands between task and split in the key of a board of runs; no key that a file declares can have it.
IN_KEY_OF_RUNS = "/"


class CombinedBoard(Bilingual, models.Model):
    """A board over several: `columns`, `total` and `ranking` are as the task file says them (`board_file.py`).

    `is_of_preset`: the campaign's preset declares it, and no file holds it. The board of a task on a split is one of these that nobody declares or stores (`run_boards.py`).
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="combined_boards")
    key = models.SlugField(max_length=60)
    position = models.PositiveIntegerField()
    name_zh = models.CharField(max_length=NAME_LIMIT)
    name_en = models.CharField(max_length=NAME_LIMIT)
    columns = models.JSONField()
    total = models.JSONField(null=True, blank=True)
    ranking = models.JSONField()
    interim = models.JSONField(default=list, blank=True)
    is_of_preset = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "key"], name="combined_board_key_once")]

    def __str__(self) -> str:
        return f"{self.campaign.slug}/{self.key}"

    @property
    def name(self) -> str:
        return self.text("name")

    @property
    def is_of_runs(self) -> bool:
        """Whether its rows are the runs of one task, baselines among them; all others join figures by team."""
        return IN_KEY_OF_RUNS in self.key

    @property
    def counts_turns(self) -> bool:
        """Whether a column is T, whatever its key."""
        return any(not one["task"] and one["figure"] == MEAN_TURNS.name for one in self.columns)


class CombinedStatistics(Computed):
    """How sure a combined board is, as the worker computed it last; `version` says of which figures and by which rule.

    `published` is what was computed of the figures that everybody reads, where newer scores have come since.
    """

    board = models.OneToOneField(CombinedBoard, on_delete=models.CASCADE, related_name="statistics")
    content = models.JSONField(default=dict)
    published = models.JSONField(default=dict)
    version = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.board} {self.version[:8]}"
