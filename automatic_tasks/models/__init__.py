"""Automatic tasks of a campaign, the runs that teams hand in, and what they scored."""

from automatic_tasks.models.combined import CombinedBoard, CombinedStatistics
from automatic_tasks.models.runs import (
    Batch,
    BoardStatistics,
    Comparison,
    Run,
    RunQuerySet,
    RunState,
    Score,
    ScoreQuerySet,
    ServicePlan,
    WorkerPresence,
)
from automatic_tasks.models.tasks import (
    AutomaticTask,
    AutomaticTaskQuerySet,
    PublishedFigures,
    Split,
    StoredFile,
    TeamQuota,
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
