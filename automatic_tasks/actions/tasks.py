"""What can be done with a task itself: open and release it, add figures that were printed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from automatic_tasks.acts import (
    FIGURES_IMPORTED,
    TASK_BOARD_HIDDEN,
    TASK_BOARD_SHOWN,
    TASK_CHANGED,
    TASK_CLOSED,
    TASK_OPENED,
    TASK_RELEASE_WITHDRAWN,
    TASK_RELEASED,
)
from automatic_tasks.models import AutomaticTask, PublishedFigures, Split
from automatic_tasks.queue import note_changed_board
from campaigns.actions.ended import refuse_file_if_ended
from campaigns.calendar import Doing, check_open
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
