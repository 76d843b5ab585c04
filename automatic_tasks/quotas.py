"""How many runs a team may hand in for a task, and how many it has left."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce
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
    """By the ids of the tasks, in two queries. A day is one of the platform's time zone.

    Tasks that are handed in together have one quota, that of their first, and one file uses one run of it.
    """
    midnight = timezone.localtime(at, timezone.get_default_timezone()).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    known = {task.pk: task for task in tasks}
    first = {task.pk: known.get(task.handed_in_with_id or task.pk) or task.handed_in_with or task for task in tasks}
    used = Run.objects.of_team(team).using_quota().filter(handed_in_for(first.values())).order_by()
    counted = used.values(first=Coalesce("task__handed_in_with", "task")).annotate(
        n=Count("submission", distinct=True),
        today=Count("submission", distinct=True, filter=Q(submitted_at__gte=midnight)),
    )
    counts = {row["first"]: (row["n"], row["today"]) for row in counted}
    own = {quota.task_id: quota for quota in TeamQuota.objects.filter(task__in=first.values(), team=team)}
    return {pk: _allowance(one, own.get(one.pk), *counts.get(one.pk, (0, 0))) for pk, one in first.items()}


def handed_in_for(first: Iterable[AutomaticTask]) -> Q:
    """The runs of these tasks and of those that are handed in with them."""
    first = list(first)
    return Q(task__in=first) | Q(task__handed_in_with__in=first)


def tasks_together(task: AutomaticTask) -> list[AutomaticTask]:
    """The task and those that one file is handed in for with it, the first of them in front; `task` as it was read."""
    first = task.handed_in_with_id or task.pk
    together = AutomaticTask.objects.filter(Q(pk=first) | Q(handed_in_with=first)).select_related("campaign")
    in_order = sorted(together, key=lambda one: (one.pk != first, one.position))
    return [task if one.pk == task.pk else one for one in in_order]


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
