"""Quotas of single teams, where a task's own do not hold."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from automatic_tasks.models.tasks import AutomaticTask
from campaigns.origins import Originated, origin_is_known
from participants.limits import REASON_LIMIT
from participants.models import Team


class TeamQuota(Originated, models.Model):
    """How many runs a team has for a task in the place of the task's own quota; what is None is as for everybody."""

    task = models.ForeignKey(AutomaticTask, on_delete=models.CASCADE, related_name="team_quotas")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="task_quotas")
    total = models.PositiveIntegerField(null=True, blank=True)
    per_day = models.PositiveIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=REASON_LIMIT)

    class Meta:
        ordering: ClassVar = ["team__name"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "team"], name="one_quota_a_team"),
            models.CheckConstraint(
                condition=Q(total__isnull=False) | Q(per_day__isnull=False), name="a_quota_says_something"
            ),
            origin_is_known("team_quota"),
        ]

    def __str__(self) -> str:
        return f"quota of {self.team} for {self.task}"
