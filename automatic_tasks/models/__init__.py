"""Automatic tasks of a campaign, the runs that teams hand in, and what they scored."""

from automatic_tasks.models.combined import CombinedBoard
from automatic_tasks.models.runs import Batch, Run, RunQuerySet, RunState, ServicePlan, WorkerPresence
from automatic_tasks.models.scores import BoardStatistics, Comparison, Score, ScoreQuerySet
from automatic_tasks.models.tasks import (
    AutomaticTask,
    AutomaticTaskQuerySet,
    PublishedFigures,
    Service,
    Split,
    StoredFile,
    labels_of,
)

__all__ = [
    "AutomaticTask",
    "AutomaticTaskQuerySet",
    "Batch",
    "BoardStatistics",
    "CombinedBoard",
    "Comparison",
    "PublishedFigures",
    "Run",
    "RunQuerySet",
    "RunState",
    "Score",
    "ScoreQuerySet",
    "Service",
    "ServicePlan",
    "Split",
    "StoredFile",
    "WorkerPresence",
    "labels_of",
]
