"""How many runs a team may hand in for a task, and how many it has left."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from automatic_tasks.models import AutomaticTask, Run, Service, TeamQuota
from campaigns.models import Campaign
from participants.models import Team

NO_TEAM = gettext_noop("is not a team of this campaign")


@dataclass(frozen=True, slots=True)
class Allowance:
    """A team's runs for a task: altogether, per day, and what of them is left (`today` is of the day)."""

    total: int
    per_day: int
    left: int
    today: int


def allowance_of(task: AutomaticTask, team: Team, at: datetime) -> Allowance:
    return allowances_of([task], team, at)[task.pk]


def allowances_of(tasks: Collection[AutomaticTask], team: Team, at: datetime) -> dict[int, Allowance]:
    """By the ids of the tasks, in two queries. A day is one of the platform's time zone."""
    midnight = timezone.localtime(at, timezone.get_default_timezone()).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    used = Run.objects.of_team(team).using_quota().filter(task__in=tasks).order_by().values("task")
    counted = used.annotate(n=Count("pk"), today=Count("pk", filter=Q(submitted_at__gte=midnight)))
    counts = {row["task"]: (row["n"], row["today"]) for row in counted}
    own = {quota.task_id: quota for quota in TeamQuota.objects.filter(task__in=tasks, team=team)}
    return {task.pk: _allowance(task, own.get(task.pk), *counts.get(task.pk, (0, 0))) for task in tasks}


def _allowance(task: AutomaticTask, own: TeamQuota | None, n_used: int, n_today: int) -> Allowance:
    total = task.quota_total if own is None or own.total is None else own.total
    per_day = task.quota_per_day if own is None or own.per_day is None else own.per_day
    left = max(0, total - n_used)
    return Allowance(total, per_day, left, min(left, max(0, per_day - n_today)))


def teams_of(campaign: Campaign) -> QuerySet[Team]:
    """The teams that somebody takes part for in the campaign, that have entered a bot, or whose service a task calls."""
    members, owners = campaign.team_members.values("team"), campaign.entries.values("bot__team")
    called = Service.objects.filter(task__campaign=campaign).values("team")
    return Team.objects.filter(Q(pk__in=members) | Q(pk__in=owners) | Q(pk__in=called)).order_by("name")
