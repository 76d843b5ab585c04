"""Automatic tasks of a campaign, the runs that teams hand in, and what they scored."""

from automatic_tasks.models.combined import CombinedBoard, CombinedStatistics
from automatic_tasks.models.quotas import TeamQuota
from automatic_tasks.models.runs import Batch, Run, RunQuerySet, RunState, ServicePlan, WorkerPresence
from automatic_tasks.models.scores import BoardStatistics, Comparison, Score, ScoreQuerySet
from automatic_tasks.models.tasks import (
    AutomaticTask,
    AutomaticTaskQuerySet,
    PublishedFigures,
    Split,
    StoredFile,
)
from automatic_tasks.models.team_services import Service, ServiceCheck, ServiceFingerprint, ServiceQuerySet

__all__ = [
    "AutomaticTask",
    "AutomaticTaskQuerySet",
    "Batch",
    "BoardStatistics",
    "CombinedBoard",
    "CombinedStatistics",
    "Comparison",
    "PublishedFigures",
    "Run",
    "RunQuerySet",
    "RunState",
    "Score",
    "ScoreQuerySet",
    "Service",
    "ServiceCheck",
    "ServiceFingerprint",
    "ServicePlan",
    "ServiceQuerySet",
    "Split",
    "StoredFile",
    "TeamQuota",
    "WorkerPresence",
]
