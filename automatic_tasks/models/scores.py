"""What runs scored, and how likely two of them differ by chance alone."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from automatic_tasks.models.tasks import AutomaticTask, Split
from leaderboards.computations import Computed


class ScoreQuerySet(models.QuerySet["Score"]):
    def outdated(self, task: AutomaticTask) -> "ScoreQuerySet":
        """Scores of the task that were made by another version of its measure, or from other gold or options."""
        return self.filter(run__task=task).exclude(version=task.score_version)

    def current(self, task: AutomaticTask) -> "ScoreQuerySet":
        return self.filter(run__task=task, version=task.score_version)


class Score(models.Model):
    """A run's figures on one split; `sums` are the rows per item that intervals and tests are drawn from.

    `version` is the task's `score_version` at the time.
    """

    run = models.ForeignKey("automatic_tasks.Run", on_delete=models.CASCADE, related_name="scores")
    split = models.CharField(max_length=12, choices=Split.choices)
    figures = models.JSONField()
    intervals = models.JSONField(default=dict)
    notes = models.JSONField(default=dict)
    sums = models.BinaryField()
    version = models.CharField(max_length=60)

    objects = ScoreQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "split"], name="score_once_a_split"),
            models.CheckConstraint(condition=Q(split__in=Split.values), name="split_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.run} on {self.split}"


class Comparison(models.Model):
    """p-values by figure that two runs differ by chance alone. `one` is the score of the run with the smaller id.

    It belongs to two scores, not to two runs: a run that is scored again loses its comparisons with its old score.
    """

    one = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="+")
    p_values = models.JSONField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["one", "other"], name="pair_compared_once")]

    def __str__(self) -> str:
        return f"{self.one} against {self.other}"


class BoardStatistics(Computed):
    """How sure the board of a task on one split is, as the worker computed it last for that version of the board.

    `scores_version` is that of the leaderboard of people that it was compared with.
    """

    task = models.ForeignKey(AutomaticTask, on_delete=models.CASCADE, related_name="board_statistics")
    split = models.CharField(max_length=12, choices=Split.choices)
    content = models.JSONField(default=dict)
    board_version = models.PositiveIntegerField(default=0)
    scores_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "split"], name="statistics_once_a_board"),
            models.CheckConstraint(condition=Q(split__in=Split.values), name="statistics_split_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.task} on {self.split} v{self.board_version}"
