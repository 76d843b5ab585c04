"""Changes, releases and closes tasks, and gives teams more runs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from automatic_tasks.models import AutomaticTask, PublishedFigures, Split, TeamQuota
from automatic_tasks.runs.queue import note_changed_board
from automatic_tasks.runs.quotas import NO_TEAM, teams_of
from automatic_tasks.task_file import QUOTA_OF_ANOTHER, QuotaSpec
from automatic_tasks.trail_acts import (
    FIGURES_IMPORTED,
    TASK_BOARD_HIDDEN,
    TASK_BOARD_SHOWN,
    TASK_CHANGED,
    TASK_CLOSED,
    TASK_OPENED,
    TASK_QUOTA_SET,
    TASK_QUOTA_TAKEN_BACK,
    TASK_RELEASE_WITHDRAWN,
    TASK_RELEASED,
)
from campaigns.actions.ended import refuse_file_if_ended
from campaigns.calendar import Doing, check_open
from campaigns.origins import Origin
from campaigns.reasons import reason_of
from reading.checking import BadForm
from reading.findings import Finding
from scoring.published_tables import PublishedRow

CHANGES = ("is_open", "board_is_open", "released")
ACTS = {
    ("is_open", True): TASK_OPENED,
    ("is_open", False): TASK_CLOSED,
    ("board_is_open", True): TASK_BOARD_SHOWN,
    ("board_is_open", False): TASK_BOARD_HIDDEN,
    ("released", True): TASK_RELEASED,
    ("released", False): TASK_RELEASE_WITHDRAWN,
}


@transaction.atomic
def change_task(
    *, task: AutomaticTask, changes: Mapping[str, bool], at: datetime, by: Person | None = None
) -> AutomaticTask:
    """Opens or closes a task (`is_open`), its board (`board_is_open`), or releases the hidden scores (`released`).

    Only what is named is written, to the row as it is now: `task` may be older than what another organizer changed.
    Errors: `ValueError` for a change that is none of `CHANGES`; `NotNow` where a task is opened or closed after the end.
    """
    unknown = set(changes) - set(CHANGES)
    if unknown:
        raise ValueError(f"A task has no change {', '.join(sorted(unknown))}.")
    locked = AutomaticTask.objects.select_for_update().get(pk=task.pk)
    if "is_open" in changes:
        check_open(locked.campaign, Doing.ORGANIZE, at)
    standing = {"is_open": locked.is_open, "board_is_open": locked.board_is_open, "released": bool(locked.released_at)}
    differing = [(name, wanted) for name, wanted in changes.items() if standing[name] != wanted]
    fields: dict[str, Any] = {name: changes[name] for name in ("is_open", "board_is_open") if name in changes}
    if "released" in changes:
        # A second click on "release" leaves the time of the first.
        fields["released_at"] = (locked.released_at or at) if changes["released"] else None
    for name, value in fields.items():
        setattr(locked, name, value)
    locked.save(update_fields=list(fields))
    if differing:
        act = ACTS[differing[0]] if len(differing) == 1 else TASK_CHANGED
        record(act, by=by, at=at, campaign=locked.campaign.slug, about=locked.key, details=dict(differing))
    return locked


@transaction.atomic
def publish_figures(
    *, task: AutomaticTask, split: Split, rows: Sequence[PublishedRow], source: str, by: Person | None = None
) -> int:
    """Stores printed figures for the board, by the system's name; gives how many systems are new. Errors: `BadFile`."""
    refuse_file_if_ended(task.campaign)
    n_new = 0
    for row in rows:
        _, is_new = PublishedFigures.objects.update_or_create(
            task=task, split=split, name=row.name[:200], defaults={"figures": row.figures, "source": source[:200]}
        )
        n_new += is_new
    note_changed_board(task=task)
    details = {"split": str(split), "systems": len(rows), "source": source}
    record(FIGURES_IMPORTED, by=by, campaign=task.campaign.slug, about=task.key, details=details)
    return n_new


@transaction.atomic
def set_quota(*, task: AutomaticTask, spec: QuotaSpec, by: Person | None, at: datetime) -> TeamQuota:
    """Stores the quota, in place of the team's former one. Runs that were handed in stay.

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
