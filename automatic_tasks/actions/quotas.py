"""Gives a team a quota of its own for a task, and takes it back."""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from automatic_tasks.acts import TASK_QUOTA_SET, TASK_QUOTA_TAKEN_BACK
from automatic_tasks.models import AutomaticTask, TeamQuota
from automatic_tasks.quotas import NO_TEAM, teams_of
from automatic_tasks.task_file import QUOTA_OF_ANOTHER, QuotaSpec
from campaigns.calendar import Doing, check_open
from campaigns.origins import Origin
from campaigns.reasons import reason_of
from reading.checking import BadForm
from reading.findings import Finding


@transaction.atomic
def set_quota(*, task: AutomaticTask, spec: QuotaSpec, by: Person | None, at: datetime) -> TeamQuota:
    """Stores the quota, in the place of the team's former one. Runs that were handed in stay.

    Errors: `BadForm` for a team that is not in the campaign, or a task that counts by another's quota; `NotNow` once the campaign is over.
    """
    # A hand-in holds this row while it counts: it counts by the old quota or by the new one.
    task = AutomaticTask.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=task.pk)
    check_open(task.campaign, Doing.ORGANIZE, at)
    if task.handed_in_with is not None:
        raise BadForm([Finding("", QUOTA_OF_ANOTHER, {"key": task.handed_in_with.key})])
    team = teams_of(task.campaign).filter(name=spec.team).first()
    if team is None:
        raise BadForm([Finding("team", NO_TEAM)])
    wanted: dict[str, Any] = {"total": spec.total, "per_day": spec.per_day, "reason": spec.reason}
    stored = task.team_quotas.filter(team=team).first()
    if stored and all(getattr(stored, name) == value for name, value in wanted.items()):
        return stored
    quota, _ = TeamQuota.objects.update_or_create(task=task, team=team, defaults=wanted | {"origin": Origin.PAGE})
    details = {"team": team.name, "total": spec.total, "per_day": spec.per_day}
    record(
        TASK_QUOTA_SET, by=by, at=at, campaign=task.campaign.slug, about=task.key, because=spec.reason, details=details
    )
    return quota


@transaction.atomic
def take_back_quota(*, quota: TeamQuota, because: str, by: Person | None, at: datetime) -> None:
    """The task's quota holds for the team again. Errors: `ReasonNeeded`; `NotNow` once the campaign is over."""
    because = reason_of(because)
    task = AutomaticTask.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=quota.task_id)
    check_open(task.campaign, Doing.ORGANIZE, at)
    if not TeamQuota.objects.filter(pk=quota.pk).delete()[0]:
        return
    slug, details = task.campaign.slug, {"team": quota.team.name}
    record(TASK_QUOTA_TAKEN_BACK, by=by, at=at, campaign=slug, about=task.key, because=because, details=details)
