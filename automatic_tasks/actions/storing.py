"""Adds, changes and removes one automatic task in the browser or over the API."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from automatic_tasks.actions.boards import keep_preset_boards
from automatic_tasks.actions.writing import Contents, TaskWriting
from automatic_tasks.dumping import task_document
from automatic_tasks.models import AutomaticTask
from automatic_tasks.task_file import TaskSpec
from automatic_tasks.trail_acts import TASK_ADDED, TASK_EDITED, TASK_REMOVED
from campaigns.actions import PreviewIsOld
from campaigns.actions.load_report import LoadReport
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign
from campaigns.origins import Origin


class IsNeeded(Exception):
    """Runs, a combined board or printed figures depend on the task: it stays. `by` names what does."""

    def __init__(self, by: tuple[str, ...]) -> None:
        super().__init__(", ".join(by))
        self.by = by


@dataclass(frozen=True, slots=True)
class StoredTask:
    """What was, or would be, changed; `digest` is the same for the same change of the same task.

    `n_development` of `n_items` give feedback before the release.
    """

    report: LoadReport
    digest: str
    n_items: int
    n_development: int

    @property
    def n_hidden(self) -> int:
        return self.n_items - self.n_development


def preview_task(*, campaign: Campaign, spec: TaskSpec, content_of: Callable[[str], bytes], at: datetime) -> StoredTask:
    """What `store_task` would do now; nothing is stored. Errors: `BadFile`, `NotNow`."""
    writing, contents = _checked(campaign, spec, content_of)
    # A few rows for a moment: files are read before.
    with transaction.atomic():
        stored = _store(writing, spec, contents, by=None, at=at)
        transaction.set_rollback(True)
    return stored


def store_task(
    *,
    campaign: Campaign,
    spec: TaskSpec,
    content_of: Callable[[str], bytes],
    by: Person | None,
    at: datetime,
    previewed: str = "",
) -> StoredTask:
    """Adds the task, or gives the one with its key these contents. It is the browser's from now on.

    Errors: `BadFile` with the names of fields as places, also where a run was scored by what would change; `PreviewIsOld`
    where it would change something else than was `previewed`; `NotNow` once the campaign is over.
    """
    writing, contents = _checked(campaign, spec, content_of)
    with transaction.atomic():
        return _store(writing, spec, contents, by=by, at=at, previewed=previewed)


def _checked(
    campaign: Campaign, spec: TaskSpec, content_of: Callable[[str], bytes]
) -> tuple[TaskWriting, Contents | None]:
    writing = TaskWriting(campaign, content_of, Origin.PAGE, LoadReport())
    return writing, writing.contents_of(spec, "")


def _store(
    writing: TaskWriting,
    spec: TaskSpec,
    contents: Contents | None,
    *,
    by: Person | None,
    at: datetime,
    previewed: str = "",
) -> StoredTask:
    campaign, report = _held(writing.campaign, at), writing.report
    before = _document(campaign, spec.key)
    if contents:
        writing.write(spec, contents, "")
    report.refuse()
    keep_preset_boards(campaign, report)
    task = campaign.automatic_tasks.get(key=spec.key)
    digest = hashlib.sha256(repr((before, _document(campaign, spec.key), report.changes)).encode()).hexdigest()
    if previewed and digest != previewed:
        raise PreviewIsOld
    if report.changed:
        act = TASK_EDITED if before else TASK_ADDED
        record(act, by=by, at=at, campaign=campaign.slug, about=spec.key, details={"changes": report.changes})
    return StoredTask(report, digest, task.n_items, len(task.development_ids))


@transaction.atomic
def remove_task(*, task: AutomaticTask, by: Person | None, at: datetime) -> None:
    """Takes the task out of the campaign, with its quotas and the addresses of its services. Errors: `IsNeeded`, `NotNow`."""
    campaign = _held(task.campaign, at)
    locked = AutomaticTask.objects.select_for_update().get(pk=task.pk)
    if needs := what_needs(locked):
        raise IsNeeded(needs)
    key = locked.key
    locked.delete()
    keep_preset_boards(campaign, LoadReport())
    record(TASK_REMOVED, by=by, at=at, campaign=campaign.slug, about=key)


def what_needs(task: AutomaticTask) -> tuple[str, ...]:
    """What depends on the task: `runs`, `figures`, `inputs` (without it they would be open to all), `board KEY` for each combined board that takes a column of it, `task KEY` for each
    that is handed in with it."""
    # A board of the preset goes with its task.
    boards = task.campaign.combined_boards.filter(is_of_preset=False).order_by("key")
    needing = [f"board {board.key}" for board in boards if any(column["task"] == task.key for column in board.columns)]
    runs = ["runs"] if task.runs.exists() else []
    figures = ["figures"] if task.published_figures.exists() else []
    inputs = ["inputs"] if task.inputs.filter(removed_at=None).exists() else []
    joined = [f"task {one.key}" for one in task.joined.all()]
    return (*runs, *figures, *inputs, *needing, *joined)


def _held(campaign: Campaign, at: datetime) -> Campaign:
    """The campaign's row, held until the commit: two forms for the same key are stored one after the other."""
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    return campaign


def _document(campaign: Campaign, key: str) -> dict[str, Any] | None:
    task = campaign.automatic_tasks.select_related("gold", "noise").filter(key=key).first()
    return {**task_document(task), "gold": task.gold.sha256, "n": task.n_items} if task else None
